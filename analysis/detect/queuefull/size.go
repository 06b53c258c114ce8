package queuefull

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
)

// addSize adds how full the queue is, if that was read from the JVM's memory: a full queue proves what its producers
// wait for.
func addSize(f *facts.Facts, producers []*timeline.Sample, result *finding.Finding) {
	q := fullQueueOf(f, producers)
	if q == nil {
		return
	}
	result.Confidence = finding.Proven
	words := fmt.Sprintf("read from memory: %d of %d elements in a %s", q.Size, q.Capacity, q.Object.Class)
	result.Evidence = append(result.Evidence, finding.Figure(words))
}

// sizeWords completes a title with how full the queue is, if that was read.
func sizeWords(f *facts.Facts, producers []*timeline.Sample) string {
	if q := fullQueueOf(f, producers); q != nil {
		return fmt.Sprintf(" (queue %d of %d)", q.Size, q.Capacity)
	}
	return ""
}

// fullQueueOf is the queue in whose methods all of some threads wait, if it is full; nil if that is unknown.
func fullQueueOf(f *facts.Facts, producers []*timeline.Sample) *object.Queue {
	q := f.Objects.QueueOf(f.Timeline.History(producers[0]))
	if q == nil || !q.Full() || slices.ContainsFunc(producers, func(s *timeline.Sample) bool {
		return f.Objects.QueueOf(f.Timeline.History(s)) != q
	}) {
		return nil
	}
	return q
}
