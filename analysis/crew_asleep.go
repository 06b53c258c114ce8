package analysis

import (
	"fmt"
	"maps"
	"slices"
)

// crewsAsleep reports threads of the program's own making that run jobs, and all sleep in one, while more threads
// than they are wait for what only they bring: some of these jobs have not begun.
//
// Rule: all threads that were started with one method, two at least, sleep in a job in all dumps, without being woken
// at all, and by the class files have yet to give what they bring in that job. More others stand without end over the whole look in a wait for a result, or in one behind
// which they take nothing for themselves, as in a promise of the program's own; and by the class files no other
// thread may end any, and nothing that was handed to others.
//
// From: own workers over a list of tasks that wait as long as an answer bids them before they try again.
func (f *facts) crewsAsleep() []candidate {
	var found []candidate
	for _, callers := range f.wantAnswers() {
		for _, crew := range f.startedTogether() {
			if len(callers) > len(crew) && f.sleepsInJobs(crew, callers[0]) && f.onlyCrewAnswers(crew, callers[0]) {
				found = append(found, f.crewAsleep(crew, callers))
			}
		}
	}
	return found
}

func (f *facts) crewAsleep(crew []*history, callers []*Sample) candidate {
	p := &pool{busy: crew}
	return candidate{Finding: Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("each of the %d threads started with %s sleeps in a job while %s threads wait for what only they bring",
			len(crew), shortName(crew[0].startedWith().Name()), Thousands(len(callers))),
		Advice:   f.saturatedAdvice(p, true),
		Culprits: f.refs(inNameOrder(lastSamples(crew))), Victims: f.refs(inNameOrder(callers)),
		Evidence: f.saturatedEvidence(p, nil),
	}}
}

// bringers are threads of which the same holds of each alone, while two others or more wait.
func (f *facts) bringers() []loop {
	var found []loop
	for _, callers := range f.wantAnswers() {
		if len(callers) < 2 {
			continue
		}
		for _, h := range f.alive() {
			if one := []*history{h}; h.startedWith() != nil && h.thread.Name != "main" && f.sleepsInJobs(one, callers[0]) && f.onlyCrewAnswers(one, callers[0]) {
				found = append(found, loop{history: h, kind: rootEvents, serves: "alone brings what others wait for", waiting: callers})
			}
		}
	}
	return found
}

// sleepsInJobs reports that each of some threads sleeps in a job over the whole look, before it gives there what a
// caller waits for.
func (f *facts) sleepsInJobs(crew []*history, caller *Sample) bool {
	return !slices.ContainsFunc(crew, func(h *history) bool {
		owes := map[string]bool{}
		f.noteGiven(h.last(), owes)
		return h.last().Stack.op.kind != opSleep || !h.inJob() || f.sleptThrough(h) < len(h.samples)-1 || !owes[signalWords[caller.Stack.op.kind]]
	})
}

// wantAnswers are those that wait without end over the whole look for a result, or for a signal behind which they
// take nothing, together by what may give it; none where the class files do not tell of all that may.
func (f *facts) wantAnswers() [][]*Sample {
	if !f.lasts() || !f.signalsLeft().known {
		return nil
	}
	byWord := map[string][]*Sample{}
	for _, h := range f.alive() {
		st, s := f.standingStill(h), h.last()
		if f.wantsAnswer(s) && s.Stack.op.kind != opBarrier && h.thread.program() && s.wantsSignal() && st.untimed() && st.dumps == len(f.snaps) {
			byWord[likelySignal(s)] = append(byWord[likelySignal(s)], s)
		}
	}
	maps.DeleteFunc(byWord, func(_ string, callers []*Sample) bool { return waitForOne(callers) })
	var groups [][]*Sample
	for _, word := range slices.Sorted(maps.Keys(byWord)) {
		groups = append(groups, byWord[word])
	}
	return groups
}

// waitForOne reports that several wait for notifies at one object, or that the dumps do not tell at which: as those do who
// want to know of a change.
func waitForOne(callers []*Sample) bool {
	objects := map[uint64]bool{}
	for _, s := range callers {
		l := s.waitsOn()
		switch {
		case s.Stack.op.kind == opResult || s.Stack.op.kind == opPark:
			return false
		case l != nil && l.address != 0:
			objects[l.address] = true
		}
	}
	return len(objects) < 2
}
