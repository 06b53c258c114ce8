package iowait

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// queueAdvice is for threads in I/O of which one may be the consumer of a queue that other threads cannot put into: it
// is in the package of the class that puts. Empty if no thread is known to wait for room there.
func queueAdvice(f *iowaits.Waits, waiters []iowaits.Waiter) string {
	n := 0
	for _, h := range f.Timeline.Alive() {
		n += finding.CountIf(resources.RoomKey(f.Timeline, h.Last()) != "" && f.Timeline.IsUnchanged(h) &&
			slices.ContainsFunc(waiters, func(w iowaits.Waiter) bool { return sharesPackage(h.Last(), w.H.Last()) }))
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Set a timeout on the call: %s %s for room in a queue of the same package, "+
		"which this wait may keep full.", finding.Counted(n, "thread"), finding.Verb(n, "waits", "wait"))
}

// sharesPackage reports whether a thread in I/O is in the package of the program's class in which a producer puts.
func sharesPackage(producer, s *timeline.Sample) bool {
	by := producer.Stack.Op.Caller
	if by == nil || stack.OriginOf(by) != stack.OfApplication || stack.PackageOf(by.Class) == "" {
		return false
	}
	return slices.ContainsFunc(s.Stack.Program(), func(f *threaddump.Frame) bool {
		return stack.PackageOf(f.Class) == stack.PackageOf(by.Class)
	})
}
