package exhausted

import (
	"fmt"
	"jstall/analysis/detect"
	"slices"
	"strings"
	"time"

	"jstall/analysis/facts"
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/facts/resources"
	"jstall/analysis/facts/waits"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Detector reports permits, connections and other pooled things that threads wait for while others hold them.
var Detector = detect.Detector{
	Kind:    finding.KindResourceExhausted,
	Doc:     "permits, connections and other pooled things that threads wait for while others hold them",
	Virtual: true,
	Run:     run,
}

// run reports permits and pooled objects that several threads wait for.
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
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, g := range waits.GroupWaiters(f.Timeline, resources.ResourceKey) {
		if c, ok := exhausted(f, g); ok {
			found = append(found, c)
		}
	}
	for _, g := range waits.GroupWaiters(f.Timeline, resources.LimiterKey) {
		if c, ok := limited(f.Timeline, g); ok {
			found = append(found, c)
		}
	}
	for _, g := range waits.GroupWaiters(f.Timeline, itemKey) {
		if c, ok := withheld(f, g); ok {
			found = append(found, c)
		}
	}
	return append(found, waitingCalls(f)...)
}

func exhausted(f *facts.Facts, g waits.Group) (finding.Candidate, bool) {
	x := exhaustion{Group: g, waiters: g.Samples()}
	x.holders, x.evidence = resources.HoldersOf(f.Timeline, len(f.Snaps)-1, x.waiters)
	x.greedy = insideOthersCall(x.waiters)
	if timeline.SizeOf(x.waiters) < 2 && x.evidence != resources.PastAcquire {
		return finding.Candidate{}, false // a signal, most likely
	}
	severity, confidence := gradeExhausted(f.Timeline, &x)
	return factsExhaustion(f, &x, severity, confidence), true
}

// exhaustion is threads that wait for a permit or pooled object, and who holds one.
type exhaustion struct {
	waits.Group
	waiters, holders []*timeline.Sample
	evidence         resources.HolderEvidence
	// greedy are the waiters that hold one and wait for another.
	greedy []*timeline.Sample
}

func gradeExhausted(f *timeline.Timeline, x *exhaustion) (finding.Severity, finding.Confidence) {
	confidence := finding.Likely
	if x.evidence == resources.InTransaction || x.evidence == resources.NoHolder && strings.HasPrefix(x.Key, "object") {
		confidence = finding.Possible
	}
	switch {
	case timeline.SizeOf(x.waiters) < 2:
	case locks.OneMoment(f) && (heldForOthers(f, x) || stopsPool(f, x)):
		return finding.Warning, confidence
	case locks.OneMoment(f), !throughLook(f, x.Group), turnsOverIn(f, x), standBy(f, x):
	case len(x.holders) > 0 || len(x.greedy) > 0:
		return finding.Warning, confidence
	case wereServed(f, x), mayBePaced(f, x.Group), ofProgram(x.Group) && !slices.ContainsFunc(x.waiters, hasBegun):
	default:
		return finding.Warning, confidence
	}
	return finding.Info, finding.Possible
}

// roundCost is more CPU than it costs a waiting thread to look again a few times, and less than a
// round of work with what it waited for.
const roundCost = 300 * time.Microsecond

// wereServed reports that all waiters but one used CPU for a round of work from each dump to the
// next: they got what they wait for, and wait for the next one.
func wereServed(f *timeline.Timeline, x *exhaustion) bool {
	waiting := 0
	for _, s := range x.waiters {
		h := f.History(s)
		if h == nil || !h.CPU.Known || h.CPU.Value < roundCost*time.Duration(len(h.Samples)-1) {
			waiting++
		}
	}
	return waiting < 2
}

// heldForOthers reports that what is waited for is held by threads one of which waits for
// others without a time limit. A read may be a query that is answered soon: then no fewer must
// wait than hold.
func heldForOthers(f *timeline.Timeline, x *exhaustion) bool {
	if x.evidence == resources.InTransaction {
		return false
	}
	few := timeline.SizeOf(x.waiters) < timeline.SizeOf(x.holders)
	return len(x.greedy) > 0 || slices.ContainsFunc(x.holders, func(h *timeline.Sample) bool {
		return locks.LimitOf(h) == locks.ByOthers && !(timeline.IsIO(h) && few)
	})
}

