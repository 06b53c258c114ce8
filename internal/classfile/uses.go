package classfile

import "slices"

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
	uses, local, known := usesByLocal(m.code, at)
	d.local = local
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

// usesByLocal are the uses of what an instruction puts on the stack, or, if it goes into a local variable alone, of
// that.
func usesByLocal(code []instruction, at int) (uses []use, local, known bool) {
	uses, known = usesOf(code, at)
	if local = known && len(uses) == 1 && uses[0].op == opKeepReference; local {
		uses, known = usesOfLocal(code, uses[0])
	}
	return uses, local, known
}

// usesOfLocal are what takes what has been stored in a local variable, known if nothing else ever is.
func usesOfLocal(code []instruction, store use) (uses []use, known bool) {
	if len(code) > mostAfter {
		return nil, false
	}
	for at := range code {
		in := &code[at]
		if in.local != store.local || at == store.at {
			continue
		}
		switch {
		case in.loadsReference():
			more, known := usesOf(code, at)
			if !known || at < store.at {
				return nil, false
			}
			uses = append(uses, more...)
		case in.op == opKeepReference:
			return nil, false
		}
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
			handsOn = handsOn || a.classes[c.super] == nil && !isPlain(c.super) || slices.ContainsFunc(c.Methods, givesThis)
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
