package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// inferHidden closes cycles over what the JVM does not count as owned: read locks
// (rldl: two threads hold the read locks of two ReentrantReadWriteLocks and want
// each other's write lock), a write lock wanted by its own reader, a StampedLock
// taken twice, the permits of semaphores, and the end of threads in Thread.join.
//
// Rule: for every thread that waits without end, list all who could end that. If
// each of them is stuck in turn, whoever it is, none will ever move. So one
// reader, runner or sleeper who might hold the lock refutes all; the dump must be
// whole, of one moment and without virtual threads, and a second one must show
// the members where they were, without any CPU used in between: a lock just
// handed over has no owner for a moment. Which of the stuck threads holds what is
// concluded from their stacks (likelyHolders).
func (g *graph) inferHidden() {
	if !g.snap.closed() {
		return
	}
	h := hidden{graph: g, able: map[int][]int{}}
	for i := range g.snap.samples {
		if able, ok := h.whoCanFree(i); ok {
			h.able[i] = able
		}
	}
	h.dropFree()
	h.close()
}

// hidden is the threads of one dump that are stuck unless one of those listed
// with them goes on.
type hidden struct {
	*graph
	able map[int][]int
}

// whoCanFree lists who could end the wait of a thread; not ok where anything could,
// or where it ends by itself.
func (h *hidden) whoCanFree(i int) (able []int, ok bool) {
	s := &h.snap.samples[i]
	if s.Thread.Role != threaddump.Application || s.timed() {
		return nil, false
	}
	if owner := h.next(i); owner != none {
		return []int{owner}, true
	}
	switch {
	case !s.waitsHidden():
		return nil, false
	case s.Stack.op.kind == opJoin:
		able = h.joinable(i)
	default:
		able = h.holders(i)
	}
	return able, len(able) > 0
}

// waitsHidden tells waits for what one of the threads holds or is, though the JVM
// does not say which.
func (s *Sample) waitsHidden() bool {
	l := s.waitsOn()
	if l == nil || l.address == 0 {
		return false
	}
	switch s.Stack.op.kind {
	case opLock, opReadLock, opPermit:
		return l.op == threaddump.Parking
	case opJoin:
		return s.wait == waitNotify
	}
	return false
}

// holders are the threads that could hold a lock of unknown owner. One that waits
// for it itself holds it only where one may ask for what one has: the reader who
// wants to write, and the owner of a stamp. (Threads that wait at one semaphore
// may be workers that wait for work.) One that pauses in the method it was started
// with counts only where the stacks speak for nobody else.
func (h *hidden) holders(i int) []int {
	w := &h.snap.samples[i]
	asking := stacksOf(h.waitersFor(w.waitsOn().address))
	var able, pausing []int
	suspected := false
	for j := range h.snap.samples {
		s := &h.snap.samples[j]
		if l := s.waitsOn(); !mayHold(s) || l != nil && l.address == w.waitsOn().address && !s.asksForMore() {
			continue
		}
		level := suspect(asking, s.Stack)
		if w.Stack.op.kind == opPermit && s.Stack.op.kind == opPermit && level == noSuspicion {
			return nil // two that have nothing to do with each other
		}
		if level == noSuspicion && s.Stack.pauses() {
			pausing = append(pausing, j)
			continue
		}
		suspected = suspected || level >= sameClass && j != i || level == beyond
		able = append(able, j)
	}
	if suspected {
		return able
	}
	return append(able, pausing...)
}

func (s *Sample) asksForMore() bool {
	op := s.Stack.op
	class := s.waitsOn().class
	return strings.HasPrefix(class, juc+"locks.StampedLock") ||
		op.kind == opLock && strings.HasPrefix(class, juc+"locks.ReentrantReadWriteLock")
}

// joinable are the threads that one in Thread.join may be waiting for. The dump
// names the class of the thread object: those of it that have a run method of
// their own show it at the bottom. Nobody joins the main thread or a worker of an
// executor while there are others.
func (h *hidden) joinable(i int) []int {
	class := h.snap.samples[i].waitsOn().class
	var able, main []int
	for j := range h.snap.samples {
		s := &h.snap.samples[j]
		n := len(s.Stack.Frames)
		if j == i || n == 0 || s.Thread.Role != threaddump.Application {
			continue
		}
		bottom := s.Stack.Frames[n-1]
		switch {
		case class == "java.lang.Thread" && bottom.Method == "main":
			main = append(main, j)
		case bottom.Class == class && s.Stack.root == nil:
			able = append(able, j)
		}
	}
	if len(able) == 0 {
		return main
	}
	return able
}

// dropFree strikes out those whom somebody outside could free, until all that is
// left is stuck.
func (h *hidden) dropFree() {
	for changed := true; changed; {
		changed = false
		for i, able := range h.able {
			if slices.ContainsFunc(able, func(j int) bool { return h.able[j] == nil }) {
				delete(h.able, i)
				changed = true
			}
		}
	}
}

// close gives what is waited for the likeliest owner among the stuck, and keeps
// those owners that are part of a cycle.
func (h *hidden) close() {
	likeliest := map[int]int{}
	for i, able := range h.able {
		likeliest[i] = h.likeliest(i, able)
	}
	for i := range h.snap.samples {
		if _, stuck := likeliest[i]; stuck && onCycle(likeliest, i) {
			h.adopt(i, likeliest[i])
		}
	}
	for i := range h.snap.samples {
		if _, stuck := h.able[i]; stuck {
			h.adopt(i, likeliest[i]) // it waits behind a cycle
		}
	}
}