// stopsPool reports that all threads of a pool, three at least, wait without a time limit, in
// the middle of a task or in the pool of a library.
func stopsPool(f *timeline.Timeline, x *exhaustion) bool {
	waiting, size := map[string]int{}, map[string]int{}
	for _, s := range x.waiters {
		if !s.Timed() && (strings.HasPrefix(x.Key, "pool") || midTask(s.Stack)) {
			waiting[stack.PoolName(s.Thread.Name)]++
		}
	}
	for _, h := range f.Alive() {
		size[stack.PoolName(h.Thread.Name)]++
	}
	for pool, n := range waiting {
		if pool != "" && n >= locks.PoolWaiters && n == size[pool] {
			return true
		}
	}
	return false
}

// midTask tells a task of an executor that is two calls of the program away from its start.
func midTask(s *stack.Stack) bool {
	return s.Root != nil && s.Root.Kind <= stack.RootForkJoin && len(stack.WithoutStart(s.Program())) > 1
}

// hasBegun tells a thread in the middle of something: it runs a task, a library called it for a
// request or message, or it is in more than the method that it was started with.
func hasBegun(s *timeline.Sample) bool {
	if s.Stack.Root != nil {
		return s.Stack.Root.Kind <= stack.RootForkJoin
	}
	own := s.Stack.Program()
	if len(own) == 0 {
		return false
	}
	outermost := own[len(own)-1]
	if below := slices.Index(s.Stack.Frames, outermost) + 1; below < len(s.Stack.Frames) {
		if caller := s.Stack.Frames[below]; stack.OriginOf(caller) == stack.OfLibrary && !stack.IsStart(caller) {
			return true
		}
	}
	return len(own) > 2 || len(own) == 2 && outermost.Method != "run"
}

// turnsOverIn reports, of what Java code wrote of virtual threads, that a holder has only just
// got what the others wait for: such dumps are so close together that most of a queue stands in
// them though it moves.
func turnsOverIn(f *timeline.Timeline, x *exhaustion) bool {
	return f.Beside != nil && slices.ContainsFunc(x.holders, func(s *timeline.Sample) bool {
		return f.StandingStill(f.History(s)).Dumps < len(f.Snaps)
	})
}

// mayBePaced tells threads that each wait for a time of their own in a method which hands
// something out by its name alone, other than to have it back, and were woken within the capture:
// one that lets so many through in a second makes them wait just so.
func mayBePaced(f *timeline.Timeline, g waits.Group) bool {
	return strings.HasPrefix(g.Key, "object") && !resources.CallsMethodNamed(g.Waiters[0].Last().Stack, resources.LendingMethods[:]) && !slices.ContainsFunc(g.Waiters, func(w timeline.Still) bool {
		return w.Untimed() || f.NeverWoke(w.History)
	})
}

