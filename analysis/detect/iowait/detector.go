package iowait

import (
	"cmp"
	"slices"

	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Detector reports threads that stand in I/O while somebody waits for them.
var Detector = detect.Detector{
	Kind:   finding.KindIOWait,
	Doc:    "threads that stand in I/O while somebody waits for them",
	Run:    run,
	Relate: AnswerItself,
}

// run reports threads of the program that stand in I/O and do not get on.
//
// Rule: the same stack in a call that reads, writes, connects, locks a file or
// waits for a child process in all of at least three dumps, for a second and a half
// or more, without CPU. A stack does not tell a request without answer from a
// reader whose peer is silent by design. What does: a write, a connect and a file
// lock wait for somebody else; a read from a connection that this process opened
// waits for an answer, unless it is the thread's whole job to read there, and so
// does one of application code that a library called; a read from a connection that
// was accepted waits for the next request; a job whose result others wait for is
// late (so is one that waits to be connected to), and so is the answer that a library
// waits for while a thread of its own does the I/O (rows !reply of idle.tsv); and so is a
// child process that uses no CPU and does not sleep for a time of its own, if somebody waits
// for the thread to end that waits for it, or if it waits for the JVM to read its output, be
// it that all children do while a thread reads from one of them (it is the errors then that nobody
// reads); and so is one that waits for input, if its output is read in the midst of work. If it does sleep
// so, the results that others than main want are late all the same; and so is the answer to a
// connection to a port of this very JVM at which connections wait and nobody accepts.
// What none of these tells is a hint, and so is a read with a time limit, whoever waits for it:
// it ends by itself, and a long poll looks the same.
func run(f *facts.Facts) []finding.Candidate {
	found, told := emptyPipes(f)
	stuck, unsure := []iowaits.Waiter{}, []iowaits.Waiter{}
	all := slices.Clone(f.IOWaiters())
	markEnding(f.Timeline, all)
	found = append(found, outlivedPipes(f.Pools, all, told)...)
	for _, w := range all {
		switch {
		case told[w.H.Last()]:
		case w.Stuck():
			stuck = append(stuck, w)
		case w.Side != iowaits.SideRequest:
			unsure = append(unsure, w)
		}
	}
	for _, group := range bySide(f.Waits, stuck) {
		found = append(found, ofSide(f, group))
	}
	if len(unsure) > 0 {
		found = append(found, ioFinding(f.Waits, ioGroup{waiters: unsure}, finding.Info, finding.Possible))
	}
	return slices.Concat(found, stuckSubtasks(f.Timeline), stuckVirtual(f.Timeline))
}

func ioFinding(f *iowaits.Waits, group ioGroup, severity finding.Severity,
	confidence finding.Confidence) finding.Candidate {
	waiters := group.waiters
	slices.SortStableFunc(waiters, func(a, b iowaits.Waiter) int {
		return cmp.Or(cmp.Compare(a.H.Thread.Name, b.H.Thread.Name), cmp.Compare(a.H.Thread.ID, b.H.Thread.ID))
	})
	behind := behindIO(f, waiters)
	behind = append(behind, timeline.Without(group.asking, behind)...)
	result := finding.Finding{
		Severity: severity, Confidence: confidence,
		Title:  ioTitle(f.Pools, waiters, len(behind)),
		Advice: iowaits.IOAdvice(waiters, len(behind), severity), Victims: f.Refs(behind),
	}
	for _, w := range waiters {
		result.Culprits = append(result.Culprits, f.Ref(w.H.Last()))
	}
	const shown = 3
	for _, w := range waiters[:min(shown, len(waiters))] {
		result.Evidence = append(result.Evidence, f.PlaceEvidence(w.H)...)
		if task := f.Last().Tasks[w.H.Thread.NativeID]; task.WaitChannel != "" {
			result.Evidence = append(result.Evidence, kernelWait(w.H.Thread.Called(), task))
		}
	}
	c := finding.Candidate{Finding: result, Behind: result.ExplainsSaturation()}
	if severity != finding.Info && !slices.ContainsFunc(waiters, func(w iowaits.Waiter) bool {
		return w.Op != stack.OpProcess || !w.Children.WantReading
	}) {
		waiting := finding.NewBlame(&result).Culprits
		c.Behind = func(effect *finding.Finding) bool { // the child waits for its parent, whatever that is to others
			return effect.Kind == finding.KindExecutorSaturated && finding.AllAmong(effect.Culprits, waiting)
		}
	}
	return c
}

// markEnding finds the reads that end by themselves, whoever waits for them: a time limit bounds
// that too.
func markEnding(f *timeline.Timeline, all []iowaits.Waiter) {
	for i, w := range all {
		all[i].Ends = iowaits.ReadEnds(f, w.H)
	}
}
