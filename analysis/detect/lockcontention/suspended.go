package lockcontention

import (
	"slices"
	"strings"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// suspended reports that a thread is stopped from outside, by Thread.suspend (up to JDK
// 19) or a debugger: the dumps show it runnable at one place in Java code for a second
// and more, where it uses no CPU and wants none, but sleeps in the kernel.
func suspended(f *timeline.Timeline, s *timeline.Sample) bool {
	if s == nil || s.Wait != stack.Running || len(s.Stack.Frames) == 0 || s.Stack.Frames[0].Native {
		return false
	}
	h := f.History(s)
	stands := f.StandingStill(h)
	if !stands.Long() || !stands.Wall.Known || stands.Wall.Value < locks.StuckFor || !h.CPU.Known {
		return false
	}
	task := f.Last().Tasks[s.Thread.NativeID]
	return task.State == "S" && (task.WaitChannel == "" || strings.Contains(task.WaitChannel, "futex"))
}

// tellSuspended says of an owner that is suspended what keeps it.
func tellSuspended(f *facts.Facts, result *finding.Finding, owner *timeline.Sample) {
	name := owner.Thread.Called()
	result.Title = strings.TrimSuffix(result.Title, f.Phrase(owner)) + suspendedWords
	result.Advice = suspendedAdvice(name)
	channel := f.Last().Tasks[owner.Thread.NativeID].WaitChannel
	result.Evidence = slices.Insert(result.Evidence, 0, suspendedEvidence(name, channel))
}
