package classfile

import "strings"

// effects are how many slots of the stack each instruction takes and puts back, for those that do not
// tell by a type, and -1 for those behind which the code may go on elsewhere. Chapter 6 of the
// specification; longs and doubles take two. [flow] follows what values are, for which it needs a whole
// method; where one object goes, the sizes alone tell.
var effects = func() (all [256]struct{ takes, puts int }) {
	for i := range all {
		all[i].takes = -1
	}
	for _, run := range [...]struct{ from, to, step, takes, puts int }{
		{0x00, 0x00, 1, 0, 0}, {aconstNull, dconst1, 1, 0, 1}, {lconst0, lconst0 + 1, 1, 0, 2}, {dconst0, dconst1, 1, 0, 2},
		{bipush, ldc2 - 1, 1, 0, 1}, {ldc2, ldc2, 1, 0, 2}, {iload, aload, 1, 0, 1}, {iload + 1, aload, 2, 0, 2},
		{iload0, aload3, 1, 0, 1}, {iload0 + 4, iload0 + 7, 1, 0, 2}, {iload0 + 12, iload0 + 15, 1, 0, 2},
		{iaload, saload, 1, 2, 1}, {iaload + 1, iaload + 3, 2, 2, 2}, {istore, astore, 1, 1, 0}, {istore + 1, astore, 2, 2, 0},
		{istore0, astore3, 1, 1, 0}, {istore0 + 4, istore0 + 7, 1, 2, 0}, {istore0 + 12, istore0 + 15, 1, 2, 0},
		{iastore, sastore, 1, 3, 0}, {iastore + 1, iastore + 3, 2, 4, 0}, {pop, pop, 1, 1, 0}, {pop2, pop2, 1, 2, 0},
		{dup, dup, 1, 1, 2}, {dup + 1, dup + 1, 1, 2, 3}, {dup + 2, dup + 2, 1, 3, 4}, {dup + 3, dup + 3, 1, 2, 4},
		{dup + 4, dup + 4, 1, 3, 5}, {dup + 5, dup + 5, 1, 4, 6}, {swap, swap, 1, 2, 2},
		{iadd, drem, 2, 2, 1}, {ladd, drem, 2, 4, 2}, {ineg, dneg, 2, 1, 1}, {ineg + 1, dneg, 2, 2, 2},
		{ishl, iand - 1, 2, 2, 1}, {ishl + 1, iand - 1, 2, 3, 2}, {iand, lxor, 2, 2, 1}, {land, lxor, 2, 4, 2}, {iinc, iinc, 1, 0, 0},
		{i2l, i2s, 1, 1, 1}, {i2l, i2d, 2, 1, 2}, {i2d + 1, i2d + 2, 1, 2, 1}, {l2d, l2d, 1, 2, 2}, {f2l, f2d, 1, 1, 2},
		{f2d + 1, f2d + 3, 1, 2, 1}, {d2l, d2l, 1, 2, 2}, {lcmp, dcmpg, 1, 4, 1}, {lcmp + 1, lcmp + 2, 1, 2, 1},
		{newObject, newObject, 1, 0, 1}, {newarray, arraylength, 1, 1, 1}, {checkcast, instanceof, 1, 1, 1}, {monitorenter, monitorexit, 1, 1, 0},
	} {
		for i := run.from; i <= run.to; i += run.step {
			all[i].takes, all[i].puts = run.takes, run.puts
		}
	}
	return all
}()

// effect is how many slots an instruction takes from the stack and puts there, ok unless the code may go
// on elsewhere.
func (in *instruction) effect() (takes, puts int, ok bool) {
	size := func(t string) int {
		switch firstLetter(t) {
		case 'V':
			return 0
		case 'J', 'D':
			return 2
		}
		return 1
	}
	switch in.code {
	case getstatic:
		return 0, size(in.descriptor), true
	case putstatic:
		return size(in.descriptor), 0, true
	case getfield:
		return 1, size(in.descriptor), true
	case putfield:
		return 1 + size(in.descriptor), 0, true
	case multianewarray:
		return in.local, 1, true
	}
	if in.code < invokevirtual || in.code > invokedynamic {
		e := effects[in.code]
		return e.takes, e.puts, e.takes >= 0
	}
	for _, t := range parameters(in.descriptor) {
		takes += size(string(t))
	}
	if in.code != invokestatic && in.code != invokedynamic {
		takes++
	}
	return takes, size(in.descriptor[strings.LastIndexByte(in.descriptor, ')')+1:]), true
}
