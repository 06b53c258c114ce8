package analysis

import (
	"cmp"
	"fmt"
	"slices"

	"jstall/threaddump"
)

// A pool is named by its crowd from crowdOfPool threads on that make up crowdShare of it.
const (
	crowdOfPool = 3
	crowdShare  = 0.8
)

// sameCall is threads that stand in one blocking call of the application.
type sameCall struct {
	call    *threaddump.Frame
	members []*Sample
	// of counts the threads of the pool that all of them belong to, 0 if they are of several.
	of   int
	pool string
}

// sameCalls reports threads that stand in the same blocking call of the program and that no
// finding names: their number alone is news.
//
// Rule: at least ten threads, or three that are four fifths of their pool, wait in one call
// of the program in the middle of a task, or for something other than the next job. Threads
// at rest, threads that pause and threads that were woken between the dumps are none.
//
// From: 198 of 199 threads of a web server in HttpOutput.close; all threads of a Jetty in a
// write to one slow client.
func (f *poolFacts) sameCalls(told []candidate) []candidate {
	known := namedIn(told)
	groups, taken := map[string]*sameCall{}, map[string]bool{}
	judged := f.awaitingResults()
	for _, h := range f.alive() {
		s := h.last()
		call := s.blockingCall()
		switch {
		case call == nil, judged[f.poolOf(h)], len(f.snaps) > 1 && !f.neverWoke(h):
		case known[threadName{s.Thread.Name, s.Thread.ID, s.Thread.NativeID}]:
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
	sizes := f.poolSizes()
	var found []candidate
	for _, g := range groups {
		g.nameThePool(sizes)
		if !taken[g.call.Name()] && (len(g.members) >= crowdLimit || g.isMostOfItsPool() && !g.mayConsume()) {
			found = append(found, candidate{Finding: f.sameCallFinding(g)})
		}
	}
	return found
}

// awaitingResults are the executors whose workers all wait for results: standstill has judged them.
// Those that call a client wait for its answers.
func (f *poolFacts) awaitingResults() map[*pool]bool {
	awaiting := map[*pool]bool{}
	for _, p := range f.executors() {
		asks := slices.ContainsFunc(p.busy, func(h *history) bool { return h.last().asksByLibrary() })
		awaiting[p] = !asks && f.allStandForOthers(p)
	}
	return awaiting
}

// threadName is what findings tell threads apart by.
type threadName struct {
	name         string
	id, nativeID int64
}

func threadOf(r ThreadRef) threadName { return threadName{r.Name, r.ID, r.NativeID} }

// namedIn are the threads that findings name.
func namedIn(all []candidate) map[threadName]bool {
	known := map[threadName]bool{}
	for _, c := range all {
		for _, r := range slices.Concat(c.Culprits, c.Victims) {
			known[threadOf(r)] = true
		}
	}
	return known
}

// blockingCall is the call of the program that a thread is stuck in, nil for one that works,
// rests or pauses, and for one that waits for its next job.
func (s *Sample) blockingCall() *threaddump.Frame {
	if s.Thread.Role != threaddump.Application || s.resting() != nil || s.wait == running || s.wait == waitSleep || s.wait == waitUnknown {
		return nil
	}
	call := s.Stack.decisive()
	if call == nil || s.wait == waitSelect || s.wait == waitWork {
		return nil
	}
	switch s.Stack.op.kind {
	case opSleep, opSelect, opAccept, opTermination:
		return nil
	case opTake, opNotify, opCondition, opPark, opNone, opRead:
		if s.wait != waitMonitor && (s.timed() || !s.inTask()) {
			return nil
		}
	}
	return call
}

// inTask reports that the thread is a worker of a pool, and that more than a loop which waits
// for the next job stands between its start and its wait: two methods of the program, or a
// library that it called.
func (s *Sample) inTask() bool {
	root := s.Stack.root
	if root == nil || root.kind != rootPool && root.kind != rootForkJoin || s.Stack.Application == nil {
		return false
	}
	return len(inner(s.Stack.program())) > 1 || s.Stack.decisive() != s.Stack.Application
}

// decisive is the frame that tells most of a wait: the call of a library that the program
// made, or the program's own first frame; without a program the first that is not the JDK's.
func (s *Stack) decisive() *threaddump.Frame {
	var call *threaddump.Frame
	for _, f := range s.Frames {
		switch {
		case f == s.Application && call == nil:
			return f
		case f == s.Application:
			return call
		case originOf(f) == ofJDK:
		case s.Application == nil:
			return f
		default:
			call = f
		}
	}
	return call
}

// poolSizes counts the program's threads by the pattern of their names.
func (f *timeline) poolSizes() map[string]int {
	sizes := map[string]int{}
	for _, h := range f.alive() {
		if h.thread.Role == threaddump.Application {
			sizes[PoolName(h.thread.Name)]++
		}
	}
	return sizes
}

func (g *sameCall) nameThePool(sizes map[string]int) {
	name := PoolName(g.members[0].Thread.Name)
	if slices.ContainsFunc(g.members, func(s *Sample) bool { return PoolName(s.Thread.Name) != name }) {
		return
	}
	g.pool, g.of = name, sizes[name]
}

func (g *sameCall) isMostOfItsPool() bool {
	n := len(g.members)
	workers := !slices.ContainsFunc(g.members, func(s *Sample) bool { return !s.inTask() })
	return workers && n >= crowdOfPool && float64(n) >= crowdShare*float64(g.of) && g.of > 0
}

// mayConsume reports that the members may wait for their next item in a queue of the program's own.
func (g *sameCall) mayConsume() bool {
	switch s := g.members[0]; s.Stack.op.kind {
	case opTake, opNotify, opCondition, opPark:
		return g.call == s.Stack.Application && s.wait != waitMonitor
	}
	return false
}

func (f *timeline) sameCallFinding(g *sameCall) Finding {
	members := slices.Clone(g.members)
	slices.SortFunc(members, func(a, b *Sample) int {
		return cmp.Or(cmp.Compare(a.Thread.Name, b.Thread.Name), cmp.Compare(a.Thread.ID, b.Thread.ID))
	})
	who := Counted(len(members), "thread")
	if g.of > 0 {
		who = fmt.Sprintf("%s of %s threads %s", Thousands(len(members)), Thousands(g.of), quoteName(g.pool))
	}
	return Finding{
		Kind: g.kind(), Severity: Info, Confidence: Possible,
		Title:    fmt.Sprintf("%s %s in %s", who, verb(len(members), "waits", "wait"), g.call.Name()),
		Advice:   "Check what this call waits for, and set a time limit on it.",
		Culprits: f.refs(members), Evidence: f.callEvidence(members, g.call),
	}
}

// callEvidence quotes the call where the first members stand in it.
func (f *timeline) callEvidence(members []*Sample, call *threaddump.Frame) []Evidence {
	const shown = 3
	var quotes []Evidence
	for _, s := range members[:min(shown, len(members))] {
		if i := slices.IndexFunc(s.Stack.Frames, func(fr *threaddump.Frame) bool { return fr.Name() == call.Name() }); i >= 0 {
			quotes = append(quotes, f.quoteFrame(len(f.snaps)-1, s, i))
		}
	}
	return quotes
}

// kind is what the members wait for most of all.
func (g *sameCall) kind() Kind {
	switch g.members[0].Stack.op.kind {
	case opRead, opWrite, opConnect, opOpen, opFileLock, opProcess:
		return KindIOWait
	case opLock, opReadLock:
		return KindLockContention
	case opPermit:
		return KindResourceExhausted
	case opPut:
		return KindQueueFull
	}
	switch {
	case g.members[0].asksByLibrary():
		return KindIOWait
	case g.members[0].wait == waitMonitor:
		return KindLockContention
	case g.of > 0 && g.isMostOfItsPool():
		return KindExecutorSaturated
	}
	return KindMissedSignal
}
