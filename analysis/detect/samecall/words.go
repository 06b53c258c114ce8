package samecall

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// title describes threads that wait in one call, with their pool if all are from one.
func (g *sameCall) title() string {
	n := len(g.members)
	who := finding.Counted(n, "thread")
	switch {
	case g.of > 0 && g.pool == "" && g.members[0].Thread.Name == "" && n > 1:
		who += " without a name"
	case g.of > 0 && g.pool == "":
		who = timeline.QuoteThreads(g.members)
	case g.of > 0:
		who = fmt.Sprintf("%s of %s threads %s", finding.Thousands(n), finding.Thousands(g.of),
			finding.QuoteName(g.pool))
	}
	return who + finding.Verb(n, " waits", " wait") + " in " + g.call.Name()
}

// advice is what to do about the threads. A client that waits for the answer to a request may have its time limit in
// the request, which no stack shows.
func (g *sameCall) advice() string {
	const check = "Check the thread, lock or server that it waits for."
	all := func(is func(*timeline.Sample) bool) bool {
		return !slices.ContainsFunc(g.members, func(s *timeline.Sample) bool { return !is(s) })
	}
	switch {
	case all((*timeline.Sample).Timed):
		return check
	case all((*timeline.Sample).AsksByLibrary):
		return "Check the server that should answer. Set a timeout on the request, if it has none."
	}
	return "Set a timeout on this call. " + check
}
