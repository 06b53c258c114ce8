package dumptest

import (
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Unanswered describes a JVM that did not answer, for four moments 300 ms apart. The threads that every JVM has are
// asleep.
type Unanswered struct {
	// Code and Phase are those of the attempt, Sent is what jstall had sent.
	Code, Phase string
	Sent        []timeline.Sent
	Process     timeline.Process
	// Each changes the i-th moment; it may be nil.
	Each func(i int, o *timeline.Observation)
}

// Report diagnoses it.
func (u Unanswered) Report() *analysis.Report {
	s := timeline.NewSeries()
	const moments = 4
	for i := range moments {
		p := u.Process
		o := timeline.Observation{
			At: threaddump.Known(time.Duration(i) * 300 * time.Millisecond), Process: &p,
			Tasks: map[int64]timeline.Task{
				10: {Name: "java", State: "S", WaitChannel: "futex_do_wait"}, 11: {Name: "java", State: "S"},
				12: {Name: "VM Thread", State: "S", WaitChannel: "futex_do_wait"}, 13: {Name: "Signal Dispatch",
					State: "S"},
				14: {Name: "GC Thread#0", State: "S"}, 15: {Name: "worker-1", State: "S"}, 16: {Name: "Service Thread",
					State: "S"},
			},
		}
		if u.Each != nil {
			u.Each(i, &o)
		}
		if i == moments-1 {
			o.Attempt = &timeline.Attempt{Code: u.Code, Phase: u.Phase, Message: "no answer", Remedy: "wait",
				Sent: u.Sent}
		}
		s.Add(o)
	}
	return analysis.Diagnose(s, analysis.Options{})
}

// SetTask puts a thread into a state, with so much of a core used.
func SetTask(o *timeline.Observation, nid int64, i int, state, channel string, share float64) {
	t := o.Tasks[nid]
	t.State, t.WaitChannel = state, channel
	t.CPU = time.Duration(float64(i) * share * 3e8)
	o.Tasks[nid] = t
}
