package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// suspicion is what the frames show of a thread that may hold what others wait for.
type suspicion uint8

const (
	// noSuspicion: nothing.
	noSuspicion suspicion = iota
	// beyond: it stands past the line where a waiter asks for it (see standsBeyond).
	beyond
)

// likelyHolders are the threads whose frames show that they hold what some threads wait for,
// where no line of the dump names an owner: read locks, stamps, permits, pooled objects, and
// locks of java.util.concurrent without -l.
//
// Rule: the holder stands in a method that a waiter is in too, at a later line, or deeper at that
// very line. A thread with nothing to do holds nothing. More than a few prove nothing.
func (f *timeline) likelyHolders(at int, waiters []*Sample) ([]*Sample, suspicion) {
	const few = 8
	var holders []*Sample
	asking := stacksOf(waiters)
	waits := make(map[*Sample]bool, len(waiters))
	for _, w := range waiters {
		waits[w] = true
	}
	for _, same := range f.busyStacks(at) {
		frames := same[0].Stack
		level := suspect(asking, frames)
		if level == noSuspicion {
			continue
		}
		between := frames.betweenRounds(level, asking)
		for _, s := range same {
			if waits[s] || between && f.ticks(at, s) {
				continue
			}
			if holders = append(holders, s); len(holders) > few {
				return nil, noSuspicion
			}
		}
	}
	if len(holders) == 0 {
		return nil, noSuspicion
	}
	return inNameOrder(holders), beyond
}

// busyStacks are the threads of a dump that may hold something, those with the same stack together,
// found once: there may be as many locks as threads.
func (f *timeline) busyStacks(at int) [][]*Sample {
	if known, ok := f.busyAt[at]; ok {
		return known
	}
	var groups [][]*Sample
	place := map[*Stack]int{}
	for i := range f.snaps[at].samples {
		s := &f.snaps[at].samples[i]
		if !mayHold(s) {
			continue
		}
		n, seen := place[s.Stack]
		if !seen {
			n = len(groups)
			place[s.Stack] = n
			groups = append(groups, nil)
		}
		groups[n] = append(groups[n], s)
	}
	if f.busyAt == nil {
		f.busyAt = map[int][][]*Sample{}
	}
	f.busyAt[at] = groups
	return groups
}

// mayHold tells threads of the program that are in the middle of something.
func mayHold(s *Sample) bool {
	return s.Thread.Role == threaddump.Application && s.Stack.Application != nil &&
		(s.resting() == nil || s.Stack.op.kind == opSleep)
}

// pausesInMain tells a main method that keeps its JVM alive: it sleeps, in its own
// class.
func pausesInMain(s *Stack) bool {
	if s.op.kind != opSleep {
		return false
	}
	bottom := s.Frames[len(s.Frames)-1]
	return bottom.Method == "main" && !slices.ContainsFunc(s.program(), func(f *threaddump.Frame) bool {
		return f.Class != bottom.Class
	})
}

// pauses tells a stack that sleeps in the method it was started with.
func (s *Stack) pauses() bool {
	return s.op.kind == opSleep && s.root == nil && len(inner(s.program())) < 2
}

// ticks tells a thread that pauses and comes back, again and again: it was woken
// since the last dump. Where its CPU is unknown it may be.
func (f *timeline) ticks(at int, s *Sample) bool {
	if !s.Stack.pauses() || len(f.snaps) < 2 {
		return false
	}
	before := f.history(s).sampleAt(at - 1)
	if before == nil {
		before = f.history(s).sampleAt(at + 1)
	}
	if before == nil {
		return true
	}
	used := max(before.cpu, s.cpu) - min(before.cpu, s.cpu)
	return before.cpu == unknown || s.cpu == unknown || used > int64(wakeCost)
}

// closed reports that the dump shows every thread there is: not cut off, at one
// moment, and without virtual threads, of which most are not shown.
func (s *snapshot) closed() bool {
	if !s.instant || !s.whole() {
		return false
	}
	for i := range s.samples {
		if t := &s.samples[i]; t.Thread.Virtual || t.carrier != 0 {
			return false
		}
	}
	return true
}

// stacksOf are the different stacks of some threads, as many as need be compared.
func stacksOf(threads []*Sample) []*Stack {
	const enough = 8
	var stacks []*Stack
	for _, t := range inNameOrder(threads) {
		if len(stacks) < enough && !slices.Contains(stacks, t.Stack) {
			stacks = append(stacks, t.Stack)
		}
	}
	return stacks
}

// suspect is what a stack shows of holding what others ask for.
func suspect(asking []*Stack, s *Stack) suspicion {
	if slices.ContainsFunc(asking, func(w *Stack) bool { return w.standsBeyond(s) }) {
		return beyond
	}
	return noSuspicion
}

// suspects compares the stack of a waiter with that of another thread.
func (w *Stack) suspects(other *Stack) suspicion { return suspect([]*Stack{w}, other) }

// standsBeyond reports that another stack has come past where w waits: it is in a method of w,
// at a later line, or in a call of the program at the line where w asks. A lock is taken and
// given back in one method: of a waiter for a lock only the method that asks counts.
func (w *Stack) standsBeyond(other *Stack) bool {
	mine, theirs := w.program(), other.program()
	if shortOf(theirs, mine) {
		return false
	}
	if w.op.kind == opLock || w.op.kind == opReadLock {
		if len(mine) == 0 || mine[0] != w.op.caller {
			return false
		}
		mine = mine[:1]
	}
	for i, a := range mine {
		for k, b := range theirs {
			further := b.Line > a.Line || b.Line == a.Line && i == 0 && k > 0
			if a.Class == b.Class && a.Method == b.Method && a.Line > 0 && further {
				return true
			}
		}
	}
	return false
}

