package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// Thresholds of spin.
const (
	// spinWish is the part of a core that a spinner wants at least; it yields, or
	// shares the cores with others that spin.
	spinWish = 0.5
	// spinRuns is what it must get of that: one that hardly runs is starved, and what it does
	// when it does run two dumps cannot tell.
	spinRuns = 0.03
	// spinAtWait is the same for a thread that is only ever seen where one waits: a
	// busy event loop is seen at its work too.
	spinAtWait = 0.8
	// spinDumps is how many dumps must show it asking.
	spinDumps = 2
	// spinAllocation is what a thread may allocate in a second and still do nothing: a
	// lock makes a node for whoever has to wait for a moment. Work makes a hundred times
	// as much, or nothing.
	spinAllocation = 1 << 20
	// rushAllocation is the same for a thread that is only ever seen where one waits: each
	// of a million rounds in a second makes an iterator or a node.
	rushAllocation = 128 << 20
	// selectAllocation is the same for one that goes round through a selector: that makes a
	// node for each key that is ready, on a fast machine a million times as well.
	selectAllocation = 400 << 20
)

// spinRule lists methods that ask for something and return at once, whatever the
// answer. The class is a prefix; methods are prefixes separated by blanks.
type spinRule struct{ class, methods string }

// spinRules are the JDK's, 8 to 28. The compiler makes most of them disappear from
// compiled code, where a spinning loop looks like one that computes: then the
// thread is found as a hot-thread.
var spinRules = [...]spinRule{
	{"java.lang.Thread", "yield onSpinWait isInterrupted interrupted isAlive"},
	{juc + "locks.", "tryLock tryAcquire nonfairTryAcquire isLocked tryReadLock tryWriteLock tryConvert tryOptimisticRead validate"},
	{juc + "Semaphore", "tryAcquire"},
	{juc + "atomic.", "compareAnd weakCompareAnd getAnd get length"},
	{juc + "CountDownLatch", "getCount"},
	{juc + "FutureTask", "isDone isCancelled"},
	{juc + "CompletableFuture", "isDone"},
	{"jdk.internal.misc.Unsafe", "compareAnd weakCompareAnd getInt getLong getReference"},
	{"sun.misc.Unsafe", "compareAnd getInt getLong getObject"},
	{"java.lang.invoke.VarHandle", "compareAnd weakCompareAnd get"},
	{"sun.nio.ch.SelectorImpl", "selectNow"},
	{"java.lang.System", "nanoTime currentTimeMillis"},
}

// spinner is a thread that spins, with what it is seen asking.
type spinner struct {
	h      *history
	sample *Sample
	// with is where another spinner asks, whose companion this one is; nil if it is none.
	with *Sample
	asks string
	// times is how many dumps show it so.
	times int
	// idles tells a library's own waiting by spinning, which is meant so.
	idles bool
}

// detectSpin reports threads that burn CPU without getting on.
//
// Rule: a thread of the program wants at least half a core, and at least two dumps
// and half of them show it in a method that asks and returns at once (yield,
// onSpinWait, tryLock, compareAndSet, poll of a queue), allocating next to
// nothing; of several with the same work, two dumps and a third of all they are in,
// where they try locks and give way those too that show one at a lock; or it wants most
// of a core while every one of at least three dumps shows it where one waits, or most of
// them in a selector that returns at once (see selecting), whatever its rounds allocate,
// or at one line of a method that says by its name that it waits or locks, which calls
// nothing. Several with the same work are one finding; who stands further on in the
// method that called it, and so seems to hold what they want, is named; where a dump with
// locks shows each of them to own one, it is a livelock. An update of a ConcurrentHashMap
// from within an update counts as asking: up to JDK 8 it waits so for itself. A library
// that is known to wait so (Disruptor, Aeron) is a hint, and so is a thread that any dump shows
// in a pause with a time limit, such as a sleep or a timed await. Of virtual threads those are told of
// that leave no carrier to others (see virtual_spin.go).
func detectSpin(f *facts) []candidate {
	byWork := map[string][]spinner{}
	for _, s := range f.withCompanions(f.spinners()) {
		work := cmp.Or(s.with, s.sample).Stack.Work()
		byWork[work] = append(byWork[work], s)
	}
	found := append(f.polls(), f.carriersAsk()...)
	for _, group := range byWork {
		found = append(found, f.spinFinding(group))
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Compare(a.Title, b.Title) })
	return found
}

