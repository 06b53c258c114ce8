package analysis

import (
	"time"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// leastOthers is the least CPU of other processes for which one is named.
const leastOthers = 100 * time.Millisecond

// describeMachine says what the process shared its CPUs with over the capture.
func describeMachine(c *Capture, f *timeline.Timeline) {
	if cores := f.Cores(); cores > 0 {
		c.Cores = finding.Rounded(cores, 100)
	}
	first, last, ok := f.Machines()
	own := f.CPU()
	if !ok || !own.Known {
		return
	}
	busy := timeline.Gained(first.Busy, last.Busy)
	if !busy.Known {
		return
	}
	others := max(0, busy.Value-own.Value)
	c.OthersCPUSeconds = inSeconds(threaddump.Known(others))
	if others >= leastOthers {
		c.BusiestOther = cpu.Busiest(first.Others, last.Others)
	}
}
