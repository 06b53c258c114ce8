package classfile

import (
	"iter"
	"slices"
	"strings"
)

// Loop is what the innermost loop around a line does.
type Loop struct {
	// Calls are the methods that it calls, each once, in the order of the code.
	Calls []string
	// Counts tells that it adds, Computes that it does more: other arithmetic, arrays, objects.
	Counts, Computes bool
	// Swaps tells that before a compareAndSet it makes objects of two numbers, so that it looks
	// for one of these.
	Swaps bool
	// writes tells that what it looks at may be another next time, goesAlong that it goes from one object to
	// the next by what that gives.
	writes, goesAlong bool
}

// mostCalls is how many methods are told of a loop: one that calls more does more than to ask.
const mostCalls = 100

// LoopAt finds the innermost loop around a line of a method; of methods with one name the
// first that has the line in a loop. Without debug information there is none.
func (c *Class) LoopAt(method string, line int) (Loop, bool) {
	for m, l := range c.loopsAt(method, line) {
		if but := m.leaving(l.from, l.to, nil); m.isOn(line, l.from, l.to, but) {
			return m.loop(l.from, l.to, but), true
		}
	}
	return Loop{}, false
}

// loopsAt are the innermost loops around a line of the methods of a name.
func (c *Class) loopsAt(method string, line int) iter.Seq2[*Method, span] {
	return func(yield func(*Method, span) bool) {
		for i := range c.Methods {
			m := &c.Methods[i]
			if m.Name != method {
				continue
			}
			if from, to, ok := m.loopAround(line); ok && !yield(m, span{from, to}) {
				return
			}
		}
	}
}

// boxed is one for a call that makes an object of a number.
func boxed(in *instruction) int {
	if in.member == "java.lang.Integer.valueOf" || in.member == "java.lang.Long.valueOf" {
		return 1
	}
	return 0
}

// WaitsOnce reports that a place is in no loop of its method, but for one that does nothing else
// than to wait there and to look whether it still must. Without debug information that is not known.
func (c *Class) WaitsOnce(at Place) bool {
	known := false
	for i := range c.Methods {
		m := &c.Methods[i]
		pc, ok := m.after(at)
		if !ok {
			continue
		}
		if m.loopEnds() == nil {
			return false
		}
		if l, in := m.outermost(pc); in && (m.loopsAround(pc) > 1 || !m.onlyWaits(l)) {
			return false
		}
		known = true
	}
	return known
}

// loopsAround counts the loops around a place.
func (m *Method) loopsAround(pc int) int {
	n := 0
	for begin, end := range m.loopEnds() {
		if begin <= pc && pc <= end {
			n++
		}
	}
	return n
}

// onlyWaits reports that a loop calls nothing but what waits, and what looks at a flag.
func (m *Method) onlyWaits(l span) bool {
	waits := false
	for _, in := range m.code {
		if in.pc < l.from || in.pc > l.to {
			continue
		}
		switch in.op {
		case opCall:
			name := afterDot(in.member)
			wait := isOneOf(" wait await awaitNanos park parkNanos join ", name)
			waits = waits || wait
			if !wait && !strings.HasPrefix(in.member, "java.util.concurrent.atomic.") && !isOneOf(" isInterrupted interrupted currentThread nanoTime currentTimeMillis ", name) {
				return false
			}
		case opStoreInArray, opMakeArray, opWriteReference:
			return false
		}
		if in.code == newObject || in.code == putfield || in.code == putstatic {
			return false
		}
	}
	return waits
}

// mostLoops is how many loops of a method are looked at: real code has dozens.
const mostLoops = 1000

// loopEnds are the last branches back by where they go, none if there are too many: all
// branches back to one instruction are one loop.
func (m *Method) loopEnds() map[int]int {
	ends := map[int]int{}
	for _, in := range m.code {
		if in.op == opBranch && in.to <= in.pc {
			ends[in.to] = in.pc // the last one, as the code is in order
		}
	}
	if len(ends) > mostLoops {
		return nil
	}
	return ends
}

// loopAround is the range of the innermost loop which holds an instruction of a line.
func (m *Method) loopAround(line int) (from, to int, ok bool) {
	var on []int // where the line's instructions are
	for _, in := range m.code {
		if in.line == line {
			on = append(on, in.pc)
		}
	}
	for begin, end := range m.loopEnds() {
		i, _ := slices.BinarySearch(on, begin)
		inside := i < len(on) && on[i] <= end
		if inside && (!ok || end-begin < to-from || end-begin == to-from && begin < from) {
			from, to, ok = begin, end, true
		}
	}
	return from, to, ok
}

// loop tells what the instructions of a range do, but for some.
func (m *Method) loop(from, to int, but map[int]bool) Loop {
	var l Loop
	walks, adds, reckons, steps, reads, boxes := false, false, false, false, false, 0
	parts := false // remainders of what it counts
	tests := m.onlyTests(from, to, but)
	l.goesAlong = m.goesAlong(from, to)
	for i, in := range m.code {
		if in.pc < from || in.pc > to || but[in.pc] {
			continue
		}
		if in.code == iinc && tests[in.local] {
			adds = true
			continue
		}
		if m.isTest(i, from, to, tests) {
			parts = parts || tests[m.code[i-2].local]
			continue
		}
		l.writes, steps = l.writes || in.writes(), steps || in.steps()
		switch in.op {
		case opCall:
			boxes += boxed(&in)
			l.Swaps = l.Swaps || boxes > 1 && strings.HasPrefix(in.member, "java.util.concurrent.atomic.AtomicReference.") && strings.Contains(in.member, "ompareAnd")
			if len(l.Calls) > mostCalls {
				l.Computes = true
			} else if !slices.Contains(l.Calls, in.member) {
				l.Calls = append(l.Calls, in.member)
			}
		case opKeepReference:
			walks = true
		case opCount:
			adds = true
		case opCompute:
			of := in.code >= iaload && in.code <= saload
			reads, reckons = reads || of, reckons || !of
			l.Computes = l.Computes || !of && !in.isArithmetic()
		case opMakeArray, opStoreInArray, opWriteReference:
			l.Computes = true
		}
	}
	// Else it works out what it asks with: the same again and again or, where it spins, the next.
	if l.writes && !m.spinsAlong(from, to, but, tests) {
		counted := parts && adds // by them
		l.Counts, l.Computes = adds, l.Computes || counted || reckons || reads && steps
	} else if adds && len(l.Calls) == 0 {
		l.Counts = true // and that is all
	}
	if walks && len(l.Calls) == 0 {
		l.Computes = true // from one object of a list or tree to the next
	}
	return l
}
