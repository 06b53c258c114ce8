package classfile

import (
	"cmp"
	"maps"
	"slices"
)

// mostHandlers is how many handlers of exceptions a method has whose ways are followed: real code has a dozen.
const mostHandlers = 100

// leaving are the instructions of a loop behind which it is not gone through again, as before a return
// in the midst of it, or only by way of some others, by pc; these among them. What throws may go on in a handler.
func (m *Method) leaving(from, to int, by map[int]bool) map[int]bool {
	leaves := maps.Clone(by)
	if leaves == nil {
		leaves = map[int]bool{}
	}
	if len(m.handlers) > mostHandlers {
		return leaves
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
			case in.code >= ireturn && in.code <= voidReturn, in.code == athrow:
				stays = false
			case in.code == gotoS, in.code == gotoW:
				stays = inLoop && !leaves[in.to]
			case in.op == opBranch:
				stays = stays || inLoop && !leaves[in.to]
			case in.code == tableswitch, in.code == lookupswitch:
				stays = true // as far as can be told
			}
			stays = (stays || in.mayThrow() && m.isCaught(in.pc, func(at int) bool { return from <= at && at <= to && !leaves[at] })) && !by[in.pc]
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

// isCaught reports that what an instruction throws is handled at one of some places.
func (m *Method) isCaught(pc int, is func(at int) bool) bool {
	return slices.ContainsFunc(m.handlers, func(h handler) bool { return h.covers(pc) && is(h.at) })
}

// WayRound tells what the innermost loop around a line does where it goes through none of the loops in it, if it
// passes the line so; counted that one of these counts, and so may show no thread in it. Methods with a switch are
// not followed.
func (c *Class) WayRound(method string, line int) (way Loop, counted, ok bool) {
	for m, l := range c.loopsAt(method, line) {
		within, counted := m.loopsWithin(l.from, l.to)
		if len(within) == 0 || len(m.handlers) > mostHandlers {
			return Loop{}, false, false
		}
		but := m.leaving(l.from, l.to, within)
		m.leaveOutUnreached(l.from, l.to, but)
		return m.loop(l.from, l.to, but), counted, m.isOn(line, l.from, l.to, but)
	}
	return Loop{}, false, false
}

// loopsWithin are the instructions of loops in a loop, by pc, and whether one of these counts; none if a switch may lead
// past them.
func (m *Method) loopsWithin(from, to int) (within map[int]bool, counted bool) {
	within = map[int]bool{}
	if slices.ContainsFunc(m.code, func(in instruction) bool { return in.code == tableswitch || in.code == lookupswitch }) {
		return nil, false
	}
	all := slices.DeleteFunc(m.loops(), func(l span) bool { return l.from <= from || l.to > to })
	slices.SortFunc(all, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	end := -1 // of the loops so far
	for _, in := range m.code {
		for len(all) > 0 && all[0].from <= in.pc {
			counted = counted || in.pc > end && counts(m.code, all[0]) // of one within the other the outer one will do
			end, all = max(end, all[0].to), all[1:]
		}
		if in.pc <= end {
			within[in.pc] = true
		}
	}
	return within, counted
}

// leaveOutUnreached adds to what is left out of a loop what its first instruction does not lead to without that.
func (m *Method) leaveOutUnreached(from, to int, but map[int]bool) {
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
			for _, h := range m.handlers {
				if h.covers(in.pc) && in.mayThrow() {
					reached[h.at] = true
				}
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
