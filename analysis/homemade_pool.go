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
// Rule: all threads that were started with one method, two at least and none of them main,
// stand in one wait without end, each at an object of its own, in a method of a class that is
// further down on the same stack in another method, by way of code of another class: it runs
// one job, and there waits for another. No other thread is in that class, has work, or is told
// anything from outside or in time. Workers that wait for their next job have begun none.
//
// From: a crew of threads over a list of jobs with wait and notify, whose jobs hand in others.
func (f *facts) homemadeDeadlocks() []candidate {
	var crews []gathering
	for _, crew := range f.crews() {
		if g, ok := f.waitsForOwnJobs(crew); ok {
			crews = append(crews, g)
		}
	}
	if len(crews) == 0 {
		return nil
	}
	w := f.worldOf(crews)
	if w.acts || w.outside || w.accepts || w.pending {
		return nil
	}
	var found []candidate
	run := f.jobsRunBeside(crews)
	for _, g := range crews {
		if !run[g.key] {
			found = append(found, f.homemadeDeadlock(g))
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

// startedWith is what a thread of the program's own that no known loop runs was started with,
// nil for all others.
func (h *history) startedWith() *threaddump.Frame {
	if s := h.last().Stack; h.thread.program() && s.root == nil {
		return s.start()
	}
	return nil
}

// waitsForOwnJobs are the threads of a crew as a gathering, whose key is the class of the jobs,
// if all of them wait for such.
func (f *facts) waitsForOwnJobs(crew []*history) (g gathering, ok bool) {
	g.key = crew[0].last().Stack.jobInJob()
	if len(crew) < 2 || g.key == "" || !f.lasts() || !f.last().provesAll() {
		return g, false
	}
	awaited := map[string]bool{}
	for _, h := range crew {
		st, s := f.standingStill(h), h.last()
		if s.Thread.Name == "main" || s.Stack.jobInJob() != g.key || st.dumps < len(f.snaps) || !st.untimed() || untilTheEnd(s.Stack) || awaited[s.object()] {
			return g, false
		}
		awaited[s.object()] = true
		g.waiters = append(g.waiters, st)
	}
	return g, true
}

// jobsRunBeside are those classes of jobs that threads of no such crew are in, other than to
// wait for one.
func (f *facts) jobsRunBeside(crews []gathering) map[string]bool {
	run, jobs, crewed := map[string]bool{}, map[string]bool{}, map[*history]bool{}
	for _, g := range crews {
		jobs[g.key] = true
		for _, w := range g.waiters {
			crewed[w.history] = true
		}
	}
	for _, h := range f.alive() {
		s := h.last().Stack
		if crewed[h] {
			continue
		}
		for _, frame := range s.program() {
			if jobs[frame.Class] && (s.op.caller == nil || s.op.caller.Class != frame.Class) {
				run[frame.Class] = true
			}
		}
	}
	return run
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

func (f *facts) homemadeDeadlock(g gathering) candidate {
	var crew []*history
	for _, w := range g.waiters {
		crew = append(crew, w.history)
	}
	return candidate{Finding: Finding{
		Severity: Warning, Confidence: Likely,
		Title: fmt.Sprintf("%s started with %s wait in a %s for another one, which only they seem able to run",
			allOf(len(crew), "thread"), shortName(crew[0].startedWith().Name()), shortClass(g.waiters[0].last().Stack.op.caller)),
		Advice:   "Do not wait inside of a job for another that the same threads are to run: chain them, or give the inner ones threads of their own.",
		Culprits: f.refs(inNameOrder(lastSamples(crew))),
		Evidence: f.poolDeadlockEvidence(crew),
	}}
}
