package analysis

import (
	"fmt"
	"maps"
	"slices"

	"jstall/threaddump"
)

// homemadeDeadlocks reports threads that run jobs of the program's own, and all wait for
// other such jobs, which only they could run.
//
// Rule: all threads that were started with one method stand in one wait without end, each at
// an object of its own, in a method of a class that is further down on the same stack in
// another method, by way of code of another class: it runs one job, and there waits for
// another. No other thread is in that class, has work, or is told anything from outside or in
// time. Workers that wait for their next job have begun none.
//
// From: a crew of threads over a list of jobs with wait and notify, whose jobs hand in others.
func (f *facts) homemadeDeadlocks() []candidate {
	var found []candidate
	for _, crew := range f.crews() {
		if f.waitsForOwnJobs(crew) {
			found = append(found, f.homemadeDeadlock(crew))
		}
	}
	return found
}

// crews are the threads of the program that belong to no known loop, by the method that they
// were started with, where one of these waits in a job.
func (f *facts) crews() [][]*history {
	byStart := map[string][]*history{}
	for _, h := range f.alive() {
		if start := h.startedWith(); start != nil && h.last().Stack.jobInJob() != "" {
			byStart[start.Name()] = nil
		}
	}
	if len(byStart) == 0 {
		return nil
	}
	for _, h := range f.alive() {
		start := h.startedWith()
		if start == nil {
			continue
		}
		if crew, is := byStart[start.Name()]; is {
			byStart[start.Name()] = append(crew, h)
		}
	}
	var crews [][]*history
	for _, start := range slices.Sorted(maps.Keys(byStart)) {
		crews = append(crews, byStart[start])
	}
	return crews
}

// startedWith is the outermost frame of the program on the stack of a thread of its own that
// no known loop runs, nil for all others.
func (h *history) startedWith() *threaddump.Frame {
	s := h.last().Stack
	if own := s.program(); h.thread.program() && len(own) > 0 && s.root == nil {
		return own[len(own)-1]
	}
	return nil
}

func (f *facts) waitsForOwnJobs(crew []*history) bool {
	job := crew[0].last().Stack.jobInJob()
	if job == "" || !f.lasts() || !f.last().provesAll() {
		return false
	}
	var g gathering
	awaited := map[string]bool{}
	for _, h := range crew {
		st := f.standingStill(h)
		if h.last().Stack.jobInJob() != job || st.dumps < len(f.snaps) || !st.untimed() || awaited[h.last().object()] {
			return false
		}
		awaited[h.last().object()] = true
		g.waiters = append(g.waiters, st)
	}
	w := f.worldOf([]gathering{g})
	return !w.acts && !w.outside && !w.pending && !slices.ContainsFunc(f.alive(), func(h *history) bool {
		return !slices.Contains(crew, h) && h.last().Stack.runsJob(job)
	})
}

// runsJob reports that a stack is in a class other than to wait there.
func (s *Stack) runsJob(job string) bool {
	return (s.op.caller == nil || s.op.caller.Class != job) && slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool { return f.Class == job })
}

// jobInJob is the class in a method of which a stack waits for a notify or at a condition, if
// it came there from another method of that class by way of another one's code; else empty.
func (s *Stack) jobInJob() string {
	if s.op.kind != opNotify && s.op.kind != opCondition || s.op.caller == nil || s.op.caller != s.Application {
		return ""
	}
	left := false
	for _, f := range s.program() {
		switch {
		case f.Class != s.op.caller.Class:
			left = true
		case left && f.Method != s.op.caller.Method:
			return f.Class
		}
	}
	return ""
}

func (f *facts) homemadeDeadlock(crew []*history) candidate {
	first := crew[0].last().Stack
	who := "the only thread"
	if n := len(crew); n > 1 {
		who = allOf(n, "thread")
	}
	return candidate{Finding: Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("%s started with %s %s in a %s for another one, which only %s able to run",
			who, shortName(crew[0].startedWith().Name()), verb(len(crew), "waits", "wait"), shortClass(first.op.caller), verb(len(crew), "it seems", "they seem")),
		Advice:   "Do not wait inside of a job for another that the same threads are to run: chain them, or give the inner ones threads of their own.",
		Culprits: f.refs(inNameOrder(lastSamples(crew))), Evidence: f.poolDeadlockEvidence(crew),
	}}
}
