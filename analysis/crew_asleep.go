package analysis

import "fmt"

// crewsAsleep reports threads of the program's own making that run jobs, and all sleep in one, while more threads
// than they are wait for results that only they bring: some of these jobs have not begun.
//
// Rule: all threads that were started with one method, two at least, sleep in a job in all dumps, without being woken
// from one to the next. More others stand in a wait without end for a result over the whole look, and by the class files
// no other thread may bring any, and nothing that was handed to others.
//
// From: own workers over a list of tasks that wait as long as an answer bids them before they try again.
func (f *facts) crewsAsleep() []candidate {
	if !f.lasts() || !f.signalsLeft().known {
		return nil
	}
	var found []candidate
	for _, crew := range f.startedTogether() {
		callers := f.resultCallers()
		if len(callers) <= len(crew) || !f.sleepsInJobs(crew) || !f.onlyCrewAnswers(crew, callers[0]) {
			continue
		}
		p := &pool{busy: crew}
		found = append(found, candidate{Finding: Finding{
			Severity: Warning, Confidence: Likely,
			Title: fmt.Sprintf("each of the %d threads started with %s sleeps in a job while %s threads wait for results that only they bring",
				len(crew), shortName(crew[0].startedWith().Name()), Thousands(len(callers))),
			Advice:   f.saturatedAdvice(p, true),
			Culprits: f.refs(inNameOrder(lastSamples(crew))), Victims: f.refs(inNameOrder(callers)),
			Evidence: f.saturatedEvidence(p, nil),
		}})
	}
	return found
}

// sleepsInJobs reports that each of some threads sleeps in a job in all dumps.
func (f *facts) sleepsInJobs(crew []*history) bool {
	for _, h := range crew {
		if h.last().Stack.op.kind != opSleep || !h.inJob() || !f.sleepsLong(h) {
			return false
		}
	}
	return true
}

// resultCallers are those that wait for a result without end over the whole look.
func (f *facts) resultCallers() []*Sample {
	var callers []*Sample
	for _, h := range f.alive() {
		st, s := f.standingStill(h), h.last()
		if h.thread.program() && s.Stack.op.kind == opResult && s.wantsSignal() && st.untimed() && st.dumps == len(f.snaps) {
			callers = append(callers, s)
		}
	}
	return callers
}
