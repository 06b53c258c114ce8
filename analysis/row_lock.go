package analysis

import "slices"

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

// waitedForRow reports that the thread waited for such an end itself in the look.
func waitedForRow(h *history) bool {
	return slices.ContainsFunc(h.samples, func(s *Sample) bool { return rowKey(s) != "" })
}
