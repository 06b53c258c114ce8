package samecall

import (
	"fmt"

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

const advice = "Set a timeout on this call. Check the thread, lock or server that it waits for."
