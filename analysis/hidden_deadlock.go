package analysis

import (
	"cmp"
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
	h := hidden{graph: g, able: map[int][]int{}, claimed: map[uint64]*claims{}}
	if h.tooMany() {
		return
	}
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
	able    map[int][]int
	claimed map[uint64]*claims // by the lock's address
}

// mostHidden is for how many objects, and threads that join, all threads are looked through;
// where there are more nothing is concluded.
const mostHidden = 500

func (h *hidden) tooMany() bool {
	objects, joins := map[uint64]bool{}, 0
	for i := range h.snap.samples {
		s := &h.snap.samples[i]
		switch {
		case s.Thread.Role != threaddump.Application || s.timed() || h.next(i) != none || !s.waitsHidden():
		case s.Stack.op.kind == opJoin:
			joins++
		default:
			objects[s.waitsOn().address] = true
		}
	}
	return len(objects)+joins > mostHidden
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
		able = h.claimsOn(s).able
	}
	return able, len(able) > 0 && len(able) <= mostAble
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

// mostAble is how many threads may be able to free one: of more nothing can be
// concluded.
const mostAble = 64

// claims are the threads that could hold one lock of unknown owner.
type claims struct {
	asking []*Stack // that wait for it
	levels map[*Stack]suspicion
	able   []int
	self   []int // of the waiters, once asked for
	asked  bool
}

// levelOf is what speaks for a stack to hold the lock.
func (c *claims) levelOf(s *Stack) suspicion {
	level, known := c.levels[s]
	if !known {
		level = suspect(c.asking, s)
		c.levels[s] = level
	}
	return level
}

// claimsOn are those on what a thread waits for.
func (h *hidden) claimsOn(s *Sample) *claims {
	address := s.waitsOn().address
	c := h.claimed[address]
	if c == nil {
		c = &claims{asking: stacksOf(h.waitersFor(address)), levels: map[*Stack]suspicion{}}
		c.able = h.holders(s, c)
		h.claimed[address] = c
	}
	return c
}

// holders are the threads that could hold what one waits for. One that waits for it
// itself holds it only where one may ask for what one has: the reader who wants to
// write, and the owner of a stamp. (Threads that wait at one semaphore may be
// workers that wait for work.) One that pauses in the method it was started with
// counts only where the stacks speak for nobody else.
func (h *hidden) holders(w *Sample, c *claims) []int {
	var able, pausing []int
	suspected := false
	for j := range h.snap.samples {
		s := &h.snap.samples[j]
		l := s.waitsOn()
		same := l != nil && l.address == w.waitsOn().address
		if !mayHold(s) || same && !s.asksForMore() {
			continue
		}
		level := c.levelOf(s.Stack)
		if w.Stack.op.kind == opPermit && s.Stack.op.kind == opPermit && level == noSuspicion {
			return nil // two that have nothing to do with each other
		}
		if s.Stack.betweenRounds(level, c.asking) || level < beyond && pausesInMain(s.Stack) {
			pausing = append(pausing, j)
			continue
		}
		suspected = suspected || level == beyond || level == sameClass && (!same || entersTwice(s.Stack))
		able = append(able, j)
	}
	switch {
	case suspected:
		return able
	case w.Stack.op.kind == opPermit:
		return nil // it may have been lost as well
	}
	return append(able, pausing...)
}

// entersTwice reports that a stack is in a second method of the class that asks for
// the lock, and so may have taken it in the first.
func entersTwice(s *Stack) bool {
	own := inner(s.program())
	return len(own) > 0 && slices.ContainsFunc(own[1:], func(f *threaddump.Frame) bool {
		return f.Class == own[0].Class && f.Method != own[0].Method
	})
}

func (s *Sample) asksForMore() bool {
	op := s.Stack.op
	class := s.waitsOn().class
	return strings.HasPrefix(class, juc+"locks.StampedLock") ||
		op.kind == opLock && strings.HasPrefix(class, juc+"locks.ReentrantReadWriteLock")
}

// dropFree strikes out those whom somebody outside could free, until all that is
// left is stuck.
func (h *hidden) dropFree() {
	behind := map[int][]int{} // whom a thread may free
	var free []int
	for i, able := range h.able {
		for _, j := range able {
			behind[j] = append(behind[j], i)
			if h.able[j] == nil {
				free = append(free, j)
			}
		}
	}
	for len(free) > 0 {
		j := free[len(free)-1]
		free = free[:len(free)-1]
		for _, i := range behind[j] {
			if h.able[i] != nil {
				delete(h.able, i)
				free = append(free, i)
			}
		}
		behind[j] = nil
	}
}