// insideOthersCall are the waiters that hold one already: past the place where others of them
// acquire theirs. Two at least; none if that is said of all.
func insideOthersCall(waiters []*timeline.Sample) []*timeline.Sample {
	var inside []*timeline.Sample
	stacks := locks.StacksOf(waiters)
	for _, s := range waiters {
		if slices.ContainsFunc(stacks, func(w *stack.Stack) bool { return w != s.Stack && resources.IsPast(s.Stack, w) }) {
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
func throughLook(f *timeline.Timeline, g waits.Group) bool {
	n := 0
	for _, w := range g.Waiters {
		n += finding.CountIf(w.Dumps == len(f.Snaps) && w.Long() && (w.Untimed() || timeline.ProgressOf(f, w.History) != timeline.Moves))
	}
	return n >= 2
}

func factsExhaustion(f *facts.Facts, x *exhaustion, severity finding.Severity, confidence finding.Confidence) finding.Candidate {
	at := len(f.Snaps) - 1
	result := finding.Finding{
		Severity: severity, Confidence: confidence, Title: x.title(),
		Resource: facts.WaitedResource(x.resource(), x.waiters[0]), Evidence: f.WaitEvidence(at, x.waiters),
	}
	unlisted := timeline.SizeOf(x.waiters) - len(x.waiters)
	if len(x.holders) == 0 {
		tellUnheld(f.Timeline, &result, x)
		return finding.Candidate{Finding: result, Unlisted: unlisted}
	}
	behind, roots := f.RootsOf(at, x.holders)
	result.Culprits, result.Victims = f.Refs(roots), append(f.Refs(x.waiters), f.Refs(behind)...)
	result.Title += "; " + f.HoldersWords(x.holders, x.evidence) + f.HeldBy(x.holders, behind, roots)
	result.Advice = x.advice()
	result.Evidence = append(result.Evidence, f.StandEvidence(at, x.holders)...)
	if !slices.ContainsFunc(x.holders, func(h *timeline.Sample) bool { return !iowaits.ChildWantsInput(f.Timeline, h) }) {
		result.Advice = iowaits.NoInputAdvice + " Set a time limit on what is done while holding one."
	}
	if len(behind) > 0 {
		result.Advice = "Do not wait for another lock while holding one of these, and hold that lock for a shorter time."
		result.Evidence = append(f.StandEvidence(at, roots), result.Evidence...)
	}
	return finding.Candidate{Finding: result, Unlisted: unlisted, Behind: result.ExplainsQueue()}
}

// tellUnheld tells of things that no thread is seen to hold, but some of the waiters.
func tellUnheld(f *timeline.Timeline, result *finding.Finding, x *exhaustion) {
	result.Culprits = f.Refs(x.waiters)
	if len(x.greedy) > 0 {
		result.Culprits, result.Victims = f.Refs(x.greedy), f.Refs(timeline.Without(x.waiters, x.greedy))
		result.Title += fmt.Sprintf("; %d of them hold one each and wait for another", timeline.SizeOf(x.greedy))
		result.Advice = "Acquire no second one while holding one: return the first before, or make the pool larger than the " +
			"number of threads that take two."
		return
	}
	result.Title += "; holders unknown: no frame in this dump shows one"
	result.Advice = "Check for a leak: return each object in a finally block or with try-with-resources."
}

// itemKey tells apart what threads wait for that may be pooled objects or work.
func itemKey(s *timeline.Sample) string {
	op := s.Stack.Op
	if resources.ResourceKey(s) != "" || op.Caller == nil || stack.OriginOf(op.Caller) != stack.OfApplication {
		return ""
	}
	switch op.Kind {
	case stack.OpTake, stack.OpNotify, stack.OpCondition:
		return op.Caller.Name() + " " + s.Object()
	}
	return ""
}

// withheld finds those who hold what the threads of a gathering wait for, although
// nothing is called a resource.
func withheld(f *facts.Facts, g waits.Group) (finding.Candidate, bool) {
	waiters := g.Samples()
	if len(waiters) < 2 || len(f.Snaps) < 2 {
		return finding.Candidate{}, false
	}
	holders, evidence := resources.HoldersOf(f.Timeline, len(f.Snaps)-1, waiters)
	if evidence != resources.PastAcquire {
		return finding.Candidate{}, false
	}
	missed, confidence := areMissed(f.Pools, g), finding.Possible
	if missed {
		confidence = finding.Likely
	}
	for _, h := range holders {
		stuck := (h.Wait == stack.WaitIO || missed) && f.StandingStill(f.History(h)).Long()
		if !stuck || !sharesWork(waiters, h, missed && h.Wait != stack.WaitIO) {
			return finding.Candidate{}, false
		}
	}
	return factsExhaustion(f, &exhaustion{Group: g, waiters: waiters, holders: holders, evidence: evidence}, finding.Warning, confidence), true
}

// areMissed reports that none of some threads waits for its next job, as each has one:
// a request that a framework handed it, or the task of an executor for the results of
// which others than main wait.
func areMissed(f *pools.Pools, g waits.Group) bool {
	f.Executors()
	return !slices.ContainsFunc(g.Waiters, func(w timeline.Still) bool {
		s := w.Last().Stack
		return !pools.Serves(s) && !(stack.IsTask(s) && f.PoolOf(w.History) != nil && pools.HasCallerBesideMain(f.CallersOf(f.PoolOf(w.History))))
	})
}

// sharesWork reports that a thread is further down in a method of the waiters that
// is not the loop they were started with: a worker that waits for its next job is.
// Of tasks that are missed it is not the task itself either, which may be a loop.
func sharesWork(waiters []*timeline.Sample, s *timeline.Sample, missed bool) bool {
	for _, w := range locks.StacksOf(waiters) {
		mine := stack.WithoutStart(w.Program())
		if (w.Root == nil || missed && !pools.Serves(w)) && len(mine) > 0 {
			mine = mine[:len(mine)-1]
		}
		if slices.ContainsFunc(mine, func(a *threaddump.Frame) bool { return stack.InMethodOf(a, s.Stack) }) {
			return true
		}
	}
	return false
}

func permits(g waits.Group) bool { return strings.HasPrefix(g.Key, "permit") }

// ofProgram tells permits, and what the program's own code hands out.
func ofProgram(g waits.Group) bool {
	caller := g.Waiters[0].Last().Stack.Op.Caller
	return permits(g) || caller != nil && stack.OriginOf(caller) == stack.OfApplication
}
