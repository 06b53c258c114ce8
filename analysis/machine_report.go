package analysis

import (
	"time"

	"jstall/threaddump"
)

// leastOthers is the least CPU of other processes for which one is named.
const leastOthers = 100 * time.Millisecond

// describeMachine says what the process shared its CPUs with over the capture.
func describeMachine(c *Capture, f *timeline) {
	if cores := f.cores(); cores > 0 {
		c.Cores = rounded(cores, 100)
	}
	first, last, ok := f.machines()
	own := f.cpu()
	if !ok || !own.Known {
		return
	}
	busy := gained(first.Busy, last.Busy)
	if !busy.Known {
		return
	}
	others := max(0, busy.Value-own.Value)
	c.OthersCPUSeconds = inSeconds(threaddump.Known(others))
	if others >= leastOthers {
		c.BusiestOther = busiest(first.Others, last.Others)
	}
}