// close gives what is waited for the likeliest owner among the stuck, and keeps
// those owners that are part of a cycle or can be no other. One that joins is
// behind a cycle whichever thread it joins.
func (h *hidden) close() {
	likeliest := map[int]int{}
	joined := h.joinedOnes()
	for i := range h.snap.samples {
		if j, known := joined[i]; known {
			likeliest[i] = j
		} else if ties := h.likeliest(i); len(ties) > 0 {
			likeliest[i] = ties[0]
			if at := slices.Index(ties, i); at >= 0 && len(ties) > 1 {
				likeliest[i] = ties[(at+1)%len(ties)]
				h.tied[i] = likeliest[i]
			} else if ring := h.ring(i, ties); ring != none {
				likeliest[i] = ring
			}
		}
	}
	cycles := onCycles(likeliest)
	for i := range h.snap.samples {
		owner, stuck := likeliest[i]
		joins := h.snap.samples[i].Stack.op.kind == opJoin
		if stuck && (joins || len(h.able[i]) == 1 || cycles[i]) {
			h.adopt(i, owner)
		}
	}
}

// likeliest are those for whom most speaks, the oldest first: their stacks, then
// that they wait for such a thing as well, then that they are another thread. Where these
// wait for the very same and nothing shows that one of them took it before, it is another
// one in the class that asks.
func (h *hidden) likeliest(i int) []int {
	able := h.able[i]
	if len(able) < 2 {
		return able
	}
	s := &h.snap.samples[i]
	best := h.mostClaimed(i, able)
	if s.Stack.op.kind != opJoin && s.waitsHidden() && h.rivals(i, best) {
		if self := h.selfHolders(i); len(self) > 0 {
			return self
		}
		best = h.mostClaimed(i, slices.DeleteFunc(slices.Clone(able), func(j int) bool {
			return h.rivals(i, []int{j}) || !isInClass(s.Stack.Application, h.snap.samples[j].Stack)
		}))
	}
	slices.SortFunc(best, h.older)
	return best
}

// isInClass reports that a stack has come to the class that asks.
func isInClass(asks *threaddump.Frame, s *Stack) bool {
	return asks != nil && slices.ContainsFunc(inner(s.program()), func(f *threaddump.Frame) bool { return f.Class == asks.Class })
}

// mostClaimed are those of some threads for whom most speaks to hold what one waits for.
func (h *hidden) mostClaimed(i int, able []int) []int {
	claimed := h.claimed[h.snap.samples[i].waitsOn().address]
	var best []int
	most := -1
	for _, j := range able {
		other := &h.snap.samples[j]
		claim := 4 * one(h.leadsTo(j, i))
		if claimed != nil {
			claim = 4 * int(claimed.levelOf(other.Stack))
		}
		claim += 2*one(other.waitsHidden() && h.next(j) == none) + one(j != i)
		if claim > most {
			best, most = nil, claim
		}
		if claim == most {
			best = append(best, j)
		}
	}
	return best
}

func (h *hidden) older(i, j int) int {
	a, b := h.snap.samples[i].Thread, h.snap.samples[j].Thread
	return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Name, b.Name))
}

// ring is the next one after i where several threads are tied, each with all the
// others: which of them waits for which cannot be told, and all are stuck. None
// where they are not alike.
func (h *hidden) ring(i int, ties []int) int {
	members := slices.SortedFunc(slices.Values(append(slices.Clone(ties), i)), h.older)
	for _, j := range ties {
		others := slices.SortedFunc(slices.Values(append(slices.Clone(h.likeliest(j)), j)), h.older)
		if !slices.Equal(members, others) {
			return none
		}
	}
	return members[(slices.Index(members, i)+1)%len(members)]
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
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

// onCycles are the threads that come back to themselves. Each thread is walked
// over once: a chain ends where another has been before.
func onCycles(next map[int]int) map[int]bool {
	on, walk := map[int]bool{}, map[int]int{}
	for start := range next {
		i, known := start, true
		for known && walk[i] == 0 {
			walk[i] = start + 1
			i, known = next[i]
		}
		if !known || walk[i] != start+1 {
			continue
		}
		for ; !on[i]; i = next[i] {
			on[i] = true
		}
	}
	return on
}

// adopt notes a concluded owner.
func (h *hidden) adopt(i, owner int) {
	if h.next(i) == owner {
		return
	}
	id := h.lock[i]
	if id == (lockID{}) {
		id = lockID{address: h.snap.samples[i].waitsOn().address}
		h.lock[i] = id
		h.waiting = append(h.waiting, i)
	}
	if _, known := h.owner[id]; !known {
		h.owner[id] = owner
		h.eliminated[id] = true
	}
}
