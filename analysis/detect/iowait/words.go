package iowait

import (
	"fmt"
	"slices"

	"jstall/analysis/facts"
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

func ioTitle(f *pools.Pools, waiters []iowaits.Waiter, behind int) string {
	text := iowaits.WaitersWords(f, waiters) + " " + iowaits.WaitsWords(waiters)
	if wall := f.Wall(); wall.Known {
		text += ", unchanged for " + finding.Seconds(wall.Value)
	}
	if behind > 0 {
		text += "; " + waitFor(finding.Counted(behind, "thread"), behind, finding.Verb(len(waiters), "it", "them"))
	}
	return text
}

// waitFor is "3 threads wait for WHAT".
func waitFor(who string, n int, what string) string {
	return who + finding.Verb(n, " waits for ", " wait for ") + what
}

// kernelWait is what a thread in I/O waits for in the kernel.
func kernelWait(name string, t timeline.Task) finding.Evidence {
	return finding.Figure(fmt.Sprintf("%s sleeps in the kernel's %s%s", name, t.WaitChannel, onFile(t)))
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

// handlersTitle words threads that serve requests and wait, while others of this JVM ask for their answers.
func handlersTitle(view *facts.Facts, handlers []*timeline.Sample, asking int) string {
	who := handlers[0].Thread.Called() + ", which serves a request, " + view.Phrase(handlers[0])
	if n := timeline.SizeOf(handlers); n > 1 {
		who = finding.Thousands(n) + " threads that serve requests do not move: " + view.Doing(handlers)
	}
	return who + "; " + waitFor(finding.Counted(asking, "thread")+" of this JVM", asking, "an answer")
}

const handlersAdvice = "Set a timeout on the call that the requests wait for."

// pipeTitle words a reader of a pipe between threads, and who writes to it by its class.
func pipeTitle(f *facts.Facts, reader *timeline.Sample, writers []*timeline.Sample) string {
	return reader.Thread.Called() + " waits to read from a pipe of this JVM; by " +
		finding.Verb(len(writers), "its class ", "their class ") + timeline.QuoteThreads(writers) +
		finding.Verb(len(writers), " writes", " write") + " to it, and " + f.Doing(writers)
}

const pipeAdvice = "Check whether the writer still has data to write. Ignore this if the reader waits for events."

func outlivedTitle(readers []*timeline.Sample) string {
	return waitFor(timeline.QuoteThreads(readers), len(readers), "the end of a child process's output; ") +
		"the child has ended, but a process that it started keeps the pipe open"
}

func subtasksTitle(f *timeline.Timeline, subtasks, owners []*timeline.Sample) string {
	n, kind := timeline.SizeOf(subtasks), subtasks[0].Stack.Op.Kind
	who := fmt.Sprintf("%s subtasks wait", finding.Thousands(n))
	if n == 1 {
		who = subtasks[0].Thread.Called() + " waits"
	}
	what := kind.IOWords()
	if slices.ContainsFunc(subtasks, func(s *timeline.Sample) bool { return s.Stack.Op.Kind != kind }) {
		what = "for I/O"
	}
	return who + " " + what + "; " + waitFor(timeline.QuoteThreads(timeline.InNameOrder(owners)), len(owners),
		finding.Verb(len(owners), "its scope", "their scopes")+" to end")
}

const subtasksAdvice = "Check the other end of the connection. Set a timeout on the call or on the scope."

func virtualIOTitle(f *timeline.Timeline, tasks []*timeline.Sample, waiter *timeline.Sample, peer string) string {
	kind, n := tasks[0].Stack.Op.Kind, timeline.SizeOf(tasks)
	what, call := kind.IOWords(), tasks[0].LibraryCall()
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
	return fmt.Sprintf("%s %s %s, unchanged for %s; %s waits for %s to end", finding.Counted(n, "virtual thread"),
		finding.Verb(n, "waits", "wait"), what, finding.Seconds(f.Wall().Value), waiter.Thread.Called(),
		finding.Verb(n, "it", "them"))
}

const virtualIOAdvice = "Check the other end of the connection. Set a timeout on the call."
