package live

import (
	"runtime"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

const (
	// worthwhile is from how many on it is worth preparing memory for them.
	worthwhile = 500
	// threadSpace is about what parsing and diagnosing a dump takes for each.
	threadSpace = 1280
	// mostSpace bounds what is prepared.
	mostSpace = 32 << 20
)

// Clearing is how long the target's folders are looked through for what earlier runs have
// left. One that holds millions of files, or lies on a file system that does not answer,
// must not hold up the report.
const Clearing = time.Second

// warmHeap makes the heap hold the memory that a dump of so many threads will take.
// To find it page by page while the dump is parsed costs half as much as parsing.
func warmHeap(threads int) {
	if threads < worthwhile {
		return
	}
	space := make([]byte, min(threads*threadSpace, mostSpace))
	kernel.Populate(space)
	runtime.KeepAlive(space)
	runtime.GC() // leaves it to the heap
}