// spinners are in the order of the dump.
func (f *timeline) spinners() []spinner {
	var all []spinner
	var rare []spinner // seen to ask now and then, or not at all
	if !f.measurable() {
		return nil
	}
	for _, h := range f.alive() {
		wants := h.wanted()
		if !h.thread.program() || !wants.Known || wants.Value < companionWish || h.share().Value < spinRuns || len(h.samples) < spinDumps {
			continue
		}
		if h.allocates(selectAllocation) {
			continue
		}
		if s := h.selecting(); s != nil && wants.Value >= spinAtWait {
			all = append(all, spinner{h: h, sample: s, asks: s.Stack.op.frame.Name()})
			continue
		} else if h.allocates(rushAllocation) {
			continue
		}
		works := h.allocates(spinAllocation) || wants.Value < spinWish
		s := h.asking()
		if !works && s.times >= spinDumps && 2*s.times >= len(h.samples) {
			all = append(all, s)
		} else if b, ok := f.barred(h); ok && !works {
			all = append(all, b)
		} else if r, ok := h.rushing(); ok && wants.Value >= spinAtWait {
			all = append(all, r)
		} else if !h.allocates(asideAllocation) {
			rare = append(rare, s)
		}
	}
	return append(all, together(rare)...)
}

// allocates reports that a thread makes so many bytes of objects in a second: it does
// something.
func (h *history) allocates(each float64) bool {
	return h.allocated.Known && float64(h.allocated.Value) > each*max(1, h.elapsed.Value.Seconds())
}

// asking finds the dumps that show the thread in a method that returns at once.
func (h *history) asking() spinner {
	found := spinner{h: h}
	for _, s := range h.samples {
		if name := askedIn(s); name != "" {
			found.sample, found.asks = s, name
			found.idles = waitsBySpinning(s.Stack)
			found.times++
		}
	}
	return found
}

// askedIn is the asking method on top of a running thread's stack; empty if there is
// none.
func askedIn(s *Sample) string {
	if s.wait != running {
		return ""
	}
	if s.Stack.updatesWithin() {
		return s.Stack.Frames[0].Name()
	}
	return s.Stack.asksIn()
}

// asksIn is the outermost asking method, which the program called, above the first frame
// that is not the JDK's; empty if there is none.
func (s *Stack) asksIn() string {
	asks := ""
	for _, fr := range s.Frames {
		if !isJDK(fr) {
			break
		}
		if isAsking(fr) {
			asks = fr.Name()
		}
	}
	return asks
}

func isAsking(fr *threaddump.Frame) bool {
	for _, r := range &spinRules {
		if strings.HasPrefix(fr.Class, r.class) && hasAnyPrefix(fr.Method, r.methods) {
			return true
		}
	}
	return strings.HasPrefix(fr.Class, juc) && IsQueue(fr.Class) && hasAnyPrefix(fr.Method, "poll peek isEmpty")
}

// rushing is a thread that every dump shows where one waits, the same place.
func (h *history) rushing() (spinner, bool) {
	first := h.samples[0]
	if len(h.samples) <= spinDumps {
		return spinner{}, false
	}
	for _, s := range h.samples {
		switch s.wait {
		case waitSelect, waitSleep, waitPark, waitNotify, waitCondition:
		default:
			return spinner{}, false
		}
		if s.Stack.Work() != first.Stack.Work() {
			return spinner{}, false
		}
	}
	last := h.last()
	return spinner{h: h, sample: last, asks: cmp.Or(last.Stack.asksIn(), last.Stack.Frames[0].Name()), idles: waitsBySpinning(last.Stack)}, true
}

