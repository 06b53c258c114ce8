package exhausted

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
)

// addPool adds how many objects of a pool are in use, if that was read from the JVM's memory: a pool without a free
// object proves what the threads wait for.
func addPool(f *facts.Facts, x *exhaustion, result *finding.Finding) {
	first := poolOf(f, x.waiters)
	if first == nil || !first.Exhausted() {
		return
	}
	used := fmt.Sprintf("%d of %d in use", first.Active, first.Most)
	result.Title = strings.Replace(result.Title, " exhausted: ", " exhausted ("+used+"): ", 1)
	result.Confidence = finding.Proven
	result.Evidence = append(result.Evidence, finding.Figure("read from memory: "+first.Object.Class+" has "+used))
}

// addPermits adds that a semaphore has no permit left, if that was read from the JVM's memory.
func addPermits(f *facts.Facts, x *exhaustion, result *finding.Finding) {
	semaphore := func(s *timeline.Sample) *object.Synchronizer { return f.Objects.AwaitedBy(f.Timeline.History(s)) }
	first := semaphore(x.waiters[0])
	if first == nil || first.Kind != object.Semaphore || first.Left > 0 ||
		slices.ContainsFunc(x.waiters, func(s *timeline.Sample) bool { return semaphore(s) != first }) {
		return
	}
	left := finding.Counted(first.Left, "permit") + " left"
	result.Title = strings.Replace(result.Title, exhaustedSemaphore, exhaustedSemaphore+" ("+left+")", 1)
	result.Confidence = finding.Proven
	result.Evidence = append(result.Evidence, finding.Figure("read from memory: the semaphore has "+left))
}
