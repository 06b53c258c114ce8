package shell

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/jstall/jstall/internal/kernel"
)

const (
	// usualLimit is the memory that a capture may use before it is collected more often.
	usualLimit = 200 << 20
	// largeLimit is that of input which needs more: it stays below 500 MB with what is no heap.
	largeLimit = 420 << 20
	// manyLive is how much in use calls for largeLimit. Against usualLimit it would be collected
	// without end.
	manyLive = usualLimit / 2
)

// LimitMemory has garbage collected rarely, which saves a quarter of the CPU of a capture
// that is over soon, and in time. What the user sets (GOGC, GOMEMLIMIT) stays.
func LimitMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(800)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(usualLimit)
		afterCollection(raiseLimit)
	}
}

// scarce is the room below which memory is collected often, whatever that costs.
const scarce = 64 << 20

// YieldMemory lets the kernel end this process before the JVM that it looks at where
// memory runs out, and takes less of it where our own control groups have little left.
func YieldMemory(k *kernel.Reader) {
	kernel.PreferForOOMKill()
	for _, b := range k.OwnMemoryBounds() {
		if b.Room() < scarce {
			debug.SetGCPercent(10)
			debug.FreeOSMemory()
			return
		}
	}
}

// afterCollection calls f after each collection, until that says it is done.
func afterCollection(f func() (done bool)) {
	type sentinel struct{ _ [16]byte }
	var again func(*sentinel)
	again = func(*sentinel) {
		if !f() {
			runtime.SetFinalizer(&sentinel{}, again)
		}
	}
	runtime.SetFinalizer(&sentinel{}, again)
}

// raiseLimit gives a capture that has much in use more memory.
func raiseLimit() (done bool) {
	if debug.SetMemoryLimit(-1) != usualLimit {
		return false
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc < manyLive {
		return false
	}
	debug.SetGCPercent(100)
	debug.SetMemoryLimit(largeLimit)
	return true
}

// watchLimit is the memory that a watch may use before it is collected more often: with the pages of the program itself
// that is less than 64 MB.
const watchLimit = 40 << 20

// WatchMemory bounds the memory of a command that runs for days. Threads by the thousand need more: then it is
// collected often at first, and has more once three quarters of that are in use.
func WatchMemory(env *Env) {
	if env.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	if env.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(watchLimit)
		afterCollection(func() bool {
			if liveHeap() < watchLimit/4*3 {
				return false
			}
			debug.SetMemoryLimit(largeLimit)
			debug.SetGCPercent(50)
			return true
		})
	}
}

// liveHeap is how many bytes the last garbage collection found in use. What was allocated since then is not included:
// it is megabytes by the time that a finalizer runs.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// GrowFreely lets the heap grow with the profile, until its result is called. Against
// usualLimit a profile that needs more would be collected without end; a limit of the
// user's holds nevertheless.
func GrowFreely() (restore func()) {
	if debug.SetMemoryLimit(-1) != usualLimit {
		return func() {}
	}
	debug.SetMemoryLimit(largeLimit)
	percent := debug.SetGCPercent(100)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(usualLimit)
	}
}
