package iowait

import (
	"fmt"
	"slices"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

func ioTitle(f *pools.Pools, waiters []iowaits.Waiter, behind int) string {
	text := iowaits.WaitersWords(f, waiters) + " " + iowaits.WaitsWords(waiters)
	if wall := f.Wall(); wall.Known {
		text += ", the same for " + finding.Seconds(wall.Value)
	}
	if behind > 0 {
		text += ", while " + finding.Counted(behind, "thread") + finding.Verb(behind, " waits", " wait") + " for " +
			finding.Verb(len(waiters), "it", "them")
	}
	return text
}

func onFile(t timeline.Task) string {
	switch {
	case iowaits.NamedPipe(t) != "":
		return ", on " + iowaits.NamedPipe(t)
	case t.Peer != "":
		return ", on the connection to " + t.Peer
	case t.File != "":
		return ", on a " + t.File
	}
	return ""
}

func subtasksTitle(f *timeline.Timeline, subtasks, owners []*timeline.Sample) string {
	n, kind := timeline.SizeOf(subtasks), subtasks[0].Stack.Op.Kind
	who := fmt.Sprintf("%s subtasks wait", finding.Thousands(n))
	if n == 1 {
		who = subtasks[0].Thread.Called() + " waits"
	}
	what := iowaits.OperationWords(kind)
	if slices.ContainsFunc(subtasks, func(s *timeline.Sample) bool { return s.Stack.Op.Kind != kind }) {
		what = "for I/O"
	}
	return fmt.Sprintf("%s %s, while %s for %s to end", who, what,
		timeline.QuoteThreads(timeline.InNameOrder(owners))+
			finding.Verb(len(owners), " waits", " wait"), finding.Verb(len(owners), "its scope", "their scopes"))
}

func virtualIOTitle(f *timeline.Timeline, tasks []*timeline.Sample, waiter *timeline.Sample, peer string) string {
	kind, n := tasks[0].Stack.Op.Kind, timeline.SizeOf(tasks)
	what, call := iowaits.OperationWords(kind), tasks[0].LibraryCall()
	switch {
	case call != "" && !slices.ContainsFunc(tasks, func(s *timeline.Sample) bool { return s.LibraryCall() != call }):
		what = "for the answer to " + call
	case slices.ContainsFunc(tasks, func(s *timeline.Sample) bool { return s.Stack.Op.Kind != kind }):
		what = "for I/O"
	case peer != "" && kind == stack.OpRead:
		what += " from " + peer
	case peer != "":
		what += " to " + peer
	}
	return fmt.Sprintf("%s %s %s, the same for %s, while %s waits for %s to end", finding.Counted(n, "virtual thread"),
		finding.Verb(n, "waits", "wait"),
		what, finding.Seconds(f.Wall().Value), waiter.Thread.Called(), finding.Verb(n, "it", "them"))
}