// likeliest chooses whom the stacks speak for; among equals another thread before
// itself, then the first in the dump.
func (h *hidden) likeliest(i int, able []int) int {
	if len(able) == 1 {
		return able[0]
	}
	s := &h.snap.samples[i]
	asking := stacksOf(h.waitersFor(s.waitsOn().address))
	best, most := none, -1
	for _, j := range able {
		claim := 2 * int(suspect(asking, h.snap.samples[j].Stack))
		if s.Stack.op.kind == opJoin {
			claim = 2 * one(h.waitsFor(j, i))
		}
		if j != i {
			claim++
		}
		if claim > most {
			best, most = j, claim
		}
	}
	return best
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// waitsFor reports that a thread waits for another, by all that is printed.
func (h *hidden) waitsFor(j, i int) bool {
	for steps := 0; j != none && steps < len(h.waiting); steps++ {
		if j = h.next(j); j == i {
			return true
		}
	}
	return false
}

func (h *hidden) waitersFor(address uint64) []*Sample {
	var waiters []*Sample
	for i := range h.snap.samples {
		if l := h.snap.samples[i].waitsOn(); l != nil && l.address == address {
			waiters = append(waiters, &h.snap.samples[i])
		}
	}
	return waiters
}

func onCycle(next map[int]int, start int) bool {
	i := start
	for range next {
		if i = next[i]; i == start {
			return true
		}
	}
	return false
}

// adopt notes a concluded owner.
func (h *hidden) adopt(i, owner int) {
	if h.next(i) == owner {
		return
	}
	id, waits := h.lock[i]
	if !waits {
		id = lockID{address: h.snap.samples[i].waitsOn().address}
		h.lock[i] = id
		h.waiting = append(h.waiting, i)
	}
	if _, known := h.owner[id]; !known {
		h.owner[id] = owner
		h.eliminated[id] = true
	}
}

// hiddenTitle words a cycle whose owners are concluded.
func (c *cycle) hiddenTitle() string {
	names := quoteNames(c.names())
	switch {
	case c.permits:
		return fmt.Sprintf("%d threads seem to wait for each other's permits for ever: %s", len(c.members), names)
	case len(c.members) == 1 && c.members[0].sample.Stack.op.kind == opLock:
		return "thread " + names + " waits for ever for a lock that only it can be holding"
	case len(c.members) == 1:
		return "thread " + names + " waits for ever for what only it could give"
	}
	return fmt.Sprintf("%d threads block each other for ever: %s", len(c.members), names)
}

func (c *cycle) hiddenAdvice() string {
	const restart = " Only a restart frees these threads."
	for _, m := range c.members {
		op := m.sample.Stack.op.kind
		switch {
		case op == opJoin:
			return "Do not join a thread while holding what it needs to end." + restart
		case op == opPermit:
			return "Take permits in one order everywhere, or with a timeout. No dump shows who has them: " +
				"this is concluded from nobody else being left." + restart
		case len(c.members) == 1:
			return "A read lock cannot become a write lock, and a StampedLock cannot be taken twice: " +
				"release it before. No dump shows who reads: this is concluded from nobody else being left." + restart
		}
	}
	return "Take these locks in one order everywhere. No dump shows who holds a read lock: " +
		"this is concluded from nobody else being left." + restart
}

// detectHoldingJoins reports a thread that waits in Thread.join while one other
// waits for a lock that it holds: whose end it waits for no line says, and if it
// is that one's, neither goes on. (Of several waiters lock-contention tells.)
func (f *facts) detectHoldingJoins() []candidate {
	at := len(f.snaps) - 1
	h := hidden{graph: f.graph(at)}
	behind := map[int][]int{}
	for _, i := range h.waiting {
		if owner := h.next(i); owner != none && h.ends[i].cycle == none {
			behind[owner] = append(behind[owner], i)
		}
	}
	var found []candidate
	for i := range h.snap.samples {
		s := &h.snap.samples[i]
		if s.Stack.op.kind != opJoin || s.timed() || len(behind[i]) != 1 || !s.waitsHidden() {
			continue
		}
		other := &h.snap.samples[behind[i][0]]
		pair := []*Sample{s, other}
		if slices.Contains(h.joinable(i), behind[i][0]) && f.allStandStill(pair) {
			found = append(found, f.holdingJoin(at, pair))
		}
	}
	return found
}

func (f *facts) allStandStill(threads []*Sample) bool {
	return !slices.ContainsFunc(threads, func(s *Sample) bool { return !f.standingStill(f.history(s)).long() })
}

func (f *facts) holdingJoin(at int, pair []*Sample) candidate {
	joiner, other := quoteName(pair[0].Thread.Name), quoteName(pair[1].Thread.Name)
	finding := Finding{
		Severity: Warning, Confidence: Possible,
		Title: joiner + " waits for a thread to end and holds what " + other +
			" waits for; if it is that one, they block each other for ever",
		Advice:   "Do not join a thread while holding what it needs to end.",
		Culprits: f.refs(pair), Resource: atResource("thread", pair[0]),
	}
	for _, s := range pair {
		finding.Evidence = append(finding.Evidence, f.quoteLock(at, s.waitsOn()))
	}
	return candidate{Finding: finding}
}
