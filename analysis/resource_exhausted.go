package analysis

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// detectExhausted reports permits and pooled objects that several threads wait for.
//
// Rule: at least two threads wait for one of
//   - a permit of one Semaphore;
//   - an object of a pool, as idle.tsv knows it (rows !pool);
//   - a rate limiter, as idle.tsv knows it (rows !limiter): see rate_limiter.go;
//   - the same method of a program's own, that waits in Object.wait, a condition, a
//     queue or a pause, and whose name says that it hands something out;
//   - an item of a queue or a notify, in a method that others are further down in:
//     these have got theirs, and stand, in input or output if the waiters may be
//     workers between two jobs;
//   - a place in the dispatcher of OkHttp: see dispatcher.go.
//
// The culprits are the holders, by the frames between acquire and release (see holdersOf), or
// whoever has a lock that all of these wait for. One dump is a warning where a holder waits for
// others without a time limit, or where all threads of a pool wait for an object; several are
// where the waiters do not move. One waiter is a hint, and so are standbys (see standbys.go).
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
	return append(found, f.waitingCalls()...)
}

// resourceKey tells apart what threads wait for, empty where it is no resource.
func resourceKey(s *Sample) string {
	if p := s.position(); p != nil && p.not && p.what == "pool" {
		return "pool " + poolOf(s.Stack)
	}
	if s.asksForRoom() {
		return ""
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
	x := exhaustion{gathering: g, waiters: g.samples()}
	x.holders, x.evidence = f.holdersOf(len(f.snaps)-1, x.waiters)
	x.greedy = insideOthersCall(x.waiters)
	if sizeOf(x.waiters) < 2 && x.evidence != pastAcquire {
		return candidate{}, false // a signal, most likely
	}
	severity, confidence := f.gradeExhausted(&x)
	return f.exhaustion(&x, severity, confidence), true
}

// exhaustion is threads that wait for a permit or pooled object, and who holds one.
type exhaustion struct {
	gathering
	waiters, holders []*Sample
	evidence         holderEvidence
	// greedy are the waiters that hold one and wait for another.
	greedy []*Sample
}

func (f *timeline) gradeExhausted(x *exhaustion) (Severity, Confidence) {
	confidence := Likely
	if x.evidence == inTransaction || x.evidence == noHolder && strings.HasPrefix(x.key, "object") {
		confidence = Possible
	}
	switch {
	case sizeOf(x.waiters) < 2:
	case f.oneMoment() && (f.heldForOthers(x) || f.stopsPool(x)):
		return Warning, confidence
	case f.oneMoment(), !f.throughLook(x.gathering), f.turnsOverIn(x), f.standBy(x):
	case len(x.holders) > 0 || len(x.greedy) > 0:
		return Warning, confidence
	case f.wereServed(x), f.mayBePaced(x.gathering), x.ofProgram() && !slices.ContainsFunc(x.waiters, hasBegun):
	default:
		return Warning, confidence
	}
	return Info, Possible
}

// roundCost is more CPU than it costs a waiting thread to look again a few times, and less than a
// round of work with what it waited for.
const roundCost = 300 * time.Microsecond

// wereServed reports that all waiters but one used CPU for a round of work from each dump to the
// next: they got what they wait for, and wait for the next one.
func (f *timeline) wereServed(x *exhaustion) bool {
	waiting := 0
	for _, s := range x.waiters {
		h := f.history(s)
		if h == nil || !h.cpu.Known || h.cpu.Value < roundCost*time.Duration(len(h.samples)-1) {
			waiting++
		}
	}
	return waiting < 2
}

// heldForOthers reports that what is waited for is held by threads one of which waits for
// others without a time limit. A read may be a query that is answered soon: then no fewer must
// wait than hold.
func (f *timeline) heldForOthers(x *exhaustion) bool {
	if x.evidence == inTransaction {
		return false
	}
	few := sizeOf(x.waiters) < sizeOf(x.holders)
	return len(x.greedy) > 0 || slices.ContainsFunc(x.holders, func(h *Sample) bool {
		return limitOf(h) == byOthers && !(isIO(h) && few)
	})
}

// stopsPool reports that all threads of a pool, three at least, wait without a time limit, in
// the middle of a task or in the pool of a library.
func (f *timeline) stopsPool(x *exhaustion) bool {
	waiting, size := map[string]int{}, map[string]int{}
	for _, s := range x.waiters {
		if !s.timed() && (strings.HasPrefix(x.key, "pool") || s.Stack.midTask()) {
			waiting[PoolName(s.Thread.Name)]++
		}
	}
	for _, h := range f.alive() {
		size[PoolName(h.thread.Name)]++
	}
	for pool, n := range waiting {
		if pool != "" && n >= poolWaiters && n == size[pool] {
			return true
		}
	}
	return false
}

// midTask tells a task of an executor that is two calls of the program away from its start.
func (s *Stack) midTask() bool {
	return s.root != nil && s.root.kind <= rootForkJoin && len(inner(s.program())) > 1
}

// hasBegun tells a thread in the middle of something: it runs a task, a library called it for a
// request or message, or it is in more than the method that it was started with.
func hasBegun(s *Sample) bool {
	if s.Stack.root != nil {
		return s.Stack.root.kind <= rootForkJoin
	}
	own := s.Stack.program()
	if len(own) == 0 {
		return false
	}
	outermost := own[len(own)-1]
	if below := slices.Index(s.Stack.Frames, outermost) + 1; below < len(s.Stack.Frames) {
		if caller := s.Stack.Frames[below]; originOf(caller) == ofLibrary && !isStart(caller) {
			return true
		}
	}
	return len(own) > 2 || len(own) == 2 && outermost.Method != "run"
}

// turnsOverIn reports, of what Java code wrote of virtual threads, that a holder has only just
// got what the others wait for: such dumps are so close together that most of a queue stands in
// them though it moves.
func (f *timeline) turnsOverIn(x *exhaustion) bool {
	return f.beside != nil && slices.ContainsFunc(x.holders, func(s *Sample) bool {
		return f.standingStill(f.history(s)).dumps < len(f.snaps)
	})
}

// mayBePaced tells threads that each wait for a time of their own in a method which hands
// something out by its name alone, other than to have it back, and were woken within the capture:
// one that lets so many through in a second makes them wait just so.
func (f *timeline) mayBePaced(g gathering) bool {
	return strings.HasPrefix(g.key, "object") && !asksBy(g.waiters[0].last().Stack, lendings[:]) && !slices.ContainsFunc(g.waiters, func(w still) bool {
		return w.untimed() || f.neverWoke(w.history)
	})
}

// insideOthersCall are the waiters that hold one already: past the place where others of them
// acquire theirs. Two at least; none if that is said of all.
func insideOthersCall(waiters []*Sample) []*Sample {
	var inside []*Sample
	stacks := stacksOf(waiters)
	for _, s := range waiters {
		if slices.ContainsFunc(stacks, func(w *Stack) bool { return w != s.Stack && s.Stack.isPast(w) }) {
			inside = append(inside, s)
		}
	}
	if len(inside) < 2 || len(inside) == len(waiters) {
		return nil
	}
	return inside
}

// throughLook reports that at least two of the threads stood through the whole of
// a capture that is long enough: in a shorter time a permit may just be on its way. One whose
// wait has a limit, and that does something in between, gets what it wants.
func (f *timeline) throughLook(g gathering) bool {
	n := 0
	for _, w := range g.waiters {
		n += one(w.dumps == len(f.snaps) && w.long() && (w.untimed() || f.progressOf(w.history) != moves))
	}
	return n >= 2
}

func (f *facts) exhaustion(x *exhaustion, severity Severity, confidence Confidence) candidate {
	at := len(f.snaps) - 1
	result := Finding{
		Severity: severity, Confidence: confidence, Title: x.title(),
		Resource: atResource(x.resource(), x.waiters[0]), Evidence: f.waitEvidence(at, x.waiters),
	}
	unlisted := sizeOf(x.waiters) - len(x.waiters)
	if len(x.holders) == 0 {
		f.tellUnheld(&result, x)
		return candidate{Finding: result, unlisted: unlisted}
	}
	behind, roots := f.rootsOf(at, x.holders)
	result.Culprits, result.Victims = f.refs(roots), append(f.refs(x.waiters), f.refs(behind)...)
	result.Title += "; " + f.holdersWords(x.holders, x.evidence) + f.heldBy(x.holders, behind, roots)
	result.Advice = x.advice()
	result.Evidence = append(result.Evidence, f.standEvidence(at, x.holders)...)
	if !slices.ContainsFunc(x.holders, func(h *Sample) bool { return !f.mustFeed(h) }) {
		result.Advice = unfedAdvice + " Set a time limit on what is done while holding one."
	}
	if len(behind) > 0 {
		result.Advice = "Do not wait for another lock while holding one of these, and hold that lock for a shorter time."
		result.Evidence = append(f.standEvidence(at, roots), result.Evidence...)
	}
	return candidate{Finding: result, unlisted: unlisted, behind: result.keepsOwner()}
}

// tellUnheld tells of things that no thread is seen to hold, but some of the waiters.
func (f *timeline) tellUnheld(result *Finding, x *exhaustion) {
	result.Culprits = f.refs(x.waiters)
	if len(x.greedy) > 0 {
		result.Culprits, result.Victims = f.refs(x.greedy), f.refs(allBut(x.waiters, x.greedy))
		result.Title += fmt.Sprintf("; %d of them hold one each and wait for another", sizeOf(x.greedy))
		result.Advice = "Acquire no second one while holding one: return the first before, or make the pool larger than the " +
			"number of threads that take two."
		return
	}
	result.Title += "; holders unknown: no frame in this dump shows one"
	result.Advice = "Check for a leak: return each object in a finally block or with try-with-resources."
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
	holders, evidence := f.holdersOf(len(f.snaps)-1, waiters)
	if evidence != pastAcquire {
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
	return f.exhaustion(&exhaustion{gathering: g, waiters: waiters, holders: holders, evidence: evidence}, Warning, confidence), true
}

// areMissed reports that none of some threads waits for its next job, as each has one:
// a request that a framework handed it, or the task of an executor for the results of
// which others than main wait.
func (f *poolFacts) areMissed(g gathering) bool {
	f.executors()
	return !slices.ContainsFunc(g.waiters, func(w still) bool {
		s := w.last().Stack
		return !s.serves() && !(isTask(s) && f.poolOf(w.history) != nil && asksBesideMain(f.callersOf(f.poolOf(w.history))))
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
