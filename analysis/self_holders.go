package analysis

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// selfHolders are those of a lock's own waiters that most likely hold it already,
// all of equal claim: none of them can be told from the others.
//
// Rule: a thread that holds what it waits for took it in a method below the one that
// all waiters ask in, more likely in one of the same class; one whose own calls
// begin there holds nothing. Of equal ones it is the one that came another way
// than all others. Nobody where it is as likely that what was taken was lost: see unlikely.
func (h *hidden) selfHolders(i int) []int {
	c := h.claimsOn(&h.snap.samples[i])
	if c.asked {
		return c.self
	}
	c.asked = true
	address := h.snap.samples[i].waitsOn().address
	path := sharedPath(c.asking)
	most := -1
	for _, j := range c.able {
		s := &h.snap.samples[j]
		if l := s.waitsOn(); l == nil || l.address != address {
			continue
		}
		claim := mayHaveTaken(s.Stack, path)
		if claim > most {
			c.self, most = nil, claim
		}
		if claim == most {
			c.self = append(c.self, j)
		}
	}
	if odd := h.odd(c.self); odd != none {
		c.self = []int{odd}
	}
	if h.unlikely(c.self, most) {
		c.self = nil
	}
	slices.SortFunc(c.self, h.older)
	return c.self
}

// unlikely reports that nothing shows those who claim to hold a lock to have taken it: they
// come from nowhere in its class, and one that ended or went on may not have released it.
// Or some ask to read a StampedLock and come the same way, on which the others would have
// been stopped before.
func (h *hidden) unlikely(claimants []int, claim int) bool {
	if claim < takenBelow {
		return true
	}
	if len(claimants) < 2 {
		return false
	}
	return slices.ContainsFunc(claimants, func(j int) bool {
		s := &h.snap.samples[j]
		return s.Stack.op.kind == opReadLock && strings.HasPrefix(s.waitsOn().class, juc+"locks.StampedLock")
	})
}

// sharedPath is how many calls of the program all stacks have in common at the top:
// at least the one that asks.
func sharedPath(stacks []*Stack) int {
	shared := inner(stacks[0].program())
	n := len(shared)
	for _, s := range stacks[1:] {
		own := inner(s.program())
		n = min(n, len(own))
		for k := range n {
			if own[k].Class != shared[k].Class || own[k].Method != shared[k].Method {
				n = k
				break
			}
		}
	}
	return max(n, 1)
}

// takenBelow is the grade of a stack with a second method of the class that asks.
const takenBelow = 2

// mayHaveTaken grades what lies below the shared path: takenBelow for a method of a class
// that is on the path as well, 1 for another one of the program, 0 for none.
func mayHaveTaken(s *Stack, path int) int {
	own := inner(s.program())
	if len(own) <= path {
		return 0
	}
	for _, below := range own[path:] {
		if slices.ContainsFunc(own[:path], func(f *threaddump.Frame) bool { return f.Class == below.Class }) {
			return takenBelow
		}
	}
	return 1
}

// odd is the only one of some threads that came a way no other has, none if there are
// more such or the others differ among themselves.
func (h *hidden) odd(threads []int) int {
	count := map[string]int{}
	for _, j := range threads {
		count[h.snap.samples[j].Stack.path()]++
	}
	if len(count) != 2 || len(threads) < 3 {
		return none
	}
	for _, j := range threads {
		if count[h.snap.samples[j].Stack.path()] == 1 {
			return j
		}
	}
	return none
}

// path words the stack's calls of the program: the first in a queue parks at another line
// of the JDK than the others.
func (s *Stack) path() string {
	var path strings.Builder
	for _, f := range s.program() {
		fmt.Fprintf(&path, "%s:%d ", f.Name(), f.Line)
	}
	return path.String()
}

// rivals reports that some threads wait for the same lock as another.
func (h *hidden) rivals(i int, others []int) bool {
	address := h.snap.samples[i].waitsOn().address
	return !slices.ContainsFunc(others, func(j int) bool {
		l := h.snap.samples[j].waitsOn()
		return l == nil || l.address != address || !h.snap.samples[j].asksForMore()
	})
}

// oneOfThem reports that all members wait for one lock, and it cannot be told which
// of them holds it.
func (c *cycle) oneOfThem() bool {
	for _, m := range c.members {
		if m.sample == nil || m.sample.waitsOn() == nil ||
			m.sample.waitsOn().address != c.members[0].sample.waitsOn().address {
			return false
		}
	}
	return len(c.members) > 1
}
