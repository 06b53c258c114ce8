// Package limitnear finds limits almost reached.
package limitnear

import (
	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/limits"
	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
)

// Detector reports a limit of the process that is almost reached.
var Detector = detect.Detector{
	Kind: finding.KindLimitNear,
	Doc:  "a limit of the process that is almost reached",
	Run:  run,

	RunUnanswered: notAttached,
}

// run reports limits of the kernel of which 95 % or more are in use: open files, the threads of the control group or of
// the machine, and the memory of the group. Memory counts without the page cache, because a group that reads files
// always fills its limit with page cache.
func run(f *facts.Facts) []finding.Candidate {
	return limits.Near(f.Timeline.LastMachine(), "")
}

// notAttached reports the limit for which nothing was sent to the JVM. Without a dump it also reports the other limits
// that are almost reached.
func notAttached(u *unanswered.JVM, f *facts.Facts) []finding.Candidate {
	if u == nil {
		return nil
	}
	var found []finding.Candidate
	if u.Refused() {
		found = append(found, finding.Candidate{Finding: refusal(u)})
	}
	if f == nil {
		found = append(found, limits.Near(u.Last().Machine, u.Attempt.Code)...)
	}
	return found
}

// refusal is the finding on the limit for which nothing was sent.
func refusal(u *unanswered.JVM) finding.Finding {
	f := finding.Finding{
		Severity: finding.Warning, Confidence: finding.Proven,
		Title: "not attached: " + u.Attempt.Message, Advice: u.Attempt.Remedy,
		Evidence: []finding.Evidence{finding.Figure(u.AttemptText()),
			finding.Figure("no trigger file was made, and no signal and no request was sent")},
	}
	if u.HasCode(limits.NoMemoryRoom) { // what the answer would take is predicted
		f.Confidence = finding.Likely
	}
	return f
}
