package classfile

import (
	"maps"
	"slices"
)

// leaving are the instructions of a loop behind which it is not gone through again, as before a return
// in the midst of it, or only by way of some others, by pc; these among them.
func (m *Method) leaving(from, to int, by map[int]bool) map[int]bool {
	leaves := maps.Clone(by)
	if leaves == nil {
		leaves = map[int]bool{}
	}
	for range mostRounds {
		known := len(leaves)
		stays := false // whether the instruction behind is gone through before the next round
		for i := len(m.code) - 1; i >= 0; i-- {
			in := &m.code[i]
			if in.pc < from || in.pc > to {
				continue
			}
			inLoop := from <= in.to && in.to <= to
			switch {
			case by[in.pc], in.code >= ireturn && in.code <= voidReturn:
				stays = false
			case in.code == gotoS, in.code == gotoW:
				stays = inLoop && !leaves[in.to]
			case in.op == opBranch:
				stays = stays || inLoop && !leaves[in.to]
			case in.code == athrow, in.code == tableswitch, in.code == lookupswitch:
				stays = true // as far as can be told
			}
			if !stays {
				leaves[in.pc] = true
			}
		}
		if len(leaves) == known {
			break
		}
	}
	return leaves
}

// WayRound tells what the innermost loop around a line does where it goes through none of the loops in it, if it
// passes the line so. One with a switch is not followed.
func (c *Class) WayRound(method string, line int) (Loop, bool) {
	for i := range c.Methods {
		m := &c.Methods[i]
		if m.Name != method {
			continue
		}
		from, to, ok := m.loopAround(line)
		if !ok {
			continue
		}
		within := m.loopsWithin(from, to)
		if len(within) == 0 {
			return Loop{}, false
		}
		but := m.leaving(from, to, within)
		m.addUnreached(from, to, but)
		return m.loop(from, to, but), m.isOn(line, from, to, but)
	}
	return Loop{}, false
}

// loopsWithin are the instructions of loops in a loop, by pc; none if a switch may lead past them.
func (m *Method) loopsWithin(from, to int) map[int]bool {
	within := map[int]bool{}
	for _, in := range m.code {
		if in.code == tableswitch || in.code == lookupswitch {
			return nil
		}
	}
	for _, l := range m.loops() {
		if l.from <= from || l.to > to {
			continue
		}
		for _, in := range m.code {
			if l.from <= in.pc && in.pc <= l.to {
				within[in.pc] = true
			}
		}
	}
	return within
}

// addUnreached adds to some instructions of a loop those that its first one leads to by way of these alone.
func (m *Method) addUnreached(from, to int, but map[int]bool) {
	reached := map[int]bool{from: true}
	for range mostRounds {
		known := len(reached)
		for i, in := range m.code {
			if in.pc < from || in.pc > to || but[in.pc] || !reached[in.pc] {
				continue
			}
			if in.op == opBranch {
				reached[in.to] = true
			}
			if in.code != gotoS && in.code != gotoW && in.code != athrow && i+1 < len(m.code) {
				reached[m.code[i+1].pc] = true
			}
		}
		if len(reached) == known {
			break
		}
	}
	for _, in := range m.code {
		if !reached[in.pc] {
			but[in.pc] = true
		}
	}
}

// isOn reports that a line has instructions in a range, other than some.
func (m *Method) isOn(line, from, to int, but map[int]bool) bool {
	return slices.ContainsFunc(m.code, func(in instruction) bool {
		return in.line == line && from <= in.pc && in.pc <= to && !but[in.pc]
	})
}
