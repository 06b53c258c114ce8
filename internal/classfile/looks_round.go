package classfile

import "strings"

// spinsAlong reports that a loop waits, spinning, and works out nothing but where it asks next, as who looks
// round for a place that is free: each number that it works out tells which element it reads, or is what a method
// is asked with. What it does only as it is left, and what it only tests, is none of that.
func (m *Method) spinsAlong(from, to int, but, tests map[int]bool) bool {
	spins := false
	worked, asked := map[int]bool{}, map[int]bool{}
	for i := range m.code {
		in := &m.code[i]
		if in.pc < from || in.pc > to || but[in.pc] {
			continue
		}
		switch {
		case in.op == opCall:
			spins = spins || in.member == "java.lang.Thread.onSpinWait"
		case in.code == putfield, in.code == putstatic, in.keepsFraction():
			return false
		case in.keepsNumber(), in.code == iinc:
			worked[in.local] = !tests[in.local] && m.worksOut(in.local, from, to)
		case in.loadsNumber():
			asked[in.local] = asked[in.local] || m.asksWith(i)
		}
	}
	found := false
	for local, is := range worked {
		if is && !asked[local] {
			return false
		}
		found = found || is
	}
	return spins && found
}

// asksWith reports that the number which an instruction has loaded, or one made of it, tells which element of an
// array is read, or is what a method is asked with.
func (m *Method) asksWith(at int) bool {
	above := 0 // slots of the stack on top of it
	for i := at + 1; i < len(m.code); i++ {
		in := &m.code[i]
		takes, puts, ok := in.effect()
		switch {
		case !ok:
			return false
		case takes <= above:
			above += puts - takes
		case in.code == dup || in.code == dup2:
			above += puts - takes
		case in.code >= iaload && in.code <= saload:
			return above == 0
		case in.op == opCall:
			return in.asksFor(above)
		case in.isArithmetic():
			above = 0
		default:
			return false
		}
	}
	return false
}

// asksFor reports that a call asks with its argument on top of which so many slots are: of the JDK's atomic
// arrays the index tells where, and what its atomic objects are given else becomes theirs.
func (in *instruction) asksFor(above int) bool {
	if !strings.HasPrefix(in.member, "java.util.concurrent.atomic.") && !strings.HasPrefix(in.member, "java.lang.invoke.") {
		return true
	}
	const arrayAndIndex = 2
	takes, _, _ := in.effect()
	return strings.HasSuffix(beforeDot(in.member), "Array") && above == takes-arrayAndIndex
}
