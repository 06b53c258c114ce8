package analysis

import (
	"fmt"
	"strings"
)

// signalTitle words who waits for what; of a thread on which others depend, what stands
// still with it.
func (f *facts) signalTitle(g gathering) string {
	n := len(g.waiters)
	if g.atOwnConditions() {
		return fmt.Sprintf("%s wait at several conditions of %s, each for what another of them should signal; nobody else is left to",
			Counted(n, "thread"), shortClass(g.waiters[0].last().Stack.op.caller))
	}
	who, meanwhile := Counted(n, "thread"), ""
	for _, l := range f.loops() {
		if n == 1 && l.history == g.waiters[0].history {
			who = l.thread.called() + ", which " + l.serves + ","
			if l.kind == rootPool {
				meanwhile = "; no other task of its scheduler runs meanwhile"
			}
		}
	}
	return fmt.Sprintf("%s %s for %s%s", who, verb(n, "waits", "wait"), f.missingTo(g.waiters[0].last()), meanwhile)
}

// missingTo words what does not come to a thread, and why.
func (f *facts) missingTo(s *Sample) string {
	text := missing(s.Stack)
	if !f.mayBeBrought(s) {
		return text
	}
	what, _, _ := strings.Cut(text, ";")
	return what + "; some code is left to run that may end such waits"
}

// missing words what does not come, and what the other threads would have to do for
// it: they all wait themselves or have nothing to do.
func missing(s *Stack) string {
	op := s.op
	switch op.kind {
	case opLatch:
		return "a latch to open; no other thread is doing anything that could count it down"
	case opBarrier:
		return "another thread at the " + barrierOf(op) + "; none is on its way"
	case opExchange:
		return "a partner at an Exchanger; none is on its way"
	case opResult:
		if s.isInside(juc+"StructuredTaskScope", "join") {
			return "its subtasks to end"
		}
		if s.takesResults() {
			return "the next result of a completion service; no task is on the way to one"
		}
		return "a result; no other thread is working on it"
	case opPermit:
		return "a permit; no other thread is doing anything that could release one"
	case opCondition:
		return "a condition to be signalled; no other thread is doing anything that could signal it"
	case opPark:
		return "an unpark; no other thread is doing anything that could give one"
	}
	return "a notify; no other thread is doing anything that could give one"
}

func signalAdvice(s *Sample) string {
	if s.Stack.takesResults() {
		return "Compare how many results are taken with how many tasks were handed in: one that was rejected or dropped brings none. Take with a time limit (poll)."
	}
	const find = "Find the code that should do it, and why it did not: an exception, a way that leaves it out, a wrong count."
	if s.timed() {
		return find // it does wait with a limit
	}
	return find + " Wait with a time limit."
}

// barrierOf names a barrier: "barrier" for the usual one, "Phaser".
func barrierOf(op operation) string {
	if class := shortClass(op.frame); class != "CyclicBarrier" {
		return class
	}
	return "barrier"
}
