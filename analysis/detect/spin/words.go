package spin

import (
	"fmt"
	"time"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

func spinAdvice(f *timeline.Timeline, group []cpu.Spinner) string {
	if group[0].Sample.Stack.UpdatesMapInUpdate() {
		return "The function given to an update of the map updates the same map: before JDK 9 that never ends (JDK-8062841). Do the inner update before or after."
	}
	if cpu.Selects(group[0].Sample.Stack) {
		return "Something is always ready: a key whose event is not handled, a closed connection that is not cancelled, or an interest in writing that is never taken back."
	}
	advice := "It burns a core to wait: block instead (lock, condition, blocking queue), or find out why what it waits for never comes."
	if len(group) > 1 && cpu.MayTryLocks(group[0]) && !tellsOwners(f) {
		advice += " If they try locks, look again with --locks always, which tells what each of them holds."
	}
	return advice
}

func spinTitle(group []cpu.Spinner) string {
	asks := stack.ShortName(group[0].Asks)
	if len(group) > 1 {
		sum := 0.0
		for _, s := range group {
			sum += s.H.Share().Value
		}
		return fmt.Sprintf("%s threads take %s and do nothing but ask, in %s", finding.Thousands(len(group)),
			finding.CoresUsed(sum), asks)
	}
	h := group[0].H
	name, share := h.Thread.Called(), h.Share().Value
	switch {
	case cpu.Selects(group[0].Sample.Stack):
		return name + " takes " + finding.CoresUsed(share) + " in a selector that returns at once, always"
	case group[0].Sample.Stack.UpdatesMapInUpdate():
		return name + " goes round in " + asks + ", called from within an update of a map"
	case share < cpu.SpinWanted:
		return fmt.Sprintf("%s wants a core (ran %s, waited for a CPU %s) and does nothing but ask, in %s", name,
			finding.Percent(share), finding.Percent(h.Starved()), asks)
	}
	return fmt.Sprintf("%s takes %s and does nothing but ask, in %s", name, finding.CoresUsed(share), asks)
}

// pollFigure tells how often a thread woke up, and for how long.
func pollFigure(f *timeline.Timeline, s *timeline.Sample) string {
	h := f.History(s)
	turns := h.Turns()
	paused := 0
	for _, o := range h.Samples {
		if o.Stack == s.Stack {
			paused++
		}
	}
	dumps := fmt.Sprintf("each of %d dumps", paused)
	if paused < len(h.Samples) {
		dumps = fmt.Sprintf("%d of %d dumps", paused, len(h.Samples))
	}
	return fmt.Sprintf("%s woke up %s times in %s, each time for %s of CPU, and is in the same pause in %s",
		s.Thread.Called(),
		finding.Thousands(int(turns)), finding.Seconds(h.Elapsed.Value), (h.CPU.Value / time.Duration(max(1,
			turns))).Round(time.Microsecond), dumps)
}
