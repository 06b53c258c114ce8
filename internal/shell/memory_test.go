package shell

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestTheLimitOfTheUserHolds(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	const users = 150 << 20
	for name, c := range map[string]struct {
		env             map[string]string
		before, growing int64
	}{
		"none set": {nil, usualLimit, largeLimit},
		"set":      {map[string]string{"GOMEMLIMIT": "150MiB"}, users, users},
	} {
		debug.SetMemoryLimit(users) // as the runtime does at the start
		LimitMemory(func(name string) string { return c.env[name] })
		before := debug.SetMemoryLimit(-1)
		restoreOuter := GrowFreely()
		restoreInner := GrowFreely()
		growing := debug.SetMemoryLimit(-1)
		restoreInner()
		if still := debug.SetMemoryLimit(-1); before != c.before || growing != c.growing || still != growing {
			t.Errorf("%s: %d, %d and %d bytes", name, before, growing, still)
		}
		restoreOuter()
		if after, most := debug.SetMemoryLimit(-1), debug.SetGCPercent(100); after != before || most != 800 {
			t.Errorf("%s: %d bytes and %d %% after it", name, after, most)
		}
	}
}

// TestLiveIsWhatACollectionFound: garbage and what was allocated since is not among it.
func TestLiveIsWhatACollectionFound(t *testing.T) {
	const much = 32 << 20
	kept := make([]byte, much)
	runtime.GC()
	with := liveHeap()
	runtime.KeepAlive(kept)
	runtime.GC()
	without := liveHeap()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // so much at a time may begin a collection
	kept = make([]byte, much)
	if after := liveHeap(); with < much || without > with-much/2 || after > without+much/2 {
		t.Errorf("%d bytes with %d in use, %d without, %d after they are allocated again", with, much, without, after)
	}
	runtime.KeepAlive(kept)
}
