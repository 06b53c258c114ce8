package classfile

import "slices"

// Bounds of what is looked through: how many methods, one through the other, a loop may ask by.
const mostThrough = 16

// Looks tells what a method does that does nothing but look at what is there, as those do which
// [Loop.Through] goes through; not one that has a loop, writes, or makes objects.
func (c *Class) Looks(method string) (calls []string, computes, ok bool) {
	for i := range c.Methods {
		m := &c.Methods[i]
		if m.Name != method {
			continue
		}
		if !m.onlyLooks() {
			return nil, false, false
		}
		l := m.loop(0, mostCode, nil)
		calls, computes, ok = append(calls, l.Calls...), computes || m.reckons(), true
	}
	return calls, computes, ok
}

// onlyLooks reports that a method leaves everything as it is, but for what it calls.
func (m *Method) onlyLooks() bool {
	if m.Name == "<init>" || len(m.code) == 0 {
		return false
	}
	return !slices.ContainsFunc(m.code, func(in instruction) bool {
		makes := in.code == newObject || in.code == newarray || in.code == anewarray || in.code == multianewarray || in.code == invokedynamic
		back := in.op == opBranch && in.to <= in.pc
		return in.writes() || makes || back || in.code == monitorenter || in.code == athrow
	})
}

// reckons reports that a method makes numbers of numbers, or reads elements of arrays.
func (m *Method) reckons() bool {
	return slices.ContainsFunc(m.code, func(in instruction) bool {
		return in.isArithmetic() || in.code >= iaload && in.code <= saload
	})
}

// Through is the loop with what the program's own methods call that it asks by, in their place, each of which
// does nothing but look. What these reckon is work where it may be another number each time.
func (l Loop) Through(class func(name string) *Class) Loop {
	next, seen := l.Calls, map[string]bool{}
	l.Calls = nil
	for len(next) > 0 {
		call := next[0]
		next = next[1:]
		if c := class(beforeDot(call)); c != nil && !seen[call] && len(seen) < mostThrough {
			seen[call] = true
			if calls, computes, ok := c.Looks(afterDot(call)); ok {
				next, l.Computes = append(slices.Clone(calls), next...), l.Computes || computes && l.writes
				continue
			}
		}
		if !slices.Contains(l.Calls, call) {
			l.Calls = append(l.Calls, call)
		}
	}
	return l
}

// onlyTests are the variables that a loop counts up, and looks at only to compare them, or their
// remainder, with a constant: as who gives way each hundredth time.
func (m *Method) onlyTests(from, to int) map[int]bool {
	counters := map[int]bool{}
	inLoop := func(in *instruction) bool { return from <= in.pc && in.pc <= to }
	for i := range m.code {
		if in := &m.code[i]; inLoop(in) && in.code == iinc {
			counters[in.local] = true
		}
	}
	for i := range m.code {
		in := &m.code[i]
		if inLoop(in) && in.loadsInt() && counters[in.local] && !m.testedAfter(i) {
			delete(counters, in.local)
		}
	}
	return counters
}

// isTest tells an instruction that takes the remainder by a constant, or some bits, of a number that is only compared
// then: as to see whether it is even.
func (m *Method) isTest(at int) bool {
	if code := m.code[at].code; code != irem && code != irem+1 && code != iand && code != land || at == 0 || !m.code[at-1].pushesNumber() {
		return false
	}
	for _, in := range m.code[at+1:] {
		if !in.pushesNumber() && in.code != lcmp {
			return in.op == opBranch
		}
	}
	return false
}

// testedAfter reports that what an instruction has loaded is compared with a constant next, or its remainder.
func (m *Method) testedAfter(at int) bool {
	constant := false
	for _, in := range m.code[at+1:] {
		switch {
		case in.code == iinc:
		case in.pushesNumber():
			constant = true
		case in.code == irem, in.code == iand:
			if !constant {
				return false
			}
		default:
			return in.op == opBranch
		}
	}
	return false
}

// pushesNumber tells an instruction that pushes a constant.
func (in *instruction) pushesNumber() bool {
	return in.code > aconstNull && in.code <= dconst1 || in.code >= bipush && in.code <= ldc2
}
