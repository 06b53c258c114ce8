package spin

import (
	"fmt"
	"time"

	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

func spinTitle(group []cpu.Spinner) string {
	asks := stack.ShortName(group[0].Asks)
	if len(group) > 1 {
		sum := 0.0
		for _, s := range group {
			sum += s.H.Share().Value
		}
		return fmt.Sprintf("%s threads use %s and only poll, in %s", finding.Thousands(len(group)),
			finding.CoresUsed(sum), asks)
	}
	h := group[0].H
	name, share := h.Thread.Called(), h.Share().Value
	switch {
	case cpu.Selects(group[0].Sample.Stack):
		return name + " uses " + finding.CoresUsed(share) + " in a selector that always returns at once"
	case group[0].Sample.Stack.UpdatesMapInUpdate():
		return name + " loops in " + asks + ", called from within an update of a map"
	case share < cpu.SpinWanted:
		return fmt.Sprintf("%s needs a core (ran %s, waited for a CPU %s) and only polls, in %s",
			name, finding.Percent(share), finding.Percent(h.Starved()), asks)
	}
	return fmt.Sprintf("%s uses %s and only polls, in %s", name, finding.CoresUsed(share), asks)
}

func spinAdvice(f *timeline.Timeline, group []cpu.Spinner) string {
	switch s := group[0].Sample.Stack; {
	case s.UpdatesMapInUpdate():
		return "Do the inner update before or after the outer one: before JDK 9 an update of a ConcurrentHashMap " +
			"inside an update of the same map never ends (JDK-8062841)."
	case cpu.Selects(s):
		return "Check the keys of the selector: an event that is not handled, a closed connection that is not " +
			"cancelled " +
			"or a write interest that is never removed keeps it ready."
	}
	advice := "Block instead of polling (lock, condition, blocking queue), or find out why what it polls for never " +
		"comes."
	if len(group) > 1 && cpu.MayTryLocks(group[0]) && !tellsOwners(f) {
		advice += " If these threads try locks, capture again with --locks always to see what each of them holds."
	}
	return advice
}

const (
	livelock       = ", and each of them holds a lock (livelock)"
	livelockAdvice = "Take these locks in one order everywhere, or release the held lock before trying again, " +
		"after a pause of random length."
)

// ownerWords tells of a thread that by its frames has what others poll for.
func ownerWords(owner *timeline.Sample) string {
	return fmt.Sprintf("; %s holds it by its frames, and %s", owner.Thread.Called(), resources.Phrase(owner))
}

// pollTitle words threads that poll with pauses, and who waits for them.
func pollTitle(who string, threads int, pause, how string, asking int) string {
	title := fmt.Sprintf("%s %s in a loop with %s, %s", who, finding.Verb(threads, "polls", "poll"), pause, how)
	if asking > 0 {
		title += fmt.Sprintf("; %s %s for %s", finding.Counted(asking, "thread"), finding.Verb(asking, "waits", "wait"),
			finding.Verb(threads, "it", "them"))
	}
	return title
}

const pollAdvice = "Replace the polling by a signal (condition, latch, unpark), or pause for longer. " +
	"If what it polls for never comes, check the code that should bring it."

func pollCost(threads int, cores float64) string {
	return "and " + finding.Verb(threads, "uses ", "use ") + finding.CoresUsed(cores) + " for it"
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
