package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// suspended reports that a thread is stopped from outside, by Thread.suspend (up to JDK
// 19) or a debugger: the dumps show it runnable at one place in Java code for a second
// and more, where it uses no CPU and wants none, but sleeps in the kernel.
func (f *timeline) suspended(s *Sample) bool {
	if s == nil || s.wait != running || len(s.Stack.Frames) == 0 || s.Stack.Frames[0].Native {
		return false
	}
	h := f.history(s)
	stands := f.standingStill(h)
	if !stands.long() || !stands.wall.Known || stands.wall.Value < stuckFor || !h.cpu.Known {
		return false
	}
	task := f.last().tasks[s.Thread.NativeID]
	return task.State == "S" && (task.WaitChannel == "" || strings.Contains(task.WaitChannel, "futex"))
}

// tellSuspended says of an owner that is suspended what keeps it.
func (f *facts) tellSuspended(result *Finding, owner *Sample) {
	name := owner.Thread.called()
	result.Title = strings.TrimSuffix(result.Title, f.phrase(owner)) + "stands still, suspended from outside"
	result.Advice = "A debugger or Thread.suspend has stopped " + name + ": let it go on. A suspended thread keeps its locks: " +
		"let threads stop themselves where they hold none."
	result.Evidence = slices.Insert(result.Evidence, 0, figure(fmt.Sprintf("%s is in Java code, used no CPU and sleeps in the kernel (%s)",
		name, orUnknownChannel(f.last().tasks[owner.Thread.NativeID].WaitChannel))))
}
