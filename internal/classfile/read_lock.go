package classfile

import (
	"fmt"
	"slices"
	"strings"
)

// HoldsReadLock reports that a thread which stands at a place has taken a lock's read side
// before in the same method, and not released it: in the order of the code, but for what is
// released to leave the method at once. Upgrades tells that the place asks for the write side of
// that very lock.
func (c *Class) HoldsReadLock(at Place) (holds, upgrades bool) {
	for i := range c.Methods {
		m := &c.Methods[i]
		pc, ok := m.after(at)
		if !ok {
			continue
		}
		held, of := m.readLocksBefore(pc)
		if held <= 0 {
			continue
		}
		here := slices.IndexFunc(m.code, func(in instruction) bool { return in.pc == pc })
		return true, of != "" && of == m.sideOf(here, "writeLock")
	}
	return false, false
}

// readLocksBefore counts the read locks taken before a place and not released, and says of
// which lock the last is, as sideOf does.
func (m *Method) readLocksBefore(pc int) (held int, of string) {
	for i := range m.code {
		in := &m.code[i]
		if in.pc >= pc {
			break
		}
		if in.op != opCall || !m.ofReadLock(i) {
			continue
		}
		switch afterDot(in.member) {
		case "lock", "lockInterruptibly":
			held, of = held+1, m.sideOf(i, "readLock")
		case "unlock":
			if !m.leavesAfter(i) {
				held--
			}
		}
	}
	return held, of
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
		return fmt.Sprint("variable ", from.local)
	}
	return ""
}

// ofReadLock reports that an instruction calls a method of a read lock: by its class, or because
// readLock() has just given it, or a field that says so.
func (m *Method) ofReadLock(i int) bool {
	switch beforeDot(m.code[i].member) {
	case "java.util.concurrent.locks.ReentrantReadWriteLock$ReadLock":
		return true
	case "java.util.concurrent.locks.Lock":
		if i == 0 {
			return false
		}
		from := m.code[i-1]
		ofField := from.code == getfield || from.code == getstatic
		return from.op == opCall && afterDot(from.member) == "readLock" || ofField && strings.Contains(strings.ToLower(afterDot(from.member)), "read")
	}
	return false
}

// leavesAfter reports that behind an instruction the method ends, but for what loads the result.
func (m *Method) leavesAfter(i int) bool {
	const loads = 2
	for _, in := range m.code[i+1 : min(len(m.code), i+2+loads)] {
		if in.code >= ireturn && in.code <= voidReturn || in.code == athrow {
			return true
		}
		if !in.loads() && in.code > ldc2 {
			return false
		}
	}
	return false
}
