package classfile

import (
	"slices"
	"strings"
)

// effects are how many slots of the stack each instruction takes and puts back, for those that do not
// tell by a type, and -1 for those behind which the code may go on elsewhere. Chapter 6 of the
// specification; longs and doubles take two.
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

// use is the instruction that takes an object from the stack.
type use struct {
	*instruction
	// at is where it is, slot the object's place among what it takes.
	at, slot int
}

// called reports that it is a method of the object itself.
func (u use) called() bool { return u.slot == 0 && u.op == opCall && u.code != invokestatic }

// usesOf are what takes the object that the instruction at a place puts on the stack, and the copies of
// it, known unless that cannot be told: behind a branch, or far away. The copy that the constructor of a
// new one takes is none.
func usesOf(code []instruction, at int) (uses []use, known bool) {
	return usesWithin(code, at, mostCopies)
}

// Bounds of the work, for code that was made to take long: how many instructions a call's arguments may
// take, how often an object is copied, and how long the code may be in which variables are followed.
const mostArguments, mostCopies, mostAfter = 256, 4, 4096

func usesWithin(code []instruction, at, copies int) (uses []use, known bool) {
	above := 0 // slots on the object
	from := madeAt(code, at) + 1
	for next := from; next < min(len(code), from+mostArguments); next++ {
		in := &code[next]
		takes, puts, ok := in.effect()
		switch {
		case !ok:
			return nil, false
		case in.code == dup && above == 0:
			if copies == 0 {
				return nil, false
			}
			more, known := usesWithin(code, next, copies-1)
			if !known {
				return nil, false
			}
			uses = append(uses, more...)
			above = 1
		case in.code == checkcast && above == 0, in.code == dupX1 && above == 1, in.code == dup2X1 && above == 2:
		case takes > above:
			return append(uses, use{in, next, takes - 1 - above}), true
		default:
			above += puts - takes
		}
	}
	return nil, false
}

// madeAt is where an object is there that an instruction puts on the stack: behind the constructor of a
// new one, whatever that is given.
func madeAt(code []instruction, at int) int {
	if code[at].code != newObject || at+1 >= len(code) || code[at+1].code != dup {
		return at
	}
	for next, open := at+1, 1; next < min(len(code), at+4*mostArguments); next++ {
		switch in := &code[next]; {
		case in.code == newObject && in.member == code[at].member:
			open++
		case in.op == opCall && in.member == code[at].member+".<init>":
			open--
		}
		if open == 0 {
			return next
		}
	}
	return at
}

// destiny is where what is made goes: to, the calls that are given it, at once or once it has been in a local
// variable; known if it goes nowhere else.
type destiny struct {
	to           []string
	local, known bool
}

// only reports that it is given to such calls alone.
func (d destiny) only(are func(member string) bool) bool {
	return d.known && len(d.to) > 0 && !slices.ContainsFunc(d.to, func(member string) bool { return !are(member) })
}

// destinyOf is where that goes which a class makes at a place. It may have its fields read, by lambdas too,
// and methods called that keep it to themselves.
func (a *Ahead) destinyOf(c *Class, m *Method, at int, made handed) (d destiny) {
	uses, known := usesOf(m.code, at)
	if known && len(uses) == 1 && uses[0].op == opKeepReference {
		d.local = true
		uses, known = usesOfLocal(m.code, uses[0])
	}
	for _, u := range uses {
		switch {
		case u.op == opCall && !u.called():
			d.to = append(d.to, u.member)
		case u.code == invokedynamic:
			known = known && a.staysInLambda(c, u, made)
		default:
			known = known && a.staysPut(u, m.code, made)
		}
	}
	d.known = known && (made.class == "" || !a.handsItselfOn(made.class))
	return d
}

// staysPut tells a use by which what was made gets nowhere: a call of a lambda runs it, and is none.
func (a *Ahead) staysPut(u use, code []instruction, made handed) bool {
	return u.code != invokedynamic && u.staysIn(code) || u.called() && a.has(made.class, afterDot(u.member), u.descriptor)
}

