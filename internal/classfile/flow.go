package classfile

import "slices"

// value is what is known of one on the stack or in a variable.
type value struct {
	// many tells one that may be another whenever the code comes by: not few.
	many bool
	// wide is a long or double; small a number, boxed or not, or a constant.
	wide, small bool
	// made is where the method has made it, or what holds it, by pc+1, zero elsewhere.
	made int
	// fresh is its class if it was just made, is nowhere else, and equal to itself alone; kind is its
	// class if the method has made it for this very use, as far as the code tells.
	fresh, kind string
	// exact is its class if that is one of valueClasses; field is that which holds it, if the method
	// has fetched it from there, or what it is called by localOf.
	exact, field string
	// ever tells one that equals none that was there before: a number that goes up, a new identity,
	// what is made of such. Where that is not known yet it is taken for true.
	ever bool
	// array is an array that was just made: one equals none but itself.
	array bool
	// of are the local variables that went into it by arithmetic, a bit each.
	of uint64
}

// join is a value that may be either.
func (v value) join(o value) value {
	v.many, v.small, v.ever, v.array, v.of = v.many || o.many, v.small && o.small, v.ever && o.ever, v.array && o.array, v.of|o.of
	if v.made != o.made {
		v.made = 0
	}
	if v.fresh != o.fresh {
		v.fresh = ""
	}
	if v.kind != o.kind {
		v.kind = ""
	}
	if v.exact != o.exact {
		v.exact = ""
	}
	if v.field != o.field {
		v.field = ""
	}
	return v
}

// span is the code of a loop, from its first pc to that of the branch back.
type span struct{ from, to int }

// flow is what goes through one method.
type flow struct {
	class, name, descriptor string
	static                  bool
	code                    []instruction
	loops                   []span
	// endless are the loops of which it is known whether they pause or have no end.
	endless map[span]bool
	callers []caller
	// open tells that what it is given comes from others too than those who are seen to call it.
	open bool
	// behind tells that it is called by way of an abstract method.
	behind bool
	// atStart tells that the method runs once.
	atStart bool
	// locals are the variables, joined over all that is stored in them; counters those that
	// are added to, bounded those that a loop compares with its end.
	locals            map[int]value
	counters, bounded uint64
	result            value
	returned          bool
	// puts are where few keys are put.
	puts []put
	// removals are the calls that remove something from a collection, with the class of what
	// they are given if that is fresh.
	removals []removal
	// keys are the classes of the keys that it makes and puts into hash tables.
	keys []string
	// collected is what it does with the collections that fields hold.
	// exact are the classes of its parameters that are of valueClasses.
	exact []string
	// copies tells that it makes collections of what is in others.
	collected map[string]collected
	copies    bool
	// onOwn are the methods that it calls of collections which it has made itself, onOthers those of others.
	onOwn, onOthers map[string]bool
	// givesOthers tells that it gives other things than what one field holds.
	givesOthers bool
	// merges are where code goes on after one of several branches, stores where a variable is written.
	merges map[int]bool
	stores map[int][]int
	// writes are the loops of which it is known whether they write a variable.
	writes map[written]bool
	// loads are how often each variable is read.
	loads   map[int]int
	stack   []value
	changed bool
}

func newFlow(class string, m *Method) *flow {
	fl := &flow{
		class: class, name: m.Name, descriptor: m.descriptor, static: m.static, code: m.code,
		loops: m.loops(), locals: map[int]value{}, exact: exactly(m.descriptor), loads: map[int]int{}, endless: map[span]bool{},
		merges: map[int]bool{}, stores: map[int][]int{}, writes: map[written]bool{},
	}
	for i := range m.code {
		switch in := &m.code[i]; {
		case in.op == opBranch && in.to > in.pc:
			fl.merges[in.to] = true
		case in.op == opKeepReference:
			fl.stores[in.local] = append(fl.stores[in.local], in.pc)
		}
		if m.code[i].loads() {
			fl.loads[m.code[i].local]++
		}
	}
	return fl
}

// loops are those of a method, none if there are too many. All branches back to one
// instruction are one loop.
func (m *Method) loops() []span {
	var all []span
	for begin, end := range m.loopEnds() {
		all = append(all, span{begin, end})
	}
	return all
}

// isLeft reports that a branch leads out of a loop.
func isLeft(code []instruction, l span) bool {
	return slices.ContainsFunc(code, func(in instruction) bool {
		always := in.code == gotoS || in.code == gotoW
		return in.op == opBranch && l.from <= in.pc && in.pc <= l.to && (in.to > l.to || in.pc == l.to && !always)
	})
}

func (fl *flow) initialises() bool { return fl.name == "<init>" || fl.name == "<clinit>" }

