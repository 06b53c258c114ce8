package queuefull

import (
	"fmt"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

func fullTitle(producers []*timeline.Sample) string {
	into := resources.Room(producers[0].Stack)
	if resources.WaitsForRoomInLibrary(producers[0]) {
		into = library(producers[0]).room
	}
	if len(producers) == 1 {
		return producers[0].Thread.Called() + " waits for " + into
	}
	return fmt.Sprintf("%s wait for %s", finding.Counted(len(producers), "thread"), into)
}

// consumersWords completes a title with the threads that should take from the queue.
func consumersWords(f *facts.Facts, consumers []*timeline.Sample) string {
	switch len(consumers) {
	case 0:
		return "; consumer unknown: no thread is seen to take from it"
	case 1:
		return "; its consumer " + timeline.QuoteThreads(consumers) + " " + f.Phrase(consumers[0])
	}
	return "; its consumers are " + timeline.QuoteThreads(consumers) + f.EachOf(consumers)
}

const (
	slowAdvice     = "Find why the consumer is slow. A larger queue does not help."
	consumerAdvice = "Search the log for an error of the thread that takes from this queue: it has " +
		"ended or is blocked. " +
		"Add with a timeout (offer instead of put). A larger queue only fills later."
	brokerAdvice = "Check the consumers of the destination and the memory and disk limits of the broker. " +
		"Set a send timeout."
	ringAdvice = "Check the thread that handles the events of the ring: it has ended, waits, or is slow. " +
		"A larger ring only fills later."
	kafkaAdvice = "Check the connection to the Kafka brokers. A larger buffer.memory only fills later."
)