// betweenRounds tells a stack that pauses in the method it was started with, where nothing
// speaks for it to hold something, or no more than that others of its kind ask for that in a
// call which it has come past: a loop has most likely given back there what it got.
func (s *Stack) betweenRounds(level suspicion, asking []*Stack) bool {
	if !s.pauses() || level == noSuspicion {
		return s.pauses()
	}
	return level == beyond && !slices.ContainsFunc(asking, func(w *Stack) bool {
		return slices.ContainsFunc(w.begun(), func(a *threaddump.Frame) bool { return isIn(a, s) })
	})
}

// shortOf reports that a stack came the same way as another and stands in a line of the
// same method before it: it has not yet asked for what the other asks for.
func shortOf(s, other []*threaddump.Frame) bool {
	for n := 1; n <= min(len(s), len(other)); n++ {
		a, b := s[len(s)-n], other[len(other)-n]
		if a.Text != b.Text {
			return a.Class == b.Class && a.Method == b.Method && 0 < a.Line && a.Line < b.Line
		}
	}
	return false
}

// program are the application's own frames, innermost first; never write to them.
func (s *Stack) program() []*threaddump.Frame { return s.own }

// inner leaves out what a thread was started with: in a small program all threads
// share that class.
func inner(frames []*threaddump.Frame) []*threaddump.Frame {
	for n := len(frames); n > 0; n-- {
		if f := frames[n-1]; !isStart(f) {
			return frames[:n:n]
		}
	}
	return nil
}

func isStart(f *threaddump.Frame) bool {
	return f.Method == "main" || f.Method == "run" || f.Method == "call" || strings.HasPrefix(f.Method, "lambda$")
}

// blameHolders names the threads whose frames show that they hold a lock of which no line of the
// dump names the owner.
func (f *facts) blameHolders(result *Finding, q *queue) {
	holders, why := f.likelyHolders(q.at, q.waiters)
	if why == noSuspicion {
		return
	}
	result.Confidence = Likely
	behind, roots := f.rootsOf(q.at, holders)
	result.Culprits = f.refs(roots)
	result.Victims = append(result.Victims, f.refs(behind)...)
	result.Title = fmt.Sprintf("%s held by %s while %s", f.waitersWords(q)+" for "+q.object(), quoteThreads(holders), f.doing(holders)) +
		f.heldBy(holders, behind, roots)
	result.Advice = "Do less while holding this lock. The owner is concluded from frames: " + ownerless(q) + "."
	result.Evidence = append(result.Evidence, f.standEvidence(q.at, holders)...)
}

// ownerless is why a dump names no owner of the lock.
func ownerless(q *queue) string {
	if shared(q) {
		return "this kind of lock has no owner in a dump"
	}
	return "the dump names no owner of this lock"
}

// shared tells a lock that several may hold, of whom none is named by any dump.
func shared(q *queue) bool {
	return q.isStamped() || strings.HasPrefix(q.class, juc+"locks.ReentrantReadWriteLock")
}

func (q *queue) isStamped() bool { return strings.HasPrefix(q.class, juc+"locks.StampedLock") }

// heldBy completes what holders do, if all of them wait for what one thread holds.
func (f *facts) heldBy(holders, behind, roots []*Sample) string {
	if len(behind) < len(holders) || len(roots) != 1 {
		return ""
	}
	return fmt.Sprintf(" that %s holds while it %s", roots[0].Thread.called(), f.phrase(roots[0]))
}

// rootsOf follows threads that wait for a known owner to the end of their chain: they
// are behind it, and it is to blame. Those that wait for nobody known are roots.
func (f *lockFacts) rootsOf(at int, threads []*Sample) (behind, roots []*Sample) {
	g := f.graph(at)
	ends := map[*Sample]*Sample{}
	for _, i := range g.waiting {
		if root := g.ends[i].root; root != none {
			ends[&g.snap.samples[i]] = &g.snap.samples[root]
		}
	}
	for _, t := range threads {
		root := ends[t]
		if root == nil || root == t {
			root = t
		} else {
			behind = append(behind, t)
		}
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return behind, roots
}

func seemsOf(holders []*Sample) string {
	if len(holders) == 1 {
		return quoteThreads(holders) + " seems"
	}
	return quoteThreads(holders) + " seem"
}

// doing words what threads do that hold others up, if all do the same.
func (f *facts) doing(holders []*Sample) string {
	phrase := f.phrase(holders[0])
	for _, h := range holders {
		if f.phrase(h) != phrase {
			return "they do different things"
		}
	}
	if len(holders) > 1 {
		return "each of them " + phrase
	}
	return "it " + phrase
}

// standEvidence quotes the application frame where each of the first few threads
// stands.
func (f *timeline) standEvidence(at int, threads []*Sample) []Evidence {
	const shown = 3
	var quotes []Evidence
	for _, s := range inNameOrder(threads) {
		if i := slices.Index(s.Stack.Frames, s.Stack.Application); i >= 0 && len(quotes) < shown {
			quotes = append(quotes, f.quoteFrame(at, s, i))
		}
	}
	return quotes
}

func inNameOrder(threads []*Sample) []*Sample {
	ordered := slices.Clone(threads)
	slices.SortStableFunc(ordered, func(a, b *Sample) int {
		return cmp.Or(cmp.Compare(a.Thread.Name, b.Thread.Name), cmp.Compare(a.Thread.ID, b.Thread.ID))
	})
	return ordered
}
