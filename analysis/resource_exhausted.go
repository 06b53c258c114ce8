package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// detectExhausted reports permits and pooled objects that several threads wait for.
//
// Rule: at least two threads stand, over several dumps, and wait for one of
//   - a permit of one Semaphore;
//   - an object of a pool, as idle.tsv knows it (rows !pool);
//   - a rate limiter, as idle.tsv knows it (rows !limiter): see rate_limiter.go;
//   - the same method of a program's own, that waits in Object.wait, a condition, a
//     queue or a pause, and whose name says that it hands something out;
//   - an item of a queue or a notify, in a method that others are further down in:
//     these have got theirs, and stand, in input or output if the waiters may be
//     workers between two jobs.
//
// One waiter gives a hint, and so do threads that all wait in the method they were
// started with while nobody is seen to have what they want: a semaphore may be how
// workers are told of work. The culprits are the likely holders (see borrows), or whoever
// has a lock that these wait for in turn; else those few that stand in I/O may have it;
// else nobody gave back, and the waiters are all that can be shown.
//
// From: semaphores as bulkheads, with permits lost and with sleeping holders; pools
// on wait/notify, on a condition, on blocking queues; Hikari, commons-pool and
// HttpClient with connections that are never returned.
func detectExhausted(f *facts) []candidate {
	var found []candidate
	for _, g := range f.gather(resourceKey) {
		if c, ok := f.exhausted(g); ok {
			found = append(found, c)
		}
	}
	for _, g := range f.gather(limiterKey) {
		if c, ok := f.limited(g); ok {
			found = append(found, c)
		}
	}
	for _, g := range f.gather(itemKey) {
		if c, ok := f.withheld(g); ok {
			found = append(found, c)
		}
	}
	return found
}

// resourceKey tells apart what threads wait for, empty where it is no resource.
func resourceKey(s *Sample) string {
	if p := s.position(); p != nil && p.not && p.what == "pool" {
		return "pool " + poolOf(s.Stack)
	}
	if limiterKey(s) != "" || outerLockOf(s) != "" {
		return ""
	}
	op := s.Stack.op
	switch {
	case op.kind == opPermit:
		return "permit " + s.object()
	case !handsOut(s.Stack):
		return ""
	case op.kind == opNotify:
		return "object " + s.object()
	case op.kind == opCondition, op.kind == opTake, op.kind == opPark, op.kind == opSleep:
		return "object " + op.caller.Name()
	}
	return ""
}

// poolOf is the class of a library's pool that a stack waits in.
func poolOf(s *Stack) string {
	if s.op.caller == nil {
		return ""
	}
	return s.op.caller.Class
}

// lendings are how methods are called that lend something out until it is given back,
// handOuts those that may as well let so many through in a time. Words that workers use for
// their next job too (take, next, poll) are none of them.
var (
	lendings = [...]string{"borrow", "lend", "getconnection", "getsession", "openconnection", "opensession"}
	handOuts = [...]string{"acquire", "checkout", "lease", "rent", "obtain", "allocate", "reserve", "claim", "permit", "consumetoken", "taketoken", "gettoken"}
)

// handsOut reports that the method which waits, or its caller, hands something out.
func handsOut(s *Stack) bool { return asksBy(s, lendings[:]) || asksBy(s, handOuts[:]) }

// asksBy reports that the method which waits, or its caller, is called with one of these words.
func asksBy(s *Stack, words []string) bool {
	i := slices.Index(s.Frames, s.op.caller)
	if i < 0 {
		return false
	}
	return slices.ContainsFunc(s.Frames[i:min(i+2, len(s.Frames))], func(f *threaddump.Frame) bool {
		method := strings.ToLower(f.Method)
		return originOf(f) != ofJDK && slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(method, word) })
	})
}

