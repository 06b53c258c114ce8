package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// suspicion is how much speaks for a thread to hold what others wait for.
type suspicion uint8

const (
	// noSuspicion: nothing but that the thread exists.
	noSuspicion suspicion = iota
	// lastSuspect: nobody else is left who could hold it.
	lastSuspect
	// sameClass: it is inside the class that the waiters call.
	sameClass
	// beyond: it is in a method that a waiter is in as well, at a later line than the
	// one where the waiter asks for it, or at that line in a call of the program's own.
	beyond
)

// likelyHolders concludes from stacks who holds what some threads wait for, where
// the dump does not tell: read locks, stamps, permits, pooled objects, and locks
// of java.util.concurrent without -l.
//
// Rule: the holder has been where the waiters are and has gone on. It stands in a
// method that one of them is in too, but at a later line, or deeper at that very line; else
// inside the class that asks for the lock, below the method it was started with. A thread with
// nothing to do holds nothing. Where the stacks say nothing, and one thread alone
// is left that has work, it is that one. More than a few of equal claim are no
// answer.
func (f *facts) likelyHolders(at int, waiters []*Sample) ([]*Sample, suspicion) {
	const few = 8
	var best []*Sample
	most, busy := noSuspicion, 0
	asking := stacksOf(waiters)
	levels := map[*Stack]suspicion{}
	waits := make(map[*Sample]bool, len(waiters))
	for _, w := range waiters {
		waits[w] = true
	}
	for i := range f.snaps[at].samples {
		s := &f.snaps[at].samples[i]
		if !mayHold(s) || waits[s] {
			continue
		}
		level, known := levels[s.Stack]
		if !known {
			level = suspect(asking, s.Stack)
			levels[s.Stack] = level
		}
		idle := level < beyond && pausesInMain(s.Stack) || s.Stack.betweenRounds(level, asking) && f.ticks(at, s)
		if idle {
			continue
		}
		busy++
		if level > most {
			best, most = nil, level
		}
		if level == most {
			best = append(best, s)
		}
	}
	switch {
	case busy == 1 && most == noSuspicion && f.snaps[at].closed():
		most = lastSuspect
	case most == noSuspicion || len(best) > few || most == sameClass && len(best) > len(waiters):
		return nil, noSuspicion
	}
	return inNameOrder(best), most
}

// mayHold tells threads of the program that are in the middle of something.
func mayHold(s *Sample) bool {
	return s.Thread.Role == threaddump.Application && s.Stack.Application != nil &&
		(s.resting() == nil || s.Stack.op.kind == opSleep)
}

// provesAll reports that the dump shows every thread, as far as one of its format can
// prove it: up to JDK 10, and in other tools' formats, there is no list of threads to
// compare with.
func (s *snapshot) provesAll() bool { return s.closed() && !s.mayLack() }

// mayLack reports that threads may be lost from the dump.
func (s *snapshot) mayLack() bool {
	const lists = 11
	return !s.whole() || s.instant && !s.complete && majorOf(s.version) >= lists
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
func (f *facts) ticks(at int, s *Sample) bool {
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

// suspect is the most that speaks for a stack to hold what others ask for.
func suspect(asking []*Stack, s *Stack) suspicion {
	most := noSuspicion
	for _, w := range asking {
		most = max(most, w.suspects(s))
	}
	return most
}

// suspects compares the stack of a waiter with that of another thread.
func (w *Stack) suspects(other *Stack) suspicion {
	mine, theirs := w.program(), other.program()
	if shortOf(theirs, mine) {
		return noSuspicion
	}
	for i, a := range mine {
		for k, b := range theirs {
			further := b.Line > a.Line || b.Line == a.Line && i == 0 && k > 0 // in a call after the waiter's
			if a.Class == b.Class && a.Method == b.Method && a.Line > 0 && further {
				return beyond
			}
		}
	}
	for n, a := range inner(mine)[:min(2, len(inner(mine)))] {
		for _, b := range inner(theirs) {
			if a.Class == b.Class && (n == 0 || !isStart(a)) {
				return sameClass
			}
		}
	}
	return noSuspicion
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

// blameHolders names who is likely to hold a lock of which no dump tells the
// owner. Nobody means that its owner may have ended: then the waiters are all that
// can be shown.
func (f *facts) blameHolders(finding *Finding, q *queue) {
	holders, why := f.likelyHolders(q.at, q.waiters)
	if why == noSuspicion {
		writer, readers := q.loneWriter()
		if nobody := f.nobodyHolds(q); nobody && q.mayBlockItself() {
			tellItself(finding, q)
		} else if writer != nil && len(readers) > 0 && f.snaps[q.at].tellsOwners() && !f.seenAt(q) && f.stoodThroughout([]*Sample{writer}) {
			f.tellWriter(finding, q, writer, readers)
		} else if nobody {
			finding.Title = fmt.Sprintf("%s; no thread in the dump can be holding it%s", q.wait(), f.snaps[q.at].unlessMain())
			finding.Advice = lostAdvice(q)
			finding.Culprits, finding.Victims = finding.Victims, nil
		} else if len(q.waiters) == 1 {
			finding.Title = q.wait() + " while all others pause; no dump tells who holds it"
			finding.Culprits, finding.Victims = finding.Victims, nil
		}
		return
	}
	finding.Confidence = Likely
	if why == lastSuspect {
		finding.Confidence = Possible
	}
	behind, roots := f.rootsOf(q.at, holders)
	finding.Culprits = f.refs(roots)
	finding.Victims = append(finding.Victims, f.refs(behind)...)
	finding.Title = fmt.Sprintf("%s that %s to hold while %s", q.wait(), seemsOf(holders), f.doing(holders)) + f.heldBy(holders, behind, roots)
	finding.Advice = "No dump shows who holds it: this is concluded from where the threads stand. " +
		"Do less while holding this lock."
	if why < beyond && shared(q) {
		finding.Advice = "No dump shows who holds it: this is concluded from where the threads stand. If none of them does, " +
			"somebody went on without giving it back: release it in a finally block."
	}
	finding.Evidence = append(finding.Evidence, f.standEvidence(q.at, holders)...)
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
func (f *facts) rootsOf(at int, threads []*Sample) (behind, roots []*Sample) {
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

// nobodyHolds reports that no thread of a whole dump has work in which it could
// hold a lock, but those that wait for it. A main method that sleeps may read, but
// its ReentrantLock would be seen in a dump with locks.
func (f *facts) nobodyHolds(q *queue) bool {
	s := f.snaps[q.at]
	// the first dump format, which lists no threads to compare with
	listed := !s.instant && majorOf(s.version) >= firstMonitors // by Java code, with all virtual threads and their states
	if !listed && !s.provesAll() {
		return false
	}
	for i := range s.samples {
		h := &s.samples[i]
		reads := !strings.HasPrefix(q.class, juc+"locks.ReentrantLock$") || !pausesInMain(h.Stack)
		if mayHold(h) && reads && !slices.Contains(q.waiters, h) && !f.ticks(q.at, h) {
			return false
		}
	}
	return true
}

// unlessMain excepts a main method that sleeps from those of whom it is said that they hold
// no lock: what Java code writes tells of no lock that a platform thread has.
func (s *snapshot) unlessMain() string {
	for i := range s.samples {
		if h := &s.samples[i]; !s.instant && mayHold(h) && pausesInMain(h.Stack) {
			return fmt.Sprintf(", unless %s does, which sleeps", h.Thread.called())
		}
	}
	return ""
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
func (f *facts) standEvidence(at int, threads []*Sample) []Evidence {
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
