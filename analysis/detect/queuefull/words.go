package queuefull

import (
	"fmt"
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/loops"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// consumersWords completes a title by who should take from the queue.
func consumersWords(f *facts.Facts, consumers []*timeline.Sample) string {
	switch len(consumers) {
	case 0:
		return "; consumer unknown"
	case 1:
		return "; its consumer " + timeline.QuoteThreads(consumers) + " " + f.Phrase(consumers[0])
	}
	return "; its consumers are " + timeline.QuoteThreads(consumers) + f.EachOf(consumers)
}

func fullTitle(f *loops.Loops, producers []*timeline.Sample) string {
	into := resources.Room(producers[0].Stack)
	if resources.WaitsForRoomInLibrary(producers[0]) {
		into = library(producers[0]).room
	}
	if len(producers) == 1 {
		return serving(f, producers[0]) + " waits for " + into
	}
	return fmt.Sprintf("%s wait for %s", finding.Counted(len(producers), "thread"), into)
}

// loopOf is the loop over events or tasks that the thread runs, nil if it runs none.
func loopOf(f *loops.Loops, s *timeline.Sample) *loops.Loop {
	singles := f.Serving()
	i := slices.IndexFunc(singles, func(l loops.Loop) bool {
		return l.Last() == s && l.Kind != stack.RootPool && !l.Only
	})
	if i < 0 {
		return nil
	}
	return &singles[i]
}

// serving words a thread, with what it alone does for others where it is such a loop: who
// reads of its wait should know that this has stopped.
func serving(f *loops.Loops, s *timeline.Sample) string {
	if l := loopOf(f, s); l != nil {
		return s.Thread.Called() + ", which " + l.Serves + ","
	}
	return s.Thread.Called()
}
