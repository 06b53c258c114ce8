package gcpressure_test

import (
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// One dump has what each thread allocated since it was started: those with a quarter of all are to blame, if it is
// enough to fill a heap.
func TestAllocatorsSinceTheStart(t *testing.T) {
	const mb = 1 << 20
	for name, c := range map[string]struct {
		allocated []int64
		want      string
	}{
		"one of three": {[]int64{900 * mb, 10 * mb, 20 * mb}, "gc-pressure/info/likely: loader-0 | "},
		"two of three": {[]int64{900 * mb, 10 * mb, 800 * mb}, "gc-pressure/info/likely: loader-0,loader-2 | "},
		"too little":   {[]int64{900, 10, 20}, "gc-pressure/info/likely:  | "},
		"unknown":      {nil, "gc-pressure/info/likely:  | "},
	} {
		t.Run(name, func(t *testing.T) {
			gc := GCThread(1800, 3600)
			gc.Name = "GC Thread#0"
			threads := []*threaddump.Thread{gc, Thread(1, "main", Sleeping, Used(1, 3600))}
			for i := range 3 {
				th := Thread(int64(10+i), "loader-"+string(rune('0'+i)), At("App.load", "App.run"), Used(9, 3600))
				if c.allocated != nil {
					Allocated(c.allocated[i])(th)
				}
				threads = append(threads, th)
			}
			Expect(t, Diagnose(Observe(0, threads...)), c.want)
		})
	}
}