// loopAround reports that one of the loops around a place is as wanted.
func (fl *flow) loopAround(pc int, wanted func(span) bool) bool {
	return slices.ContainsFunc(fl.loops, func(l span) bool { return l.from <= pc && pc <= l.to && wanted(l) })
}

// forgetParameters is for methods of which no caller is seen.
func (fl *flow) forgetParameters() {
	unknown := make([]value, len(parameters(fl.descriptor)))
	for i := range unknown {
		unknown[i].many, unknown[i].ever = true, fl.behind && !fl.open
	}
	fl.take(value{many: true}, unknown)
}

// take joins what a caller hands over into the parameters.
func (fl *flow) take(receiver value, args []value) {
	at := 0
	if !fl.static {
		fl.store(at, value{many: receiver.many, ever: receiver.ever && !fl.open})
		at++
	}
	for i, t := range parameters(fl.descriptor) {
		if i < len(args) {
			fresh, kind := args[i].fresh, args[i].kind
			if fl.open {
				fresh, kind = "", ""
			}
			fl.store(at, value{many: args[i].many, wide: isWide(t), small: args[i].small, ever: args[i].ever && !fl.open, array: args[i].array && !fl.open, fresh: fresh, kind: kind, exact: fl.exact[i]})
		}
		at++
		if isWide(t) {
			at++
		}
	}
}

// store joins a value into a variable.
func (fl *flow) store(local int, v value) {
	if v.of&bit(local) != 0 {
		fl.count(local)
	}
	v.of = 0
	old, known := fl.locals[local]
	if known {
		v = old.join(v)
	}
	if !known || v != old {
		fl.locals[local], fl.changed = v, true
	}
}

// bit stands for a variable in sets of them; beyond the 64th there is none.
func bit(local int) uint64 { return 1 << local }

// count notes a variable that is added to.
func (fl *flow) count(local int) {
	fl.changed = fl.changed || fl.counters&bit(local) == 0 && bit(local) != 0
	fl.counters |= bit(local)
}

func (fl *flow) load(pc, local int, t byte) value {
	v, known := fl.locals[local]
	v.ever = v.ever || !known
	if fl.loopAround(pc, func(l span) bool { return !fl.writesIn(l, local) }) {
		v.fresh, v.kind, v.array = "", "", false // the same again and again
	}
	counts := fl.counters&^fl.bounded&bit(local) != 0
	v.many, v.ever = v.many || counts || isPrimitive(t) && bit(local) == 0, v.ever || counts
	v.wide = isWide(t)
	if fl.loads[local] > 1 {
		v.fresh = ""
		if isFollowed(v.kind) { // others may have it too
			v.kind = ""
		}
	}
	if isPrimitive(t) {
		v.small, v.of = true, bit(local)
	}
	return v
}

// written is a variable in a loop.
type written struct {
	span
	local int
}

// writesIn reports that a loop writes a variable; each is looked through once.
func (fl *flow) writesIn(l span, local int) bool {
	writes, known := fl.writes[written{l, local}]
	if !known {
		writes = slices.ContainsFunc(fl.stores[local], func(pc int) bool { return l.from <= pc && pc <= l.to })
		fl.writes[written{l, local}] = writes
	}
	return writes
}

func (fl *flow) push(v value) { fl.stack = append(fl.stack, v) }

// pop takes the topmost value; where branches have met it may be gone.
func (fl *flow) pop() value {
	if len(fl.stack) == 0 {
		return value{many: true}
	}
	v := fl.stack[len(fl.stack)-1]
	fl.stack = fl.stack[:len(fl.stack)-1]
	return v
}

// drop takes so many values.
func (fl *flow) drop(n int) {
	for range n {
		fl.pop()
	}
}

// follow goes through the code once, and reports whether it has learnt something.
func (fl *flow) follow(p *program) bool {
	fl.changed, fl.stack, fl.puts, fl.removals, fl.keys = false, fl.stack[:0], nil, nil, nil
	fl.onOwn, fl.onOthers, fl.collected = map[string]bool{}, map[string]bool{}, map[string]collected{}
	for i := range fl.code {
		if fl.merges[fl.code[i].pc] {
			for at := range fl.stack { // it may be what another branch has left there
				fl.stack[at].fresh, fl.stack[at].kind, fl.stack[at].exact, fl.stack[at].field, fl.stack[at].ever = "", "", "", "", false
				fl.stack[at].array = false
			}
		}
		fl.step(p, &fl.code[i])
	}
	return fl.changed
}

// numbers are the letters of the types in the order in which the codes of loads have them.
const numbers = "IJFDL"

