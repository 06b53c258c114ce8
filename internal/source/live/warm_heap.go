package live

import (
	"runtime"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

const (
	// worthwhile is the number of threads from which on it is worth preparing memory for them.
	worthwhile = 500
	// threadSpace is about how many bytes parsing and diagnosing a dump takes for each thread.
	threadSpace = 1280
	// mostSpace bounds the prepared memory.
	mostSpace = 32 << 20
)

// Clearing bounds the search of the target's folders for what earlier runs have left. A folder with millions of files,
// or on a file system that does not answer, must not delay the report.
const Clearing = time.Second

// warmHeap makes the heap hold the memory that a dump of that many threads will take. Page faults during parsing would
// cost half as much time as parsing.
func warmHeap(threads int) {
	if threads < worthwhile {
		return
	}
	space := make([]byte, min(threads*threadSpace, mostSpace))
	kernel.Populate(space)
	runtime.KeepAlive(space)
	runtime.GC() // the heap keeps the memory
}