func (f *facts) exhausted(g gathering) (candidate, bool) {
	at, waiters := len(f.snaps)-1, g.samples()
	holders, why := f.likelyHolders(at, waiters)
	holders = slices.DeleteFunc(holders, func(h *Sample) bool { return resourceKey(h) == g.key })
	if !slices.ContainsFunc(holders, func(h *Sample) bool { return f.borrows(h, waiters) }) {
		holders, why = nil, noSuspicion
	}
	if len(waiters) < 2 && why != beyond {
		return candidate{}, false // a signal, as like as not
	}
	severity, confidence := Warning, Likely
	if len(waiters) < 2 || !f.throughLook(g) || len(holders) == 0 && f.mayBePaced(g) || f.beside != nil && f.handedOn(waiters) || len(holders) == 0 && g.ofProgram() && len(busyWaiters(waiters)) == 0 {
		severity, confidence = Info, Possible
	}
	if why == noSuspicion && !strings.HasPrefix(g.key, "p") {
		confidence = Possible
	}
	return f.exhaustion(g, waiters, holders, severity, confidence), true
}

// mayBePaced tells threads that each wait for a time of their own in a method which hands
// something out by its name alone, other than to have it back, and were woken within the look:
// one that lets so many through in a second makes them wait just so.
func (f *facts) mayBePaced(g gathering) bool {
	return strings.HasPrefix(g.key, "object") && !asksBy(g.waiters[0].last().Stack, lendings[:]) && !slices.ContainsFunc(g.waiters, func(w still) bool {
		return w.untimed() || f.neverWoke(w.history)
	})
}

// insideOthersCall are the waiters that have come past where others of them wait: on a later
// line, or in what a library runs for the program within the call that the others wait in. Two
// at least; none if that is said of all.
func insideOthersCall(waiters []*Sample) []*Sample {
	var inside []*Sample
	stacks := stacksOf(waiters)
	for _, s := range waiters {
		if slices.ContainsFunc(stacks, func(w *Stack) bool {
			return w != s.Stack && (w.suspects(s.Stack) == beyond || w.callsBackInto(s.Stack))
		}) {
			inside = append(inside, s)
		}
	}
	if len(inside) < 2 || len(inside) == len(waiters) {
		return nil
	}
	return inside
}

// busyWaiters are the waiters in the middle of something: those that wait in the method they were
// started with have hardly taken one before.
func busyWaiters(waiters []*Sample) []*Sample {
	return slices.DeleteFunc(slices.Clone(waiters), func(s *Sample) bool { return !inTheMiddle(s.Stack) })
}

// callsBackInto reports that another stack has come, through the very call of a library that
// this one waits in, back into the program.
func (w *Stack) callsBackInto(other *Stack) bool {
	mine, i := w.program(), -1
	if len(mine) > 0 && w.op.caller != mine[0] {
		i = slices.Index(other.program(), mine[0])
	}
	return i > 0
}

// handedOn reports that some have only just got what the others wait for: it turns over.
// What Java code lists of virtual threads is so short a look that most of a queue stands in
// it though it moves.
func (f *facts) handedOn(waiters []*Sample) bool {
	return slices.ContainsFunc(f.sharing(len(f.snaps)-1, waiters), func(s *Sample) bool {
		return f.standingStill(f.history(s)).dumps < len(f.snaps)
	})
}

// sharing are the threads that are in a method of those who wait, and wait for nothing of
// the kind: too many to be named, or on a line that does not tell whether they have got theirs.
func (f *facts) sharing(at int, waiters []*Sample) []*Sample {
	var found []*Sample
	asking := stacksOf(waiters)
	for i := range f.snaps[at].samples {
		s := &f.snaps[at].samples[i]
		if mayHold(s) && resourceKey(s) == "" && slices.ContainsFunc(asking, s.Stack.mayBePast) {
			found = append(found, s)
		}
	}
	return found
}

// mayBePast reports that a stack is in a method of one that waits, and not in a line before it.
func (s *Stack) mayBePast(waiter *Stack) bool {
	return !shortOf(s.program(), waiter.program()) && slices.ContainsFunc(waiter.begun(), func(fr *threaddump.Frame) bool { return isIn(fr, s) })
}

