package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// goneParties are the names of threads that seem to have ended while others of their kind
// wait for them at a barrier: a party that throws is waited for ever after.
//
// Rule: those who wait are threads of the program's own, no tasks, and called by one word
// and a number each; the numbers have gaps between the least and the greatest, fewer than
// there are waiters; and nobody of those names is left. (Parties that had their share of
// the work, and left the barrier in good order, look the same.) The names that the JDK
// gives are counted over the whole program, and tell nothing.
func (f *facts) goneParties(g gathering) []string {
	const most = 1000
	if f.last().mayLack() || sizeOf(g.samples()) != len(g.waiters) {
		return nil // some are not shown
	}
	there, prefix := map[int]bool{}, ""
	for i, waiter := range g.waiters {
		s := waiter.last()
		word, n, ok := numbered(s.Thread.Name)
		if !ok || n > most || s.Stack.op.kind != opBarrier || !waiter.untimed() || isTask(s.Stack) || i > 0 && word != prefix {
			return nil
		}
		there[n], prefix = true, word
	}
	if prefix == "Thread-" || prefix == "Timer-" || len(there) < 2 {
		return nil
	}
	numbers := slices.Sorted(maps.Keys(there))
	var gone []string
	for n := numbers[0]; n < numbers[len(numbers)-1]; n++ {
		name := prefix + strconv.Itoa(n)
		if there[n] {
			continue
		}
		if slices.ContainsFunc(f.alive(), func(h *history) bool { return h.thread.Name == name }) {
			return nil
		}
		gone = append(gone, name)
	}
	if len(gone) >= len(there) {
		return nil
	}
	return gone
}

// numbered splits a name into a word and the number that it ends with, which has no
// leading zeros.
func numbered(name string) (word string, number int, ok bool) {
	word = strings.TrimRight(name, "0123456789")
	number, err := strconv.Atoi(name[len(word):])
	return word, number, err == nil && word != "" && word+strconv.Itoa(number) == name
}

// endedParties are the idle workers of an executor whose tasks wait for each other at a
// barrier: a task that throws gives its thread back, and is waited for ever after. They are
// fewer than those who wait.
func (f *facts) endedParties(g gathering) []*Sample {
	f.executors()
	p := g.waiters[0].pool
	if p == nil || p.mixed || len(p.idle) >= len(g.waiters) || f.last().mayLack() {
		return nil
	}
	for _, w := range g.waiters {
		if s := w.last(); w.pool != p || s.Stack.op.kind != opBarrier || !w.untimed() || !isTask(s.Stack) {
			return nil
		}
	}
	var ended []*Sample
	for _, h := range p.idle {
		ended = append(ended, h.last())
	}
	return inNameOrder(ended)
}

// lacksParty reports that a party of the barrier at which some wait seems to have ended. Where
// somebody pauses between two rounds, that may be the party, and a worker have nothing to do.
func (w *world) lacksParty(g gathering) bool {
	return len(w.goneParties(g)) > 0 || !w.rounds && len(w.endedParties(g)) > 0
}

// tellGone adds which party of a barrier is missing among those who wait.
func (f *facts) tellGone(finding *Finding, g gathering) {
	told := ""
	if gone := f.goneParties(g); len(gone) > 0 {
		told = fmt.Sprintf("%s %s not among them any more: an exception may have ended %s",
			quoteNames(gone), verb(len(gone), "is", "are"), verb(len(gone), "it", "them"))
		finding.Advice = "Look in the log for the exception that ended a party, and let it leave the barrier in a finally block (Phaser.arriveAndDeregister, CyclicBarrier.reset). Wait with a time limit."
	} else if ended := f.endedParties(g); len(ended) > 0 {
		told = fmt.Sprintf("%s of the same executor %s nothing to do: an exception may have ended a task that they wait for",
			quoteThreads(ended), verb(len(ended), "has", "have"))
		finding.Advice = "Ask the Future of each task for its exception, which is in no log, and let a party leave the barrier in a finally block (Phaser.arriveAndDeregister, CyclicBarrier.reset). Wait with a time limit."
	}
	if told != "" {
		finding.Evidence = append([]Evidence{figure(told)}, finding.Evidence...)
	}
}