// waitsBySpinning tells the strategies of libraries that burn a core on purpose.
func waitsBySpinning(s *Stack) bool {
	return slices.ContainsFunc(s.Frames, func(fr *threaddump.Frame) bool {
		return strings.HasSuffix(fr.Class, "WaitStrategy") || strings.HasSuffix(fr.Class, "IdleStrategy")
	})
}

func (f *timeline) spinFinding(group []spinner) candidate {
	slices.SortStableFunc(group, func(a, b spinner) int {
		return cmp.Or(cmp.Compare(a.h.thread.Name, b.h.thread.Name), cmp.Compare(a.h.thread.ID, b.h.thread.ID))
	})
	result := Finding{
		Severity: Warning, Confidence: Likely, Title: spinTitle(group), Advice: f.spinAdvice(group),
		Victims: f.refs(f.askersOfSpinners(group)),
	}
	for _, s := range group {
		r := f.ref(s.sample)
		r.State = s.h.last().shown().String()
		result.Culprits = append(result.Culprits, r)
		if e, ok := f.topEvidence(s.h, s.sample); ok {
			result.Evidence = append(result.Evidence, e)
		}
		if e, ok := f.workEvidence(s.h, s.sample); ok {
			result.Evidence = append(result.Evidence, e)
		}
		if s.idles || s.h.pausesInBetween() {
			result.Severity, result.Confidence = Info, Possible
		}
	}
	if held := f.heldWhileAsking(group); len(held) > 0 {
		result.Title += ", each with a lock in its hands: each seems to want another's (livelock)"
		result.Advice = "Take these locks in one order everywhere, or give up the one that is held before trying again, after a pause of random length."
		result.Evidence = append(held, result.Evidence...)
	}
	if owner := f.further(group[0].sample.Stack); owner != nil {
		s := owner.last()
		result.Title += fmt.Sprintf("; %s seems to hold what %s, and %s", owner.thread.called(), verb(len(group), "it wants", "they want"), s.phrase())
		result.Evidence = append(result.Evidence, f.standEvidence(len(f.snaps)-1, []*Sample{s})...)
	}
	return candidate{Finding: result, behind: spinsBehind(&result)}
}

// pausesInBetween reports that a dump shows the thread in a pause with a time limit, other than at a
// selector: it gives the CPU up between its looks.
func (h *history) pausesInBetween() bool {
	return slices.ContainsFunc(h.samples, func(s *Sample) bool {
		switch s.Stack.op.kind {
		case opSleep, opPark, opNotify, opCondition, opLatch, opBarrier, opExchange, opPermit, opResult, opJoin, opLock, opTake:
			return s.timed()
		}
		return false
	})
}

// askersOfSpinners are those that wait for the end or the result of one that spins.
func (f *timeline) askersOfSpinners(group []spinner) []*Sample {
	spinning := make([]*history, len(group))
	for i, s := range group {
		spinning[i] = s.h
	}
	return f.askers(spinning)
}

// spinsBehind tells of threads that want for a CPU for no more than to spin: one that
// steps aside for others always waits for one.
func spinsBehind(spin *Finding) func(effect *Finding) bool {
	spins := newBlame(spin).culprits
	return func(effect *Finding) bool {
		return effect.Kind == KindCPUStarved && spin.Severity != Info && !slices.ContainsFunc(effect.Culprits, func(r ThreadRef) bool {
			return !spins[threadIDOf(r)]
		})
	}
}

// topEvidence quotes the top frame of a sample.
func (f *timeline) topEvidence(h *history, s *Sample) (Evidence, bool) {
	i := slices.Index(h.samples, s)
	if i < 0 || len(s.Stack.Frames) == 0 || s.Stack.Frames[0] == s.Stack.Application {
		return Evidence{}, false
	}
	return f.quoteFrame(int(h.at[i]), s, 0), true
}
