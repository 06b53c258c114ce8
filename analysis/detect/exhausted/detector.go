// Package exhausted finds exhausted permits and pools.
package exhausted

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/resources"
	"github.com/jstall/jstall/analysis/facts/waits"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Detector reports permits, connections and other pooled things that threads wait for while others hold them.
var Detector = detect.Detector{
	Kind:    finding.KindResourceExhausted,
	Doc:     "permits, connections and other pooled things that threads wait for while others hold them",
	Virtual: true,
	Run:     run,
}

// exhaustion is a group of threads that wait for a permit or pooled object, and the holders.
type exhaustion struct {
	waits.Group
	waiters, holders []*timeline.Sample
	evidence         resources.HolderEvidence
	// greedy are the waiters that hold one object and wait for another.
	greedy []*timeline.Sample
}

func permits(g waits.Group) bool { return strings.HasPrefix(g.Key, "permit") }

// ofProgram reports whether a group waits for permits, or for what the program's own code hands out.
func ofProgram(g waits.Group) bool {
	caller := g.Waiters[0].Last().Stack.Op.Caller
	return permits(g) || caller != nil && stack.OriginOf(caller) == stack.OfApplication
}

// run reports permits and pooled objects that several threads wait for.
//
// Rule: two threads wait for a permit of one Semaphore, for an object of a library's pool (rows !pool of idle.tsv), or
// in one method of the program whose name says that it hands something out. The culprits are the holders, which are
// between acquire and release; if a holder waits for a lock, the owner of that lock; the waiters if the dump shows no
// holder. One dump is a warning if a holder waits for others without a time limit, or if all threads of a pool wait for
// an object. Several dumps are a warning if the waiters do not move. One waiter is a hint if a holder is past the call
// that acquires, else no finding. Standbys are no finding (see standBy). For OkHttp see waitingCalls.
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, g := range waits.GroupWaiters(f.Timeline, resources.ResourceKey) {
		if c, ok := exhausted(f, g); ok {
			found = append(found, c)
		}
	}
	return append(found, waitingCalls(f)...)
}

func exhausted(f *facts.Facts, g waits.Group) (finding.Candidate, bool) {
	x := exhaustion{Group: g, waiters: g.Samples()}
	x.holders, x.evidence = resources.HoldersOf(f.Timeline, len(f.Timeline.Snaps)-1, x.waiters)
	if len(x.holders) == 0 && strings.HasPrefix(x.Key, "pool") {
		x.holders = inIOOfSameClass(f, x.waiters)
		if len(x.holders) > 0 {
			x.evidence = resources.InIO
		}
	}
	x.greedy = insideOthersCall(x.waiters)
	if timeline.SizeOf(x.waiters) < 2 && x.evidence != resources.PastAcquire {
		return finding.Candidate{}, false // the method is more likely to wait for a signal
	}
	if standBy(f.Timeline, &x) {
		return finding.Candidate{}, false
	}
	severity, confidence := gradeExhausted(f.Timeline, &x)
	return exhaustionFinding(f, &x, severity, confidence), true
}

// inIOOfSameClass returns the threads in I/O (see inIO) whose application class also contains a call of the waiters:
// most likely they hold an object.
func inIOOfSameClass(f *facts.Facts, waiters []*timeline.Sample) []*timeline.Sample {
	asks := map[string]bool{}
	for _, s := range waiters {
		if s.Stack.Application != nil {
			asks[stack.Outermost(s.Stack.Application.Class)] = true
		}
	}
	var found []*timeline.Sample
	for _, s := range inIO(f) {
		if app := s.Stack.Application; app != nil && asks[stack.Outermost(app.Class)] && !slices.Contains(waiters, s) {
			found = append(found, s)
		}
	}
	return timeline.InNameOrder(found)
}

// inIO returns the threads that make no progress in I/O, or are in I/O in the only dump, without those that read the
// requests of clients.
func inIO(f *facts.Facts) []*timeline.Sample {
	if len(f.Timeline.Snaps) == 1 {
		return f.IOWaits.InIOOfOneDump()
	}
	var found []*timeline.Sample
	for _, w := range f.IOWaits.IOWaiters() {
		if w.Side != iowaits.SideRequest {
			found = append(found, w.H.Last())
		}
	}
	return found
}

// insideOthersCall returns the waiters that already hold an object: they are past the place where other waiters acquire
// theirs. There must be at least two; it returns none if all waiters match.
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

func exhaustionFinding(f *facts.Facts, x *exhaustion, severity finding.Severity,
	confidence finding.Confidence) finding.Candidate {
	at := len(f.Timeline.Snaps) - 1
	result := finding.Finding{
		Severity: severity, Confidence: confidence, Title: x.title(),
		Resource: facts.WaitedResource(x.resource(), x.waiters[0]), Evidence: f.Timeline.WaitEvidence(at, x.waiters),
	}
	addPermits(f, x, &result)
	addPool(f, x, &result)
	unlisted := timeline.SizeOf(x.waiters) - len(x.waiters)
	if openers := openersOf(f, x.waiters); len(openers) > 0 && len(x.holders) == 0 && len(x.greedy) == 0 {
		reportOpeners(f, x.waiters, openers, &result)
		return finding.Candidate{Finding: result, Unlisted: unlisted, Behind: result.ExplainsQueue()}
	}
	if len(x.holders) == 0 {
		blameWaiters(f.Timeline, &result, x)
		return finding.Candidate{Finding: result, Unlisted: unlisted}
	}
	behind, roots := f.Locks.RootsOf(at, x.holders)
	result.Culprits = f.Timeline.Refs(roots)
	result.Victims = append(f.Timeline.Refs(x.waiters), f.Timeline.Refs(behind)...)
	result.Title += "; " + f.HoldersWords(x.holders, x.evidence) + f.HeldBy(x.holders, behind, roots)
	result.Advice = x.advice()
	result.Evidence = append(result.Evidence, f.Timeline.FrameEvidence(at, x.holders)...)
	if len(behind) > 0 {
		result.Advice = lockAdvice
		result.Evidence = append(f.Timeline.FrameEvidence(at, roots), result.Evidence...)
	}
	return finding.Candidate{Finding: result, Unlisted: unlisted, Behind: result.ExplainsQueue()}
}

// blameWaiters completes a finding if no thread in the dump holds an object, except for some of the waiters.
func blameWaiters(f *timeline.Timeline, result *finding.Finding, x *exhaustion) {
	result.Culprits = f.Refs(x.waiters)
	if len(x.greedy) > 0 {
		result.Culprits, result.Victims = f.Refs(x.greedy), f.Refs(timeline.Without(x.waiters, x.greedy))
		result.Title += x.greedyWords()
		result.Advice = takeTwo
		return
	}
	result.Title += holdersUnknown
	result.Advice = x.leakAdvice()
}
