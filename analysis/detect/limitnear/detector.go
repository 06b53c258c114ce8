// Package limitnear finds limits almost reached.
package limitnear

import (
	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/limits"
	"github.com/jstall/jstall/analysis/finding"
)

// Detector reports a limit of the process that is almost reached.
var Detector = detect.Detector{
	Kind: finding.KindLimitNear,
	Doc:  "a limit of the process that is almost reached",
	Run:  run,
}

// run reports limits of the kernel of which 95 % or more are in use: open files, the threads of the control group or of
// the machine, and the memory of the group. Memory counts without the page cache, because a group that reads files
// always fills its limit with page cache.
func run(f *facts.Facts) []finding.Candidate {
	return limits.Near(f.LastMachine(), "")
}
