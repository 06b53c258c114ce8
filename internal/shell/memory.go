package shell

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"

	"github.com/jstall/jstall/internal/kernel"
)

const (
	// usualLimit is the memory that a capture may use before the GC runs more often.
	usualLimit = 200 << 20
	// largeLimit is the limit for input that needs more: with the memory outside of the heap it stays below 500 MB.
	largeLimit = 420 << 20
	// manyLive is how much live memory calls for largeLimit. Against usualLimit the GC would run all the time.
	manyLive = usualLimit / 2
)

// LimitMemory makes the GC run rarely at first and in time later, which saves a quarter of the CPU of a short capture.
// Settings of the user (GOGC, GOMEMLIMIT) stay.
func LimitMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(800)
	}
	if getenv("GOMEMLIMIT") == "" {
		limitUntil(manyLive, usualLimit, 100)
	}
}

// scarce is the free memory below which the GC runs often, whatever that costs.
const scarce = 64 << 20

// YieldMemory makes the OOM killer take jstall before the JVM, and makes jstall use less memory if its own control
// groups have little left.
func YieldMemory(k *kernel.Reader) {
	kernel.RaiseOOMScore()
	for _, b := range k.OwnMemoryBounds() {
		if b.Room() < scarce {
			debug.SetGCPercent(10)
			debug.FreeOSMemory()
			return
		}
	}
}

// afterCollection calls f after each GC, until f returns true.
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

// limitUntil raises the limit of a capture with much live memory.
func limitUntil(inUse uint64, limit int64, percent int) {
	debug.SetMemoryLimit(limit)
	afterCollection(func() (done bool) {
		if debug.SetMemoryLimit(-1) != limit || liveHeap() < inUse {
			return false
		}
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(largeLimit)
		return true
	})
}

// watchLimit is the memory that a watch may use before the GC runs more often: with the pages of the program itself it
// is below 64 MB.
const watchLimit = 40 << 20

// WatchMemory bounds the memory of a command that runs for days. Thousands of threads need more. Then the GC runs often
// at first, and the limit is raised once three quarters of it are live.
func WatchMemory(env *Env) {
	if env.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	if env.Getenv("GOMEMLIMIT") == "" {
		limitUntil(watchLimit/4*3, watchLimit, 50)
	}
}

// liveHeap is how many bytes were live after the last GC. It leaves out what was allocated since then, which is
// megabytes by the time that a finalizer runs.
func liveHeap() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return sample[0].Value.Uint64()
}

// GrowFreely lets the heap grow with the profile until restore is called. Against usualLimit the GC would run all the
// time for a profile that needs more. A limit that the user has set still holds.
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
