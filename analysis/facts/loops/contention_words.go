package loops

import (
	"jstall/analysis/facts/locks"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// WaitersWords words those who wait: how many, or who it is where others depend on one
// that stands alone.
func (f *Loops) WaitersWords(q *locks.Queue) string {
	n := timeline.SizeOf(q.Waiters)
	if n == 1 && q.At == len(f.Snaps)-1 {
		for _, l := range f.Serving() {
			if l.Last() == q.Waiters[0] && l.Kind == stack.RootEvents && !l.Only {
				return l.Thread.Called() + ", which " + l.Serves + ", waits"
			}
		}
	}
	return finding.Counted(n, "thread") + finding.Verb(n, " waits", " wait")
}
