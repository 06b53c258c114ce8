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

// consumersWords completes a title by who should take from the queue.
func consumersWords(f *facts.Facts, consumers []*timeline.Sample) string {
	switch len(consumers) {
	case 0:
		return "; consumer unknown: no thread is seen to take from it"
	case 1:
		return "; its consumer " + timeline.QuoteThreads(consumers) + " " + f.Phrase(consumers[0])
	}
	return "; its consumers are " + timeline.QuoteThreads(consumers) + f.EachOf(consumers)
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

const (
	slowAdvice     = "Find why the consumer is slow. A larger queue does not help."
	consumerAdvice = "Search the log for an error of the thread that takes from this queue: it has " +
		"ended or is blocked. " +
		"Set a time limit on adding (offer with a timeout). A larger queue only fills later."
	brokerAdvice = "Check the consumers of the destination and the memory and disk limits of the broker. " +
		"Set a send timeout."
	kafkaAdvice = "Check the connection to the Kafka brokers. A larger buffer.memory only fills later."
)

func slowTitle(f *facts.Facts, producers, consumers []*timeline.Sample) string {
	return fmt.Sprintf("%s wait for %s most of the time%s", finding.Counted(len(producers), "thread"),
		resources.Room(producers[0].Stack), consumersWords(f, consumers))
}

// turnsEvidence tells how seldom a producer ran.
func turnsEvidence(name string, turns int) finding.Evidence {
	return finding.Figure(fmt.Sprintf("space comes slowly: %s ran %s over the capture", name,
		finding.Counted(turns, "time")))
}
