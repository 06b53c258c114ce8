package classfile

import (
	"slices"
	"strings"
)

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
// does nothing but look. What these reckon is work where it may be another number each time, and so is to go from
// one object to the next by them.
func (l Loop) Through(class func(name string) *Class) Loop {
	next, through := l.Calls, map[string]bool{} // whether it reckons, of each that was gone through
	l.Calls = nil
	for len(next) > 0 && len(l.Calls) <= mostCalls {
		call := next[0]
		next = next[1:]
		reckons, known := through[call]
		if known && !reckons {
			continue
		}
		if c := class(beforeDot(call)); !known && c != nil && len(through) < mostThrough {
			if calls, computes, ok := c.Looks(afterDot(call)); ok && !slices.Contains(calls, call) {
				through[call] = computes
				next, l.Computes = append(slices.Clone(calls), next...), l.Computes || computes && l.writes
				continue
			}
		}
		if !slices.Contains(l.Calls, call) {
			l.Calls = append(l.Calls, call)
		}
	}
	l.Computes = l.Computes || len(l.Calls) > mostCalls || l.goesAlong && len(through) > 0
	return l
}

// goesAlong reports that a loop keeps in a variable what a method or a field of the object gives that was kept there.
func (m *Method) goesAlong(from, to int) bool {
	const far = 3 // what the call is given is loaded in between
	keeps := map[int]bool{}
	for _, in := range m.code {
		if from <= in.pc && in.pc <= to && in.op == opKeepReference {
			keeps[in.local] = true
		}
	}
	for i, in := range m.code {
		if in.pc < from || in.pc > to || !in.loadsReference() || !keeps[in.local] {
			continue
		}
		for _, next := range m.code[i+1 : min(len(m.code), i+1+far)] {
			if next.op == opCall || next.code == getfield {
				gives := firstLetter(next.descriptor[strings.LastIndexByte(next.descriptor, ')')+1:])
				if gives == 'L' || gives == '[' {
					return true
				}
				break
			}
		}
	}
	return false
}

// onlyTests are the variables that a loop counts up, and looks at only to compare them, or their
// remainder, with a constant: as who gives way each hundredth time. One that it does not look at may be what it is
// for, and so may be one that is looked for by its remainder.
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
	case of.loadsNumber():
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

// asks tells an instruction that gives what is in a field, or what a method gives.
func (in *instruction) asks() bool {
	return in.op == opCall || in.code == getfield || in.code == getstatic
}

// worksOut reports that a loop gives a variable other numbers than it is given by fields and methods.
func (m *Method) worksOut(local, from, to int) bool {
	for i, in := range m.code {
		if in.pc < from || in.pc > to || in.local != local {
			continue
		}
		if in.code == iinc || in.keepsNumber() && (i == 0 || !m.code[i-1].asks()) {
			return true
		}
	}
	return false
}

// testedAfter reports that what an instruction has loaded is compared with a constant next, or its remainder, and that
// the loop is not left by the latter.
func (m *Method) testedAfter(at int, leaves func(pc int) bool) bool {
	constant, part := false, false
	for i := at + 1; i < len(m.code); i++ {
		switch in := &m.code[i]; {
		case in.code == iinc:
		case in.pushesNumber():
			constant = true
		case in.takesPart():
			if !constant {
				return false
			}
			part = true
		default:
			return in.isCondition() && !(part && (leaves(in.to) || i+1 == len(m.code) || leaves(m.code[i+1].pc)))
		}
	}
	return false
}

// takesPart tells an instruction that takes the remainder of a number, or some of its bits.
func (in *instruction) takesPart() bool {
	return in.code == irem || in.code == irem+1 || in.code == iand || in.code == land
}

// isCondition tells a branch that is taken or not.
func (in *instruction) isCondition() bool {
	return in.op == opBranch && (in.code < gotoS || in.code == ifnull || in.code == ifnonnull)
}

// pushesNumber tells an instruction that pushes a constant: of those of the pool, be it a text.
func (in *instruction) pushesNumber() bool {
	return in.code > aconstNull && in.code <= dconst1 || in.code >= bipush && in.code <= ldc2
}

// loadsNumber and keepsNumber are of ints and longs in variables.
func (in *instruction) loadsNumber() bool {
	return in.code == iload || in.code == iload+1 || in.code >= iload0 && in.code < iload0+8
}

func (in *instruction) keepsNumber() bool {
	return in.code == istore || in.code == istore+1 || in.code >= istore0 && in.code < istore0+8
}
