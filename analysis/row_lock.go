package analysis

import (
	"slices"

	"jstall/threaddump"
)

// rowKey groups threads that wait for the end of a transaction in a database inside the
// JVM: rows !row of idle.tsv.
func rowKey(s *Sample) string {
	if p := s.position(); p == nil || !p.not || p.what != "row" || s.Stack.Application == nil {
		return ""
	}
	return s.Stack.op.caller.Class + " " + s.object()
}

// rowContention reports threads that wait over the look for the end of a transaction
// which has a row or a table: no monitor tells whose it is, as its thread has gone on to
// do something else. Whoever has been where they are seems to have it.
func (f *facts) rowContention() []candidate {
	var found []candidate
	for _, g := range f.gather(rowKey) {
		waiters := g.samples()
		n := len(waiters)
		finding := Finding{
			Severity: Warning, Confidence: Likely,
			Title:   Counted(n, "thread") + verb(n, " waits", " wait") + " for the end of a transaction that has a row or a table of the database",
			Advice:  "Find the transaction that is left open: commit it before anything slow is done, and give statements a time limit.",
			Victims: f.refs(waiters), Resource: atResource("transaction", waiters[0]), Evidence: f.waitEvidence(len(f.snaps)-1, waiters),
		}
		if len(f.snaps) < 2 {
			finding.Severity, finding.Confidence = Info, Possible
		}
		holders, why := f.likelyHolders(len(f.snaps)-1, waiters)
		if only := f.onlyInHouse(waiters); why == noSuspicion && only != nil {
			holders, why = []*Sample{only}, sameClass
		}
		if why != noSuspicion && slices.ContainsFunc(holders, func(s *Sample) bool { return waitedForRow(f.history(s)) }) {
			finding.Severity, finding.Confidence = Info, Possible // it goes round
		}
		if why == noSuspicion {
			finding.Culprits, finding.Victims = finding.Victims, nil
		} else {
			finding.Culprits = f.refs(holders)
			finding.Title += "; " + seemsOf(holders) + " to have it open while " + f.doing(holders)
			finding.Evidence = append(f.standEvidence(len(f.snaps)-1, holders), finding.Evidence...)
		}
		found = append(found, candidate{Finding: finding})
	}
	return found
}

// onlyInHouse is the one other thread that stands throughout in the top-level class of the
// waiters, in the middle of something: its transaction leaves nothing on its stack, so that a
// second one in that class, wherever it stands, leaves it open. One that waits for others
// to end is none. Nil if there is no such thread, or not one alone.
func (f *facts) onlyInHouse(waiters []*Sample) *Sample {
	if f.last().mayLack() {
		return nil
	}
	at, asking := len(f.snaps)-1, stacksOf(waiters)
	var only *Sample
	for i := range f.last().samples {
		s := &f.last().samples[i]
		kind := s.Stack.op.kind
		if !mayHold(s) || kind == opJoin || kind == opTermination || kind == opResult || kind == opLatch || pausesInMain(s.Stack) || f.ticks(at, s) || slices.Contains(waiters, s) ||
			!slices.ContainsFunc(asking, func(w *Stack) bool { return w.isAtHouseOf(s.Stack) }) {
			continue
		}
		if only != nil {
			return nil
		}
		only = s
	}
	if only == nil || len(inner(only.Stack.program())) == 0 || !f.stoodThroughout([]*Sample{only}) {
		return nil
	}
	return only
}

// isAtHouseOf reports that a thread was started in the top-level class that the stack is in,
// or has come there.
func (w *Stack) isAtHouseOf(other *Stack) bool {
	mine := inner(w.program())
	return slices.ContainsFunc(other.program(), func(f *threaddump.Frame) bool {
		return slices.ContainsFunc(mine, func(m *threaddump.Frame) bool { return outermost(m.Class) == outermost(f.Class) })
	})
}

// waitedForRow reports that the thread waited for such an end itself in the look.
func waitedForRow(h *history) bool {
	return slices.ContainsFunc(h.samples, func(s *Sample) bool { return rowKey(s) != "" })
}
