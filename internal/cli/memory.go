package cli

import (
	"math"
	"runtime/debug"

	"jstall/internal/kernel"
)

// usualLimit is the memory that a look may use before it is collected more often.
const usualLimit = 200 << 20

// LimitMemory has garbage collected rarely, which saves a quarter of the CPU of a look
// that is over soon, and in time. What the user sets (GOGC, GOMEMLIMIT) stays.
func LimitMemory(getenv func(string) string) {
	if getenv("GOGC") == "" {
		debug.SetGCPercent(800)
	}
	if getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(usualLimit)
	}
}

// scarce is the room below which memory is collected often, whatever that costs.
const scarce = 64 << 20

// yieldMemory lets the kernel end this process before the JVM that it looks at where
// memory runs out, and takes less of it where our own control groups have little left.
func yieldMemory(k *kernel.Reader) {
	kernel.DieFirst()
	for _, b := range k.OwnMemoryBounds() {
		if b.Room() < scarce {
			debug.SetGCPercent(10)
			debug.FreeOSMemory()
			return
		}
	}
}

// growFreely lets the heap grow with the profile, until its result is called. Against
// usualLimit a profile that needs more would be collected without end; a limit of the
// user's holds all the same.
func growFreely() (restore func()) {
	if debug.SetMemoryLimit(-1) != usualLimit {
		return func() {}
	}
	debug.SetMemoryLimit(math.MaxInt64)
	percent := debug.SetGCPercent(100)
	return func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(usualLimit)
	}
}