// throughLook reports that at least two of the threads stood through the whole of
// a look that is long enough: in a shorter time a permit may just be on its way. One whose
// wait has a limit, and that does something in between, gets what it wants.
func (f *facts) throughLook(g gathering) bool {
	n := 0
	for _, w := range g.waiters {
		n += one(w.dumps == len(f.snaps) && w.long() && (w.untimed() || f.progressOf(w.history) != moves))
	}
	return n >= 2
}

func (f *facts) exhaustion(g gathering, waiters, holders []*Sample, severity Severity, confidence Confidence) candidate {
	at := len(f.snaps) - 1
	what, kind := waiters[0].Stack.pooledThing(), "pooled object"
	if g.permits() {
		what, kind = "a permit", "permit"
	}
	finding := Finding{
		Severity: severity, Confidence: confidence,
		Title:    Counted(sizeOf(waiters), "thread") + verb(sizeOf(waiters), " waits", " wait") + " for " + what,
		Resource: atResource(kind, waiters[0]), Evidence: f.waitEvidence(at, waiters),
	}
	unlisted := sizeOf(waiters) - len(waiters)
	if len(holders) == 0 {
		f.tellUnheld(&finding, waiters)
		return candidate{Finding: finding, unlisted: unlisted}
	}
	behind, roots := f.rootsOf(at, holders)
	finding.Culprits, finding.Victims = f.refs(roots), append(f.refs(waiters), f.refs(behind)...)
	finding.Title += fmt.Sprintf("; %s to have one while %s", seemsOf(holders), f.doing(holders)) + f.heldBy(holders, behind, roots)
	finding.Advice = "Hold it for a shorter time, with a time limit on what is done meanwhile; more of them only help if " +
		"the work behind can take more."
	finding.Evidence = append(finding.Evidence, f.standEvidence(at, holders)...)
	if !slices.ContainsFunc(holders, func(h *Sample) bool { return !f.mustFeed(h) }) {
		finding.Advice = unfedAdvice + " Set a time limit on what is done while holding one."
	}
	if len(behind) > 0 {
		finding.Advice = "Do not wait for another lock while holding one of these, and hold that lock for a shorter time."
		finding.Evidence = append(f.standEvidence(at, roots), finding.Evidence...)
	}
	return candidate{Finding: finding, unlisted: unlisted, behind: finding.keepsOwner()}
}

// greedAdvice is for threads that have one and want another.
const greedAdvice = "Take no second one while holding one: pass the first one on, or give it back before; else have more of them than threads that take two."

// tellUnheld says who may have what some threads wait for, where nobody is seen to hold it.
func (f *facts) tellUnheld(finding *Finding, waiters []*Sample) {
	at := len(f.snaps) - 1
	finding.Culprits = f.refs(waiters)
	if greedy := insideOthersCall(waiters); len(greedy) > 0 {
		finding.Culprits, finding.Victims = f.refs(greedy), f.refs(allBut(waiters, greedy))
		finding.Title += fmt.Sprintf("; %d of them seem to have one each and want another", sizeOf(greedy))
		finding.Advice = greedAdvice
		return
	}
	if n := sizeOf(f.sharing(at, waiters)); n > 0 {
		finding.Title += fmt.Sprintf("; %s at work in the same method may have one", Counted(n, "other"))
		finding.Advice = "Hold it for a shorter time; and if they do not turn over, give back in a finally block what was taken."
		return
	}
	if away := f.awayInCalls(); len(away) > 0 {
		finding.Culprits, finding.Victims, finding.Confidence = f.refs(away), f.refs(waiters), Possible
		finding.Title += fmt.Sprintf("; %s may have one while %s", quoteThreads(away), f.doing(away))
		finding.Advice = "Give back what was taken before such a call, and give the call a timeout. " +
			"If these have none, others lost it: give back in a finally block what was taken."
		finding.Evidence = append(finding.Evidence, f.standEvidence(at, away)...)
		return
	}
	if busy := busyWaiters(waiters); len(busy) > 1 && len(busy) < len(waiters) {
		finding.Culprits, finding.Victims = f.refs(busy), f.refs(allBut(waiters, busy))
		finding.Title += fmt.Sprintf("; %d of them are in the middle of a task and may hold one", sizeOf(busy))
		finding.Advice = greedAdvice + " If they have none, others lost it: give back in a finally block what was taken."
		return
	}
	finding.Advice = "Give back what was taken in a finally block: it may have been lost by threads that went on or ended. " +
		"Or these have one each and want another: then take no second one, or have more of them than threads."
}