// has reports that a class, or one that it extends, has a method with code.
func (a *Ahead) has(name, method, descriptor string) bool {
	for range mostInterfaces {
		c := a.classes[name]
		if c == nil {
			return false
		}
		if slices.ContainsFunc(c.Methods, func(m Method) bool { return m.Name == method && m.descriptor == descriptor }) {
			return true
		}
		name = c.super
	}
	return false
}

// staysInLambda reports that what a class hands to a lambda of its own gets nowhere from there.
func (a *Ahead) staysInLambda(c *Class, u use, made handed) bool {
	if u.local >= len(c.bootstraps) || len(c.bootstraps[u.local]) != 1 {
		return false
	}
	of := c.bootstraps[u.local][0]
	i := slices.IndexFunc(c.Methods, func(m Method) bool { return c.Name+"."+m.Name == of.member && m.descriptor == of.descriptor })
	if i < 0 {
		return false
	}
	into := captured{&c.Methods[i], u.slot, made.class}
	stays, known := a.captured[into]
	if !known {
		uses, ok := usesOfLocal(into.code, use{instruction: &instruction{local: u.slot}, at: -1})
		stays = ok && !slices.ContainsFunc(uses, func(u use) bool { return !a.staysPut(u, into.code, made) })
		a.captured[into] = stays
	}
	return stays
}

// captured is a variable of a lambda's, with the class of what is in it.
type captured struct {
	*Method
	slot  int
	class string
}

// usesOfLocal are what takes what has been stored in a local variable, known if nothing else ever is.
func usesOfLocal(code []instruction, store use) (uses []use, known bool) {
	if len(code) > mostAfter {
		return nil, false
	}
	for at := range code {
		in := &code[at]
		loads := in.code == aload || in.code >= aload0 && in.code <= aload3
		if in.local != store.local || !loads && in.op != opKeepReference || at == store.at {
			continue
		}
		more, known := usesOf(code, at)
		if !known || !loads || at < store.at {
			return nil, false
		}
		uses = append(uses, more...)
	}
	return uses, true
}

// handsItselfOn reports that the methods of a class, or of what it extends and implements, give the object
// itself to others or keep it somewhere.
func (a *Ahead) handsItselfOn(name string) bool {
	handsOn, known := a.handOn[name]
	if !known {
		for kind := range a.kinds[name] {
			c := a.classes[kind]
			foreign := a.classes[c.super] == nil && c.super != "java.lang.Object" && c.super != "java.lang.Record" && c.super != "java.lang.Enum"
			handsOn = handsOn || foreign || slices.ContainsFunc(c.Methods, givesThis)
		}
		a.handOn[name] = handsOn
	}
	return handsOn
}

// givesThis reports that a method stores its object, or hands it on, or that this cannot be told.
func givesThis(m Method) bool {
	for at := range m.code {
		if m.static || m.code[at].code != aload0 {
			continue
		}
		uses, known := usesOf(m.code, at)
		if !known || slices.ContainsFunc(uses, func(u use) bool { return !u.called() && !u.staysIn(m.code) && !u.looksFor() }) {
			return true
		}
	}
	return false
}

// looksFor tells calls that look for an object in a collection, or take it out.
func (u use) looksFor() bool {
	return u.op == opCall && isCollection(beforeDot(u.member)) && isOneOf(" remove contains get containsKey indexOf ", afterDot(u.member))
}

// staysIn tells uses by which an object gets nowhere: of its fields and its monitor, and in lambdas, of
// which is known what they call.
func (u use) staysIn(code []instruction) bool {
	switch u.code {
	case getfield, monitorenter, invokedynamic:
		return true
	case putfield:
		return u.slot == 0
	}
	return u.op == opKeepReference && u.at+1 < len(code) && code[u.at+1].code == monitorenter
}
