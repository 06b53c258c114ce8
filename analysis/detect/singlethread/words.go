package singlethread

import (
	"fmt"
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/loops"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

func loopAdvice(f *iowaits.Waits, l loops.Loop) string {
	if l.Last().InLibraryFuture() {
		return "Do not wait for a future in the loop, which may be the one to complete it or wait for a loop that waits for this one: add a listener, and go on there."
	}
	if l.Last().Stack.Receives {
		return "Set a time limit on the receive, or let a listener of a session of its own get the reply."
	}
	if iowaits.ChildWantsInput(f.Timeline, l.Last()) {
		return iowaits.NoInputAdvice
	}
	if !l.Only {
		return "Run blocking calls on a worker pool, not on this thread."
	}
	if i := slices.IndexFunc(f.IOWaiters(), func(w iowaits.Waiter) bool { return w.H == l.History }); i >= 0 {
		return iowaits.IOAdvice(f.IOWaiters()[i:i+1], 0, finding.Warning)
	}
	return "Look at what it waits for, and give that a time limit."
}

func blockedTitle(f *facts.Facts, group []loops.Loop, owner *timeline.Sample) string {
	first := group[0]
	does := f.Phrase(first.Last())
	if owner != nil {
		does += fmt.Sprintf(" that %s holds while it %s", owner.Thread.Called(), f.Phrase(owner))
	}
	if len(group) > 1 {
		return fmt.Sprintf("%s threads, each of which %s, stand in the same place: each %s",
			finding.Thousands(len(group)), first.Serves, does)
	}
	return fmt.Sprintf("%s, which %s, %s", first.Thread.Called(), first.Serves, does)
}
