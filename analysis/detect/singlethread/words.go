package singlethread

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/loops"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

func blockedTitle(f *facts.Facts, group []loops.Loop, owner *timeline.Sample) string {
	first := group[0]
	does := f.Phrase(first.Last())
	if owner != nil {
		does += fmt.Sprintf(" held by %s, which %s", owner.Thread.Called(), f.Phrase(owner))
	}
	if len(group) > 1 {
		return fmt.Sprintf("%s threads, each of which %s, wait in the same place: each %s",
			finding.Thousands(len(group)), first.Serves, does)
	}
	return fmt.Sprintf("%s, which %s, %s", first.Thread.Called(), first.Serves, does)
}

func loopAdvice(f *iowaits.Waits, l loops.Loop) string {
	switch {
	case l.Last().InLibraryFuture():
		return "Do not wait for a future in the loop: add a listener instead. " +
			"The loop, or another loop that waits for this one, may have to complete that future."
	case l.Last().Stack.Receives:
		return "Set a timeout on the receive, or let a listener of another session get the reply."
	case !l.Only:
		return "Run blocking calls on a worker pool, not on this thread."
	}
	if i := slices.IndexFunc(f.IOWaiters(), func(w iowaits.Waiter) bool { return w.H == l.History }); i >= 0 {
		return iowaits.IOAdvice(f.IOWaiters()[i:i+1], 0, finding.Warning)
	}
	return "Set a timeout on what this thread waits for."
}

func hookTitle(f *facts.Facts, hook *timeline.Sample) string {
	return fmt.Sprintf("the JVM cannot end: the shutdown hook %s %s", hook.Thread.Called(), f.Phrase(hook))
}

const hookAdvice = "Set a timeout on what the hook waits for: the JVM cannot end before the hook does."

func exitTitle(hook *timeline.Sample) string {
	return fmt.Sprintf("the JVM cannot end: the shutdown hook %s calls System.exit, which waits for the end of all "+
		"hooks", hook.Thread.Called())
}

const exitAdvice = "Do not call System.exit in a shutdown hook: return from the hook, or call Runtime.halt."
