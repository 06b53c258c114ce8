package classfile

import "slices"

// mostThrough is how many methods in all a loop may ask by.
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
	looks := func(in instruction) bool { return in.asks() } // else another class may have a method in its place
	return slices.ContainsFunc(m.code, looks) && !slices.ContainsFunc(m.code, func(in instruction) bool {
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
// does nothing but look. What these reckon is work where it may be another number each time, and so is to go from
// one object or number to the next by them.
func (l Loop) Through(class func(name string) *Class) Loop {
	e := expansion{class: class, through: map[string]bool{}}
	for _, call := range l.Calls {
		e.add(call, nil)
	}
	l.Calls = e.calls
	l.Computes = l.Computes || e.reckons && l.writes || len(e.calls) > mostCalls || l.goesAlong && len(e.through) > 0
	return l
}

// expansion is what calls come to, through the methods that only look; that one of these reckons; and these.
type expansion struct {
	class   func(name string) *Class
	calls   []string
	reckons bool
	through map[string]bool
}

// add goes through a method that is called by some, each by the one before, unless it is one of these.
func (e *expansion) add(call string, by []string) {
	if e.through[call] && !slices.Contains(by, call) || len(e.calls) > mostCalls {
		return
	}
	if c := e.class(beforeDot(call)); c != nil && !e.through[call] && len(e.through) < mostThrough {
		if calls, reckons, ok := c.Looks(afterDot(call)); ok {
			e.through[call] = true
			e.reckons = e.reckons || reckons
			for _, next := range calls {
				e.add(next, append(slices.Clone(by), call))
			}
			return
		}
	}
	if !slices.Contains(e.calls, call) {
		e.calls = append(e.calls, call)
	}
}

// goesAlong reports that a loop gives a variable what a method or a field gives by what the variable was before.
func (m *Method) goesAlong(from, to int) bool {
	const far = 3 // what the call is given beside it is loaded in between
	for i, in := range m.code {
		if in.pc < from || in.pc > to || !in.loads() {
			continue
		}
		behind := m.code[i+1 : min(len(m.code), i+1+far)]
		call := slices.IndexFunc(behind, func(next instruction) bool { return next.op == opCall || next.code == getfield })
		if call < 0 {
			continue
		}
		at := i + 1 + call + 1
		if at < len(m.code) && m.code[at].code == checkcast {
			at++
		}
		if at < len(m.code) && m.code[at].keeps() && m.code[at].local == in.local {
			return true
		}
	}
	return false
}

// onlyTests are the variables that a loop counts up, and looks at only to compare them, or their
// remainder, with a constant: as who gives way each hundredth time. One that it does not look at may be what it is
// for, and so may be one by which it ends.
func (m *Method) onlyTests(from, to int, but map[int]bool) map[int]bool {
	counters, looked := map[int]bool{}, map[int]bool{}
	inLoop := func(in *instruction) bool { return from <= in.pc && in.pc <= to }
	for i := range m.code {
		if in := &m.code[i]; inLoop(in) && in.code == iinc {
			counters[in.local] = true
		}
	}
	leaves := func(pc int) bool { return pc < from || pc > to || but[pc] }
	for i := range m.code {
		in := &m.code[i]
		if !inLoop(in) || !in.loadsInt() || !counters[in.local] {
			continue
		}
		looked[in.local] = true
		if !m.testedAfter(i, leaves) {
			delete(counters, in.local)
		}
	}
	for local := range counters {
		if !looked[local] {
			delete(counters, local)
		}
	}
	return counters
}

// isTest tells an instruction that takes the remainder by a constant, or some bits, of a number that is only compared
// then, as to see whether it is even; not of one that the loop works out, but for those that it only tests.
func (m *Method) isTest(at, from, to int, tests map[int]bool) bool {
	const operands = 2
	if at < operands || !m.code[at].takesPart() || !m.code[at-1].pushesNumber() {
		return false
	}
	of := &m.code[at-operands]
	switch {
	case of.asks():
	case of.loadsNumber(), of.keepsNumber(): // in (x = next()) % 2 the number is kept, and is still there
		if !tests[of.local] && m.worksOut(of.local, from, to) {
			return false
		}
	case of.code != iinc || !tests[of.local]: // loaded before it was counted up
		return false
	}
	for _, in := range m.code[at+1:] {
		if !in.pushesNumber() && in.code != lcmp {
			return in.isCondition()
		}
	}
	return false
}

// worksOut reports that a loop gives a variable other numbers than it is given by fields and methods.
func (m *Method) worksOut(local, from, to int) bool {
	for i, in := range m.code {
		if in.pc < from || in.pc > to || in.local != local {
			continue
		}
		if in.code == iinc {
			return true
		}
		if !in.keepsNumber() {
			continue
		}
		given := i - 1
		if given > 0 && (m.code[given].code == dup || m.code[given].code == dup2) {
			given--
		}
		if given < 0 || !m.code[given].asks() {
			return true
		}
	}
	return false
}

// testedAfter reports that what an instruction has loaded is compared with a constant next, or its remainder, and that
// the loop is not left by that.
func (m *Method) testedAfter(at int, leaves func(pc int) bool) bool {
	constant := false
	for i := at + 1; i < len(m.code); i++ {
		switch in := &m.code[i]; {
		case in.code == iinc:
		case in.pushesNumber():
			constant = true
		case in.takesPart():
			if !constant {
				return false
			}
		default:
			return in.isCondition() && !leaves(in.to) && i+1 < len(m.code) && !leaves(m.code[i+1].pc)
		}
	}
	return false
}
