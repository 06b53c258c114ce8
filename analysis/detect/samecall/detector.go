// Package samecall finds many threads in one call.
package samecall

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// leastOfPool and mostOfPool are the least number of threads and the least share of their pool for a group to be
// reported as its pool.
const (
	leastOfPool = 3
	mostOfPool  = 0.8
)

// sameCall is threads that wait in one blocking call of the application.
type sameCall struct {
	call    *threaddump.Frame
	members []*timeline.Sample
	// of counts the threads of the pool that all of them belong to, 0 if they are from several.
	of   int
	pool string
}

// Detector reports many threads in one blocking call that no other finding names.
var Detector = detect.Detector{
	Doc:     "many threads in one blocking call that no other finding names",
	RunLast: func(f *facts.Facts, found []finding.Candidate) []finding.Candidate { return run(f.Pools, found) },
}

// run reports threads that are in the same blocking call of the program and that no finding names, because their
// number alone matters.
//
// Rule: at least ten threads, or three that are four fifths of their pool, wait in one call of the program in the
// middle of a task, or for something other than the next job. Idle threads, threads that pause and threads that were
// woken between the dumps do not count.
//
// From: 198 of 199 threads of a web server in HttpOutput.close; all threads of a Jetty in a write to one slow client.
func run(f *pools.Pools, others []finding.Candidate) []finding.Candidate {
	known := finding.NamedIn(others)
	groups, taken := map[string]*sameCall{}, map[string]bool{}
	judged := awaitingResults(f)
	for _, h := range f.Timeline.Alive() {
		s := h.Last()
		call := blockingCall(s)
		switch {
		case call == nil, judged[f.PoolOf(h)], len(f.Timeline.Snaps) > 1 && !f.Timeline.NeverWoke(h):
		case known[s.Thread.FindingID()]:
			taken[call.Name()] = true
		default:
			g := groups[call.Name()]
			if g == nil {
				g = &sameCall{call: call}
				groups[call.Name()] = g
			}
			g.members = append(g.members, s)
		}
	}
	sizes := poolSizes(f.Timeline)
	var found []finding.Candidate
	for _, g := range groups {
		g.nameThePool(sizes)
		if !taken[g.call.Name()] && (len(g.members) >= locks.ManyThreads || g.isMostOfItsPool() && !g.mayConsume()) {
			found = append(found, finding.Candidate{Finding: sameCallFinding(f.Timeline, g)})
		}
	}
	return found
}

// awaitingResults returns the executors whose workers all wait for results, which the kind executor-saturated covers.
// Executors that call a client are left out, because they wait for its answers.
func awaitingResults(f *pools.Pools) map[*pools.Pool]bool {
	awaiting := map[*pools.Pool]bool{}
	for _, p := range f.Executors() {
		asks := slices.ContainsFunc(p.Busy, func(h *timeline.History) bool { return h.Last().AsksByLibrary() })
		awaiting[p] = !asks && pools.AllWaitForOthers(f.Timeline, p)
	}
	return awaiting
}

// blockingCall is the call of the program that a thread is stuck in. It is nil for a thread that works, is idle or
// pauses, and for one that waits for its next job.
func blockingCall(s *timeline.Sample) *threaddump.Frame {
	if s.Thread.Role != threaddump.Application || s.IdleRule() != nil || s.Wait == stack.Running ||
		s.Wait == stack.WaitSleep || s.Wait == stack.WaitUnknown {
		return nil
	}
	call := s.Stack.BlockingCall()
	if call == nil || s.Wait == stack.WaitSelect || s.Wait == stack.WaitWork {
		return nil
	}
	switch s.Stack.Op.Kind {
	case stack.OpSleep, stack.OpSelect, stack.OpAccept, stack.OpTermination:
		return nil
	case stack.OpTake, stack.OpNotify, stack.OpCondition, stack.OpPark, stack.OpNone, stack.OpRead:
		if s.Wait != stack.WaitMonitor && (s.Timed() || !inTask(s)) {
			return nil
		}
	}
	return call
}

