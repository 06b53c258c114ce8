package classfile

import (
	"fmt"
	"maps"
	"regexp"
)

// HoldsReadLock reports that a thread which stands at a place has taken a lock's read side
// before in the same method, whichever way it came there, and not released it. Upgrades tells
// that the place asks for the write side of that very lock.
func (c *Class) HoldsReadLock(at Place) (holds, upgrades bool) {
	for i := range c.Methods {
		m := &c.Methods[i]
		pc, ok := m.after(at)
		if !ok {
			continue
		}
		held, here := c.readLocksAt(m, pc)
		for _, n := range held {
			holds = holds || n > 0
		}
		if side := m.sideOf(here, "writeLock"); side != "" && held[side] > 0 {
			return true, true
		}
	}
	return holds, false
}

// readLocks are how often which read locks are held, as sideOf names them, those that cannot be
// told apart under "". Nil is for code that nothing leads to.
type readLocks map[string]int

// meet is what is held in any case where two ways meet.
func (r readLocks) meet(o readLocks) readLocks {
	if r == nil {
		return o
	}
	if o == nil {
		return r
	}
	both := readLocks{}
	for lock, n := range r {
		both[lock] = min(n, o[lock])
	}
	return both
}

// readLocksAt follows a method's code to a place, the instruction here. Loops are gone through
// once, exceptions lead nowhere, and behind a switch or a call within the class that may release
// a lock nothing is known.
func (c *Class) readLocksAt(m *Method, pc int) (held readLocks, here int) {
	ways, releasing := map[int]readLocks{}, c.releasing()
	held = readLocks{}
	for i := range m.code {
		in := &m.code[i]
		held = held.meet(ways[in.pc])
		if in.pc >= pc {
			return held, i
		}
		switch {
		case in.op == opBranch:
			if in.to > in.pc && held != nil {
				ways[in.to] = ways[in.to].meet(maps.Clone(held))
			}
			if in.code == gotoS || in.code == gotoW {
				held = nil
			}
		case in.code >= ireturn && in.code <= voidReturn, in.code == athrow:
			held = nil
		case in.code == tableswitch, in.code == lookupswitch:
			return nil, i
		case in.op == opCall && beforeDot(in.member) == c.Name && releasing[afterDot(in.member)]:
			held = readLocks{}
		case in.op == opCall && held != nil:
			m.lockAt(i, held)
		case in.keeps():
			delete(held, variable(in.local))
		}
	}
	return nil, 0
}

// releasing are the names of the class's methods that release locks.
func (c *Class) releasing() map[string]bool {
	names := map[string]bool{}
	for _, m := range c.Methods {
		for _, in := range m.code {
			if in.op == opCall && afterDot(in.member) == "unlock" {
				names[m.Name] = true
				break
			}
		}
	}
	return names
}

// lockAt notes what a call takes or releases.
func (m *Method) lockAt(i int, held readLocks) {
	lock, ok := m.readLockOf(i)
	if !ok {
		return
	}
	switch afterDot(m.code[i].member) {
	case "lock", "lockInterruptibly":
		held[lock]++
	case "unlock":
		if lock == "" {
			clear(held)
		}
		held[lock]--
		held[""] = min(held[""], 0) // it may have been this one
	}
}

// saysRead matches names of fields that hold a read lock.
var saysRead = regexp.MustCompile(`(^read|Read)(er|ing|[^a-z]|$)|^READ`)

// readLockOf says of which read lock an instruction calls a method: it is one by its class, because
// readLock() has just given it, or by the name of its field.
func (m *Method) readLockOf(i int) (lock string, ok bool) {
	class := beforeDot(m.code[i].member)
	ofClass := class == "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock"
	if i == 0 || !ofClass && class != "java.util.concurrent.locks.Lock" {
		return "", false
	}
	from := &m.code[i-1]
	switch {
	case from.op == opCall && afterDot(from.member) == "readLock":
		return m.sideOf(i, "readLock"), true
	case (from.code == getfield || from.code == getstatic) && (ofClass || saysRead.MatchString(afterDot(from.member))):
		return "field " + from.member, true
	}
	return "", ofClass
}

// sideOf says of which lock that is of which an instruction takes a side, which another has just
// given: a static field, one of the object itself, or a variable. Empty if it is anything else.
func (m *Method) sideOf(i int, side string) string {
	if i < 2 || m.code[i-1].op != opCall || afterDot(m.code[i-1].member) != side {
		return ""
	}
	switch from := &m.code[i-2]; {
	case from.code == getstatic:
		return from.member
	case from.code == getfield && i > 2 && m.code[i-3].code == aload0 && !m.static:
		return "this " + from.member
	case from.loads():
		return variable(from.local)
	}
	return ""
}

func variable(local int) string { return fmt.Sprint("variable ", local) }