// step does what an instruction does to the stack and the variables.
func (fl *flow) step(p *program, in *instruction) {
	switch code := in.code; {
	case code >= aconstNull && code <= ldc2:
		fl.push(value{wide: code == ldc2 || code == lconst0 || code == lconst0+1 || code == dconst0 || code == dconst1, small: true})
	case code >= iload && code <= aload:
		fl.pushLoaded(fl.load(in.pc, in.local, numbers[code-iload]))
	case code >= iload0 && code <= aload3:
		fl.pushLoaded(fl.load(in.pc, in.local, numbers[(code-iload0)/4]))
	case code >= iaload && code <= saload:
		fl.pop()
		array := fl.pop()
		fl.push(value{many: array.many || code != aaload, wide: code == iaload+1 || code == iaload+3, small: code != aaload})
	case code >= istore && code <= astore, code >= istore0 && code <= astore3:
		caught := len(fl.stack) == 0 // an exception, another each time
		v := fl.pop()
		v.ever = v.ever || caught
		fl.keepIn(in.local, v)
	case code >= iastore && code <= sastore:
		v := fl.pop()
		fl.drop(2)
		fl.spoil(v) // the array that is being filled
	case code >= pop && code <= swap:
		if n := len(fl.stack); n > 0 && fl.stack[n-1].made != in.pc-newLength+1 {
			fl.stack[n-1].fresh = "" // a copy goes elsewhere
		}
		fl.copied(code)
		fl.shuffle(code)
	case code >= iadd && code <= lxor:
		fl.compute(code)
	case code == iinc:
		fl.count(in.local)
	case code >= i2l && code <= i2s:
		v := fl.pop()
		v.wide = code == i2l || code == i2d || code == l2d || code == f2l || code == f2d || code == d2l
		v.many, v.ever = v.many && code < i2b, v.ever && code < i2b
		fl.push(v)
	case code >= lcmp && code <= dcmpg:
		b, a := fl.pop(), fl.pop()
		fl.push(value{small: true, of: a.of | b.of})
	case code == instanceof, code == arraylength:
		fl.pop()
		fl.push(value{small: true})
	case code >= getstatic && code <= putfield:
		fl.access(p, in)
	case code >= invokevirtual && code <= invokedynamic:
		fl.invoke(p, in)
	case code >= newObject && code <= anewarray, code == multianewarray:
		fl.make(p, in)
	case code == monitorenter, code == monitorexit:
		fl.use(fl.pop(), -1)
	case code == checkcast:
		fl.cast(in)
	default:
		fl.branch(p, in)
	}
}

// make puts a new object or array on the stack.
func (fl *flow) make(p *program, in *instruction) {
	v := value{made: in.pc + 1, array: true}
	switch in.code {
	case newObject:
		v = value{made: in.pc + 1, fresh: p.freshOf(in.member), kind: in.member, field: fl.localOf(in), ever: p.unequal(in.member)}
		fl.use(v, 1)
	case multianewarray:
		fl.drop(in.local)
	default:
		fl.pop()
	}
	fl.push(v)
}

// spoil hands on to an object that lies beneath its parts what these are.
func (fl *flow) spoil(part value) {
	if n := len(fl.stack); n > 0 && fl.stack[n-1].made != 0 {
		fl.stack[n-1].many, fl.stack[n-1].ever = fl.stack[n-1].many || part.many, fl.stack[n-1].ever || part.ever
	}
}

// branch is for all that goes elsewhere: what the stack holds behind it is not known.
func (fl *flow) branch(p *program, in *instruction) {
	switch code := in.code; {
	case code >= ifeq && code <= ifle:
		fl.bound(p, in, fl.pop())
	case code >= ificmpeq && code <= ifacmpne:
		b, a := fl.pop(), fl.pop()
		fl.bound(p, in, a.join(b))
	case code == ifnull, code == ifnonnull:
		fl.use(fl.pop(), -1)
	case code >= ireturn && code <= areturn:
		v := fl.pop()
		v = value{many: v.many || fl.returned && fl.result.many, ever: v.ever && (!fl.returned || fl.result.ever), field: fl.given(v)}
		if !fl.returned || v != fl.result {
			fl.result, fl.returned, fl.changed = v, true, true
		}
		fl.stack = fl.stack[:0]
	case in.op == opBranch, code == tableswitch, code == lookupswitch, code == voidReturn, code == athrow:
		fl.stack = fl.stack[:0]
	}
}

// bound notes the variables that are compared, by more or less, to leave the loop around or
// to stay in it.
func (fl *flow) bound(p *program, in *instruction, compared value) {
	ordered := in.code >= ificmplt && in.code <= ificmple || in.code >= iflt && in.code <= ifle
	leaves := func(l span) bool { return in.to > l.to || in.to == l.from }
	if p.first && ordered && compared.of != 0 && fl.loopAround(in.pc, leaves) {
		fl.bounded |= compared.of
	}
}
