package classfile

import "strings"

// SynchronizerAt is the class of the program's own synchronizer that is called at a place, empty if none is.
func (c *Class) SynchronizerAt(p Place) string {
	class := ""
	c.at(p, func(m *Method, pc int) bool {
		for _, in := range m.code {
			if in.pc == pc && in.op == opCall && !strings.HasPrefix(in.member, "java.") {
				class = beforeDot(in.member)
			}
		}
		return class != ""
	})
	return class
}

// Lends reports that a synchronizer counts what it lets through: each takes a part of its state, of which there is
// so much. A latch takes nothing, and a lock that many read lets others through one by one, too.
func (c *Class) Lends() bool {
	if !strings.HasPrefix(c.super, "java.util.concurrent.locks.AbstractQueued") || c.Has("tryAcquire") {
		return false
	}
	for i := range c.Methods {
		m := &c.Methods[i]
		if m.Name != "tryAcquireShared" {
			continue
		}
		for _, in := range m.code {
			if in.op == opCall && strings.HasPrefix(afterDot(in.member), "compareAndSetState") {
				return true
			}
		}
	}
	return false
}
