package classfile

import (
	"slices"
	"strings"
)

// at calls a function with each method of a class in which a place is, and where in it the call is that
// the thread is in, until it returns true.
func (c *Class) at(p Place, is func(m *Method, pc int) bool) bool {
	return slices.ContainsFunc(c.Methods, func(m Method) bool {
		pc, there := m.begin(p)
		return there && is(&m, pc-1)
	})
}

// IsGate reports that a method which waits at a place takes nothing for itself once it is woken: it
// writes no field and calls nothing that might, as one that waits for a state does, and for no
// work. One that waits again whatever happens waits for no state.
func (c *Class) IsGate(p Place) bool {
	return !c.IsEndless(p) && c.at(p, func(m *Method, pc int) bool {
		from := m.again(pc)
		return m.loopEnds() != nil && !slices.ContainsFunc(m.code, func(in instruction) bool {
			if in.pc < from {
				return false
			}
			writes := in.code == putfield || in.code == putstatic || in.code >= iastore && in.code <= aastore+3
			return writes || in.op == opCall && !onlyReads(in.member)
		})
	})
}

// PutsIn reports that a method which waits at a place puts something into an array, a list or a queue once it is
// woken that it was given, and takes nothing out of any, be it in the loop around: it waits for room.
func (c *Class) PutsIn(p Place) bool {
	return c.at(p, func(m *Method, pc int) bool {
		puts, from := false, m.again(pc)
		for i := range m.code {
			in := &m.code[i]
			if in.pc >= from && in.takesOut() {
				return false
			}
			puts = puts || in.pc > pc && in.putsIn() && m.putsWhatItWasGiven(i)
		}
		return puts
	})
}

// putsWhatItWasGiven reports that what an instruction puts somewhere is a parameter, boxed or cast at most, and that this
// is not an array which is just being made, as of the arguments of a call.
func (m *Method) putsWhatItWasGiven(at int) bool {
	const near = 6
	if slices.ContainsFunc(m.code[max(0, at-near):at], func(in instruction) bool { return in.op == opMakeArray || in.code == newarray || in.code == dup }) {
		return false
	}
	for at--; at >= 0; at-- {
		switch in := &m.code[at]; {
		case in.code == checkcast, in.op == opCall && afterDot(in.member) == "valueOf":
		default:
			return in.loads() && m.isParameter(in.local)
		}
	}
	return false
}

// isParameter tells a local variable that is given to a method, other than its object, and not written by it.
func (m *Method) isParameter(local int) bool {
	slots := 0
	for _, t := range parameters(m.descriptor) {
		slots++
		if isWide(t) {
			slots++
		}
	}
	first := 1 - one(m.static)
	return local >= first && local < first+slots && !slices.ContainsFunc(m.code, func(in instruction) bool {
		return in.keeps() && in.local == local
	})
}

// one is 1 for true.
func one(is bool) int {
	if is {
		return 1
	}
	return 0
}

// putsIn tells what stores in an array, or adds to what keeps an order.
func (in *instruction) putsIn() bool {
	return in.code >= iastore && in.code <= sastore ||
		in.op == opCall && keepsOrder(in.member) && isOneOf(" add addLast addFirst offer offerLast offerFirst push addElement ", afterDot(in.member))
}

// takesOut tells what loads from an array, or looks or removes at the head of what keeps an order.
func (in *instruction) takesOut() bool {
	return in.code >= iaload && in.code <= saload ||
		in.op == opCall && keepsOrder(in.member) && !in.putsIn() && !onlyReads(in.member)
}

// keepsOrder tells the methods of lists and queues.
func keepsOrder(member string) bool {
	class := beforeDot(member)
	return strings.HasPrefix(class, "java.util.") && slices.ContainsFunc([]string{"List", "Queue", "Deque", "Vector", "Stack"}, func(end string) bool {
		return strings.HasSuffix(class, end)
	})
}

// IsEndless reports that a place is in a loop which nothing but an exception ends.
func (c *Class) IsEndless(p Place) bool {
	return c.at(p, func(m *Method, pc int) bool {
		for from, to := range m.loopEnds() {
			loop := span{from, to}
			if from <= pc && pc <= to && !isLeft(m.code, loop) && !returns(m.code, loop) {
				return true
			}
		}
		return false
	})
}

// EndsByItself reports that a place is in no loop but such as count to a bound, or go through a collection.
func (c *Class) EndsByItself(p Place) bool {
	return c.at(p, func(m *Method, pc int) bool {
		ends := m.loopEnds()
		for from, to := range ends {
			if from <= pc && pc <= to && !counts(m.code, span{from, to}) {
				return false
			}
		}
		return ends != nil
	})
}

// counts reports that a loop is left once a variable that it counts has come to a bound, or once there is no next
// of what it goes through.
func counts(code []instruction, l span) bool {
	const near = 5 // where the variable is loaded that a branch compares
	counted := map[int]bool{}
	for _, in := range code {
		if in.code == iinc && l.from <= in.pc && in.pc <= l.to {
			counted[in.local] = true
		}
	}
	for i, in := range code {
		if in.op != opBranch || in.pc < l.from || in.pc > l.to || in.to >= l.from && in.to <= l.to && in.pc != l.to {
			continue
		}
		if i > 0 && afterDot(code[i-1].member) == "hasNext" {
			return true
		}
		if sign := in.code >= ifeq && in.code <= ifle; sign && i > 1 {
			of := &code[i-1]
			if of.code == iinc { // loaded before
				of = &code[i-2]
			}
			if of.loadsInt() && counted[of.local] {
				return true
			}
		}
		compares := in.code >= ificmpeq && in.code <= ificmple
		if compares && slices.ContainsFunc(code[max(0, i-near):i], func(in instruction) bool { return in.loadsInt() && counted[in.local] }) {
			return true
		}
	}
	return false
}