// inTask reports whether the thread is a worker of a pool, or a virtual one in I/O, and is in more than a loop that
// waits for the next job: two methods of the program, or a library that it called.
func inTask(s *timeline.Sample) bool {
	if !isWorker(s) || s.Stack.Application == nil {
		return false
	}
	return len(stack.WithoutStart(s.Stack.Program())) > 1 || s.Stack.BlockingCall() != s.Stack.Application
}

// isWorker reports whether the thread is a worker of a pool. A virtual thread is made for one task and needs no pool.
// Its waits for signals are found elsewhere (missedsignal), those in I/O here.
func isWorker(s *timeline.Sample) bool {
	if s.Thread.Virtual && s.Stack.Op.Kind == stack.OpRead {
		return true
	}
	root := s.Stack.Root
	return root != nil && (root.Kind == stack.RootPool || root.Kind == stack.RootForkJoin)
}

// poolSizes counts the program's threads by the pattern of their names.
func poolSizes(f *timeline.Timeline) map[string]int {
	sizes := map[string]int{}
	for _, h := range f.Alive() {
		if h.Thread.Role == threaddump.Application {
			sizes[stack.PoolName(h.Thread.Name)]++
		}
	}
	return sizes
}

func (g *sameCall) nameThePool(sizes map[string]int) {
	name := stack.PoolName(g.members[0].Thread.Name)
	if slices.ContainsFunc(g.members, func(s *timeline.Sample) bool { return stack.PoolName(s.Thread.Name) != name }) {
		return
	}
	g.pool, g.of = name, sizes[name]
}

func (g *sameCall) isMostOfItsPool() bool {
	n := len(g.members)
	workers := !slices.ContainsFunc(g.members, func(s *timeline.Sample) bool { return !inTask(s) })
	return workers && n >= leastOfPool && float64(n) >= mostOfPool*float64(g.of) && g.of > 0
}

// mayConsume reports whether the members may wait for their next item in a queue of the program.
func (g *sameCall) mayConsume() bool {
	switch s := g.members[0]; s.Stack.Op.Kind {
	case stack.OpTake, stack.OpNotify, stack.OpCondition, stack.OpPark:
		return g.call == s.Stack.Application && s.Wait != stack.WaitMonitor
	}
	return false
}

func sameCallFinding(f *timeline.Timeline, g *sameCall) finding.Finding {
	members := slices.Clone(g.members)
	slices.SortFunc(members, func(a, b *timeline.Sample) int {
		return cmp.Or(cmp.Compare(a.Thread.Name, b.Thread.Name), cmp.Compare(a.Thread.ID, b.Thread.ID))
	})
	return finding.Finding{
		Kind: g.kind(), Severity: finding.Info, Confidence: finding.Possible,
		Title: g.title(), Advice: g.advice(),
		Culprits: f.Refs(members), Evidence: callEvidence(f, members, g.call),
	}
}

// callEvidence quotes the call in which the first members wait.
func callEvidence(f *timeline.Timeline, members []*timeline.Sample, call *threaddump.Frame) []finding.Evidence {
	const shown = 3
	var quotes []finding.Evidence
	for _, s := range members[:min(shown, len(members))] {
		if i := slices.IndexFunc(s.Stack.Frames, func(fr *threaddump.Frame) bool {
			return fr.Name() == call.Name()
		}); i >= 0 {
			quotes = append(quotes, f.QuoteFrame(len(f.Snaps)-1, s, i))
		}
	}
	return quotes
}

// kind is the kind of finding for what the members wait for.
func (g *sameCall) kind() finding.Kind {
	switch g.members[0].Stack.Op.Kind {
	case stack.OpRead, stack.OpWrite, stack.OpConnect, stack.OpOpen, stack.OpFileLock, stack.OpProcess,
		stack.OpResolve:
		return finding.KindIOWait
	case stack.OpLock, stack.OpReadLock:
		return finding.KindLockContention
	case stack.OpPermit:
		return finding.KindResourceExhausted
	case stack.OpPut:
		return finding.KindQueueFull
	}
	switch {
	case g.members[0].AsksByLibrary():
		return finding.KindIOWait
	case g.members[0].Wait == stack.WaitMonitor:
		return finding.KindLockContention
	case g.of > 0 && g.isMostOfItsPool():
		return finding.KindExecutorSaturated
	}
	return finding.KindMissedSignal
}
