package classfile

import (
	"slices"
	"strings"
)

// Calls are the methods that the class calls, or hands on for others to call, each once, but
// for those that fill arrays of numbers, copy between them, or repeat a task.
func (c *Class) Calls() []string {
	calls := slices.Clone(c.handles)
	arrays := c.hasObjectArrays()
	for _, m := range c.Methods {
		for _, in := range m.code {
			if in.op == opCall && !ofNumbers(&in, arrays) && !repeats(&in) {
				calls = append(calls, in.member)
			}
		}
	}
	slices.Sort(calls)
	return slices.Compact(calls)
}

// ofNumbers tells calls that change arrays of numbers; of copies that is known only where the
// class has no arrays of objects.
func ofNumbers(in *instruction, arrays bool) bool {
	return in.member == "java.util.Arrays.fill" && !strings.HasPrefix(in.descriptor, "([L") ||
		in.member == "java.lang.System.arraycopy" && !arrays
}

// repeats tells calls by which a timer gets a task to run again and again.
func repeats(in *instruction) bool {
	return in.member == "java.util.Timer.schedule" && string(parameters(in.descriptor)) == "LJJ"
}

// hasObjectArrays reports that a class makes or copies arrays of objects, or writes into such.
func (c *Class) hasObjectArrays() bool {
	return slices.ContainsFunc(c.Methods, func(m Method) bool {
		return slices.ContainsFunc(m.code, func(in instruction) bool {
			switch in.op {
			case opStoreInArray, opMakeArray:
				return true
			case opCall:
				return strings.HasPrefix(in.descriptor, "([L") || strings.HasSuffix(in.descriptor, ")Ljava/lang/Object;") && isOneOf(" clone newInstance ", afterDot(in.member)) || afterDot(in.member) == "toArray"
			}
			return false
		})
	})
}

// Replaces reports that a method beside the constructors and the static initialiser makes a
// field refer to another object that is no number or text, or puts an object into an array that
// it has not made: what was there before may be garbage then.
func (c *Class) Replaces() bool {
	return slices.ContainsFunc(c.Methods, func(m Method) bool {
		writes, stores, own := 0, 0, 0
		for i, in := range m.code {
			switch in.op {
			case opWriteReference:
				writes++
			case opStoreInArray:
				stores++
			case opDuplicate: // of an array that was just made: for each of its elements
				if i > 0 && (m.code[i-1].op == opMakeArray || m.code[i-1].op == opStoreInArray) {
					own++
				}
			}
		}
		own += m.storesInOwn()
		begins := m.Name == "<init>" || m.Name == "<clinit>"
		return !begins && (writes > 0 || stores > own) // what an object is made with is there to stay
	})
}

// storesInOwn counts the objects that a method puts into arrays which it has made, by their local variables,
// other than time and again in a loop that goes on and on.
func (m *Method) storesInOwn() int {
	made := map[int]int{} // where, by variable; beyond all code where it may be another's
	for at := range m.code {
		if in := &m.code[at]; in.op == opKeepReference {
			if _, known := made[in.local]; known || at == 0 || m.code[at-1].op != opMakeArray {
				made[in.local] = mostCode
				continue
			}
			made[in.local] = in.pc
		}
	}
	round := slices.DeleteFunc(m.loops(), func(l span) bool { return !goesRound(m.code, l) })
	stores := 0
	for at := range m.code {
		in := &m.code[at]
		from, known := made[in.local]
		if !known || in.pc < from || !in.loadsReference() {
			continue
		}
		uses, _ := usesOf(m.code, at)
		stores += len(slices.DeleteFunc(uses, func(u use) bool {
			again := slices.ContainsFunc(round, func(l span) bool { return from < l.from && l.from <= u.pc && u.pc <= l.to })
			return again || u.op != opStoreInArray || u.slot != 0
		}))
	}
	return stores
}

// Has reports that the class has a method of that name with code.
func (c *Class) Has(method string) bool {
	return slices.ContainsFunc(c.Methods, func(m Method) bool { return m.Name == method })
}
