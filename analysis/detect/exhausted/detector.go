package exhausted

import (
	"slices"

	"jstall/analysis/detect"
	"jstall/analysis/facts"
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/resources"
	"jstall/analysis/facts/waits"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
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
//   - a rate limiter, as idle.tsv knows it (rows !limiter): see limited;
//   - the same method of a program's own, that waits in Object.wait, a condition, a
//     queue or a pause, and whose name says that it hands something out;
//   - an item of a queue or a notify, in a method that others are further down in:
//     these have got theirs, and stand, in input or output if the waiters may be
//     workers between two jobs;
//   - a place in the dispatcher of OkHttp: see waitingCalls.
//
// The culprits are the holders, by the frames between acquire and release (see holdersOf), or
// whoever has a lock that all of these wait for. One dump is a warning where a holder waits for
// others without a time limit, or where all threads of a pool wait for an object; several are
// where the waiters do not move. One waiter is a hint, and so are standbys (see standBy).
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

// insideOthersCall are the waiters that hold one already: past the place where others of them
// acquire theirs. Two at least; none if that is said of all.
func insideOthersCall(waiters []*timeline.Sample) []*timeline.Sample {
	var inside []*timeline.Sample
	stacks := locks.StacksOf(waiters)
	for _, s := range waiters {
		if slices.ContainsFunc(stacks, func(w *stack.Stack) bool {
			return w != s.Stack && resources.IsPast(s.Stack, w)
		}) {
			inside = append(inside, s)
		}
	}
	if len(inside) < 2 || len(inside) == len(waiters) {
		return nil
	}
	return inside
}

func factsExhaustion(f *facts.Facts, x *exhaustion, severity finding.Severity,
	confidence finding.Confidence) finding.Candidate {
	at := len(f.Snaps) - 1
	result := finding.Finding{
		Severity: severity, Confidence: confidence, Title: x.title(),
		Resource: facts.WaitedResource(x.resource(), x.waiters[0]), Evidence: f.WaitEvidence(at, x.waiters),
	}
	addPermits(f, x, &result)
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
	if !slices.ContainsFunc(x.holders, func(h *timeline.Sample) bool {
		return !iowaits.ChildWantsInput(f.Timeline,
			h)
	}) {
		result.Advice = unfedAdvice
	}
	if len(behind) > 0 {
		result.Advice = lockAdvice
		result.Evidence = append(f.StandEvidence(at, roots), result.Evidence...)
	}
	return finding.Candidate{Finding: result, Unlisted: unlisted, Behind: result.ExplainsQueue()}
}

// tellUnheld tells of things that no thread is seen to hold, but some of the waiters.
func tellUnheld(f *timeline.Timeline, result *finding.Finding, x *exhaustion) {
	result.Culprits = f.Refs(x.waiters)
	if len(x.greedy) > 0 {
		result.Culprits, result.Victims = f.Refs(x.greedy), f.Refs(timeline.Without(x.waiters, x.greedy))
		result.Title += x.greedyWords()
		result.Advice = takeTwo
		return
	}
	result.Title += holdersUnknown
	result.Advice = leakAdvice
}
