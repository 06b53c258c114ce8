package capture

import (
	"runtime"

	"jstall/internal/kernel"
)

// beside starts f, to be done while the JVM is at work and we only wait for it;
// wait returns when f has.
func beside(f func()) (wait func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	return func() { <-done }
}

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