// returns reports that a method returns from within a loop.
func returns(code []instruction, l span) bool {
	return slices.ContainsFunc(code, func(in instruction) bool {
		return l.from <= in.pc && in.pc <= l.to && in.code >= ireturn && in.code <= voidReturn
	})
}

// NothingFollows reports that a method does nothing with what it waits for at a place: behind it, or before
// it in the loop around, it at most says that it was woken or interrupted.
func (c *Class) NothingFollows(p Place) bool {
	return c.at(p, func(m *Method, pc int) bool {
		from := m.again(pc)
		return !slices.ContainsFunc(m.code, func(in instruction) bool {
			return in.pc >= from && in.pc != pc && in.op == opCall && !says(in.member)
		})
	})
}

// says tells calls that tell people of something, or the thread itself that it was interrupted.
func says(member string) bool {
	class := beforeDot(member)
	switch class {
	case "java.io.PrintStream", "java.lang.Thread", "java.lang.String", "java.lang.StringBuilder":
		return afterDot(member) != "start"
	}
	return strings.HasSuffix(class, "Exception") || strings.HasSuffix(class, "Error") || strings.HasSuffix(class, "Logger")
}

// ofValues are classes of the JDK whose objects are values, or that make such.
const ofValues = " java.lang.String java.lang.StringBuilder java.lang.Math java.lang.Integer java.lang.Long java.lang.Double java.util.Objects "

// onlyReads tells methods that by their names change nothing but who waits or has a lock, and those of values.
func onlyReads(member string) bool {
	if isOneOf(ofValues, beforeDot(member)) {
		return true
	}
	method := afterDot(member)
	return !strings.HasPrefix(method, "getAnd") && slices.ContainsFunc([]string{"get", "is", "has", "contains", "size", "lock", "unlock", "await", "wait", "park", "valueOf", "nanoTime", "currentT", "notify", "signal", "interrupt", "<init>", "append", "toString", "equals"},
		func(begin string) bool { return strings.HasPrefix(method, begin) }) || strings.HasSuffix(method, "Value")
}

// ServesQueue reports that a place is in a loop which takes things from a queue: a thread there is about
// one of them.
func (c *Class) ServesQueue(p Place) bool {
	return c.at(p, func(m *Method, pc int) bool {
		around, inLoop := m.outermost(pc)
		return inLoop && !takesFromQueue("java.util.Queue."+p.Callee) && slices.ContainsFunc(m.code, func(in instruction) bool {
			return around.from <= in.pc && in.pc <= around.to && in.op == opCall && takesFromQueue(in.member)
		})
	})
}

func takesFromQueue(member string) bool {
	class := beforeDot(member)
	return strings.HasPrefix(class, "java.util.") && (strings.HasSuffix(class, "Queue") || strings.HasSuffix(class, "Deque")) &&
		isOneOf(" take poll takeFirst takeLast pollFirst pollLast remove removeFirst ", afterDot(member))
}

// AsksFirst reports that a method writes to a stream before it comes to a place: so what it waits for
// there is an answer.
func (c *Class) AsksFirst(p Place) bool {
	return c.at(p, func(m *Method, pc int) bool {
		return slices.ContainsFunc(m.code, func(in instruction) bool {
			return in.pc < pc && in.op == opCall && isWrite(in.member)
		})
	})
}

// AsksAlways reports that it does so each time, whichever way it comes there; of one with a switch that is not known.
func (c *Class) AsksAlways(p Place) bool {
	return c.at(p, func(m *Method, pc int) bool {
		passed := 0 // what is before that a branch may lead past, on its way to the place
		for _, in := range m.code {
			switch {
			case in.pc >= pc, in.code == tableswitch, in.code == lookupswitch:
				return false
			case in.op == opBranch && in.to <= pc:
				passed = max(passed, in.to)
			case in.op == opCall && in.pc >= passed && isWrite(in.member):
				return true
			}
		}
		return false
	})
}

// isWrite tells the calls that write to a stream, other than one in memory.
func isWrite(member string) bool {
	class := beforeDot(member)
	if isOneOf(" java.io.StringWriter java.io.CharArrayWriter java.io.ByteArrayOutputStream ", class) {
		return false
	}
	streams := strings.HasPrefix(class, "java.io.") && (strings.HasSuffix(class, "OutputStream") || strings.HasSuffix(class, "Writer"))
	return streams && isOneOf(" write flush print println newLine append ", afterDot(member))
}

// Taken are those of some methods that the method at a place has called before it came there, and
// after which it has called nothing else of their classes, as to give back what it has got.
func (a *Ahead) Taken(at Place, methods map[string]bool) []string {
	class := a.classes[at.Class]
	if class == nil {
		return nil
	}
	var taken []string
	class.at(at, func(m *Method, pc int) bool {
		for i := range m.code {
			in := &m.code[i]
			if in.pc >= pc || in.op != opCall {
				continue
			}
			called := a.runs(in)
			taken = slices.DeleteFunc(taken, func(method string) bool {
				return slices.ContainsFunc(called, func(next string) bool { return a.areKin(beforeDot(next), beforeDot(method)) && !onlyReads(next) })
			})
			taken = append(taken, slices.DeleteFunc(called, func(method string) bool { return !methods[method] })...)
		}
		return false
	})
	return taken
}

// areKin tells a class, and those above and below it.
func (a *Ahead) areKin(one, other string) bool {
	return one == other || a.extends(one, other) || a.extends(other, one)
}

// runs are the methods of the program that a call may run.
func (a *Ahead) runs(in *instruction) []string {
	var all []string
	for _, m := range a.targetsOf(in) {
		all = append(all, m.class+"."+m.Name)
	}
	return all
}
