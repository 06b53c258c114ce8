package render

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
)

// labels name the threads that a finding puts first, by its kind; "Thread" for all others.
var labels = map[finding.Kind]string{
	finding.KindDeadlock:            "Cycle",
	finding.KindPoolDeadlock:        "Workers",
	finding.KindLockContention:      "Owner",
	finding.KindResourceExhausted:   "Holder",
	finding.KindQueueFull:           "Consumer",
	finding.KindExecutorSaturated:   "Workers",
	finding.KindSingleThreadBlocked: "Blocked",
	finding.KindMissedSignal:        "Waiting",
	finding.KindVirtualThreadPinned: "Pinned",
	finding.KindSpin:                "Hot",
	finding.KindHotThread:           "Hot",
	finding.KindIOWait:              "Waiting",
	finding.KindGCPressure:          "Cause",
	finding.KindHeapGrowth:          "Cause",
	finding.KindCPUStarved:          "Busy",
}

// waiters are kinds whose first threads wait themselves if the finding has no other threads: no thread was seen that
// holds or takes what they wait for.
var waiters = map[finding.Kind]bool{
	finding.KindLockContention: true, finding.KindResourceExhausted: true, finding.KindQueueFull: true,
}

// labelOf is the label of a group of the first threads of a finding.
func labelOf(f *finding.Finding, g group) string {
	if waiters[f.Kind] && len(f.Victims) == 0 && !owns(f, g) || waitsForOwnResource(f, g) {
		return "Waiting"
	}
	if strings.Contains(f.Title, finding.PossibleHolder) {
		return "Holder?"
	}
	if label := labels[f.Kind]; label != "" {
		return label
	}
	return "Thread"
}

// owns reports whether the threads of a finding about a lock wait for no lock, and not for what the finding is about.
func owns(f *finding.Finding, g group) bool {
	if f.Kind != finding.KindLockContention || g.thread == nil {
		return false
	}
	w := g.thread.WaitsFor
	return w == nil || !isLock(w) && (f.Resource == nil || f.Resource.Type != w.Type)
}

// waitsForOwnResource reports whether the threads of a finding about a lock wait for that lock, whose owner is unknown.
func waitsForOwnResource(f *finding.Finding, g group) bool {
	if f.Kind != finding.KindLockContention || g.thread == nil || g.dump != "" || f.Resource == nil {
		return false
	}
	w := g.thread.WaitsFor
	return w != nil && w.Owner == nil && w.Address != "" && w.Address == f.Resource.Address
}

// reasons say why a finding is likely or possible, and not proven.
var reasons = map[finding.Kind]string{
	finding.KindDeadlock:            "the JVM itself does not report it",
	finding.KindPoolDeadlock:        "the JVM itself does not report it",
	finding.KindLockContention:      "the lock may be free between the dumps",
	finding.KindResourceExhausted:   "no dump names the holders",
	finding.KindQueueFull:           "no dump shows the length of the queue",
	finding.KindExecutorSaturated:   "no dump shows the queue of the executor",
	finding.KindSingleThreadBlocked: "callers concluded from stack frames",
	finding.KindMissedSignal:        "no dump shows who should signal",
	finding.KindVirtualThreadPinned: "no dump shows the queue of the scheduler",
	finding.KindSpin:                "the loop may do useful work",
	finding.KindHotThread:           "it may be normal work",
	finding.KindGCPressure:          "an average since the start",
	finding.KindHeapGrowth:          "a trend of few figures",
	finding.KindThreadLeak:          "the threads may still be in use",
	finding.KindMetaspaceGrowth:     "a trend of few figures",
	finding.KindIOWait:              "the peer may be silent by design",
	finding.KindJITPressure:         "a trend of few figures",
	finding.KindJVMUnresponsive:     "concluded from /proc and counters",
}

// notOfOneDump are kinds whose reason does not depend on the number of dumps.
var notOfOneDump = map[finding.Kind]bool{
	finding.KindDeadlock: true, finding.KindPoolDeadlock: true, finding.KindJVMUnresponsive: true,
	finding.KindGCPressure: true,
}

// certainty is "proven", or "likely: one dump": how sure a finding is, and why not more.
func (p *page) certainty(f *finding.Finding) string {
	reason := reasons[f.Kind]
	switch {
	case p.report.Capture.Dumps == 1 && !notOfOneDump[f.Kind]:
		reason = "one dump"
	case f.Kind == finding.KindLockContention && f.Confidence == finding.Likely:
		reason = "no dump names the owner"
	}
	if f.Confidence == finding.Proven || reason == "" {
		return string(f.Confidence)
	}
	return fmt.Sprintf("%s: %s", f.Confidence, reason)
}
