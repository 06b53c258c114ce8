package capture

import (
	"runtime"
	"sync"
	"time"

	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/kernel"
)

// meanwhile prepares work to be done one after the other while the JVM is at work
// and we only wait for it; start returns at once, wait when all is done.
func meanwhile(work []func()) (start, wait func()) {
	done := make(chan *caught.Panic, 1)
	begin := sync.OnceFunc(func() {
		go func() {
			done <- caught.Try(func() {
				for _, f := range work {
					f()
				}
			})
		}()
	})
	return begin, sync.OnceFunc(func() {
		begin()
		(<-done).Again()
	})
}

// clearing is how long the target's folders are looked through for what earlier runs have
// left. One that holds millions of files, or lies on a file system that does not answer,
// must not hold up the report.
const clearing = time.Second

const (
	// worthwhile is from how many on it is worth preparing memory for them.
	worthwhile = 500
	// threadSpace is about what parsing and diagnosing a dump takes for each.
	threadSpace = 1280
	// mostSpace bounds what is prepared.
	mostSpace = 32 << 20
)

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