// awayInCalls are a few threads that stand in I/O elsewhere, all in one place, and may have
// taken with them what the others wait for: a call to another process in the middle of a
// transaction shows nothing of the transaction. One alone may be anything; and who asks this
// very process waits for an answer of theirs.
func (f *facts) awayInCalls() []*Sample {
	const few = 8
	all := slices.Clone(f.ioWaiters())
	f.markEnding(all)
	var away []*Sample
	for _, w := range all {
		if s := w.h.last(); w.stuck() && !w.ofChild() && !f.asksItself(w.h) && (w.op == opRead || w.op == opWrite || w.op == opConnect) {
			away = append(away, s)
		}
	}
	elsewhere := func(s *Sample) bool { return s.Stack.Application != away[0].Stack.Application }
	if len(away) < 2 || len(away) > few || slices.ContainsFunc(away, elsewhere) {
		return nil
	}
	return inNameOrder(away)
}

func verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// itemKey tells apart what threads wait for that may be pooled objects or work.
func itemKey(s *Sample) string {
	op := s.Stack.op
	if resourceKey(s) != "" || op.caller == nil || originOf(op.caller) != ofApplication {
		return ""
	}
	switch op.kind {
	case opTake, opNotify, opCondition:
		return op.caller.Name() + " " + s.object()
	}
	return ""
}

// withheld finds those who hold what the threads of a gathering wait for, although
// nothing is called a resource.
func (f *facts) withheld(g gathering) (candidate, bool) {
	waiters := g.samples()
	if len(waiters) < 2 || len(f.snaps) < 2 {
		return candidate{}, false
	}
	holders, why := f.likelyHolders(len(f.snaps)-1, waiters)
	if why != beyond {
		return candidate{}, false
	}
	missed, confidence := f.areMissed(g), Possible
	if missed {
		confidence = Likely
	}
	for _, h := range holders {
		stuck := (h.wait == waitIO || missed) && f.standingStill(f.history(h)).long()
		if !stuck || !sharesWork(waiters, h, missed && h.wait != waitIO) {
			return candidate{}, false
		}
	}
	return f.exhaustion(g, waiters, holders, Warning, confidence), true
}

// areMissed reports that none of some threads waits for its next job, as each has one:
// a request that a framework handed it, or the task of an executor for the results of
// which others than main wait.
func (f *facts) areMissed(g gathering) bool {
	f.executors()
	return !slices.ContainsFunc(g.waiters, func(w still) bool {
		s := w.last().Stack
		return !s.serves() && !(isTask(s) && w.pool != nil && asksBesideMain(f.callersOf(w.pool)))
	})
}

// sharesWork reports that a thread is further down in a method of the waiters that
// is not the loop they were started with: a worker that waits for its next job is.
// Of tasks that are missed it is not the task itself either, which may be a loop.
func sharesWork(waiters []*Sample, s *Sample, missed bool) bool {
	for _, w := range stacksOf(waiters) {
		mine := inner(w.program())
		if (w.root == nil || missed && !w.serves()) && len(mine) > 0 {
			mine = mine[:len(mine)-1]
		}
		if slices.ContainsFunc(mine, func(a *threaddump.Frame) bool { return isIn(a, s.Stack) }) {
			return true
		}
	}
	return false
}

// isIn reports that a stack is in the method of a frame.
func isIn(frame *threaddump.Frame, s *Stack) bool {
	return slices.ContainsFunc(s.program(), func(f *threaddump.Frame) bool {
		return f.Class == frame.Class && f.Method == frame.Method
	})
}

func (g gathering) permits() bool { return strings.HasPrefix(g.key, "permit") }

// ofProgram tells permits, and what the program's own code hands out.
func (g gathering) ofProgram() bool {
	caller := g.waiters[0].last().Stack.op.caller
	return g.permits() || caller != nil && originOf(caller) == ofApplication
}
