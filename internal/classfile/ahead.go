package classfile

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Ahead tells what code that is left to run may come to call. Other than [Calls.From] it leaves
// nothing out that the classes show: what is handed to others may be called by any of them, and
// a call of an interface may run whatever has a method of that name. The end of a thread is
// beyond it, and so is what is called by reflection (see Opaque).
type Ahead struct {
	*Calls
	// lambdas are the methods behind lambdas and method references that may be called by others,
	// by the name of the interface's method; made are the classes of such objects.
	lambdas map[string][]target
	made    map[string]bool
	// threads are what threads run, wherever they are started.
	threads []handed
	// later is what the program has handed to others to call, queued what to executors to run once.
	later, queued []handed
	// threadAt are the instructions that make what a thread runs which is made there.
	threadAt map[*instruction]bool
	// delays tells that executors may run in their own time what they are given.
	delays bool
	// passesOn tells that code gives to others than threads what it may have from anywhere.
	passesOn bool
	// handOn and captured are what was asked for, see handsItselfOn and staysInLambda.
	handOn   map[string]bool
	captured map[captured]bool
	// hooks are those of the classes that were asked for, see mayHook.
	hooks map[*Class][]hook
}

// Call is a call of another class's method, "java.lang.Object.notify", and the class that it is in,
// empty for a method reference.
type Call struct{ Member, In string }

// handed is a lambda's method, or an object that is made, for others to call.
type handed struct {
	lambda target
	class  string
}

// NewAhead takes all classes of a program, nil if there is more code than can be followed.
func NewAhead(classes []*Class) *Ahead {
	a := &Ahead{
		Calls:   NewCalls(classes),
		lambdas: map[string][]target{}, made: map[string]bool{}, threadAt: map[*instruction]bool{},
		handOn: map[string]bool{}, captured: map[captured]bool{}, hooks: map[*Class][]hook{},
	}
	if a.classes == nil {
		return nil
	}
	a.delays = slices.ContainsFunc(classes, (*Class).delays)
	a.passesOn = a.passesTasks(classes)
	for _, c := range classes {
		for i := range c.Methods {
			for at := range c.Methods[i].code {
				a.note(c, &c.Methods[i], at)
			}
		}
	}
	return a
}

// note notes what an instruction makes for others to call.
func (a *Ahead) note(c *Class, m *Method, at int) {
	in := &m.code[at]
	for _, h := range a.madeBy(c, in) {
		d := a.destinyOf(c, m, at, h)
		isThread, hooks := a.extends(h.class, "java.lang.Thread"), a.mayHook(c, m, at)
		switch {
		case !hooks && (isThread && !slices.ContainsFunc(d.to, runsOthers) || d.only(takesRun)):
			a.threads = append(a.threads, h)
			a.threadAt[in] = !d.local
			continue // as long as it runs, it is seen
		case !a.passesOn && !hooks && (a.isTask(h.class) || makesTask(in)) && !slices.ContainsFunc(d.to, a.mayRun):
			a.threads = append(a.threads, h) // wherever it is kept until then, or called by the program
		case d.only(RunsOnce):
			a.queued = append(a.queued, h)
			if d.local || a.delays { // it may be made here, and given to the executor elsewhere
				a.later = append(a.later, h)
			}
		case (d.local || !d.only(callsAtOnce)) && (h.class != "" || !a.isOwn(in.descriptor)):
			a.later = append(a.later, h)
		}
		for kind := range a.kinds[h.class] {
			a.made[kind] = true // what it inherits from is called on it
		}
		if h.class == "" {
			a.lambdas[in.member] = append(a.lambdas[in.member], h.lambda)
		}
	}
}

// madeBy is what an instruction makes that others than the program may call.
func (a *Ahead) madeBy(c *Class, in *instruction) (all []handed) {
	switch {
	case in.code == newObject && a.isForeign(in.member):
		all = append(all, handed{class: in.member})
	case in.code == invokedynamic && in.local < len(c.bootstraps):
		for _, lambda := range c.bootstraps[in.local] {
			all = append(all, handed{lambda: lambda})
		}
	}
	return all
}

// isOwn tells a lambda of an interface of the program's own, which nobody else knows to call.
func (a *Ahead) isOwn(descriptor string) bool {
	name := dotted(strings.TrimSuffix(descriptor[strings.LastIndexByte(descriptor, ')')+1:], ";"))
	return len(name) > 1 && a.classes[name[1:]] != nil && !a.isForeign(name[1:])
}

// isForeign tells a class of the program that others may call, as it is of another kind too, or managed
// from outside.
func (a *Ahead) isForeign(name string) bool {
	c := a.classes[name]
	if c == nil {
		return false
	}
	return !isPlain(c.super) && (a.classes[c.super] == nil || a.isForeign(c.super)) ||
		slices.ContainsFunc(c.interfaces, func(i string) bool {
			return a.classes[i] == nil || isManaged(i) || a.isForeign(i)
		})
}

// isManaged tells the interfaces by which management calls an object.
func isManaged(name string) bool {
	return strings.HasSuffix(name, "MBean") || strings.HasSuffix(name, "MXBean")
}

// isPlain tells what classes extend that are of no other kind.
func isPlain(super string) bool {
	return super == "java.lang.Object" || super == "java.lang.Record" || super == "java.lang.Enum"
}

// extends tells a class that has another one above it.
func (a *Ahead) extends(name, of string) bool {
	for range mostInterfaces { // a class that is above itself was made to be so
		c := a.classes[name]
		if c == nil {
			return false
		}
		if name = c.super; name == of {
			return true
		}
	}
	return false
}

// From are the methods of other classes that a thread may yet call that stands at a place, ok if the
// place is there.
func (a *Ahead) From(at Place) (calls []Call, ok bool) {
	return a.through(at, func(m *Method, pc int) []span {
		return append(m.handedTo(pc-1), span{m.again(pc), mostCode})
	})
}

// Before are those that it may have called in that method before it came there.
func (a *Ahead) Before(at Place) (calls []Call, ok bool) {
	return a.through(at, func(m *Method, pc int) []span {
		if around, inLoop := m.outermost(pc); inLoop {
			return []span{{0, around.to}}
		}
		return []span{{0, pc - 1}}
	})
}

func (a *Ahead) through(at Place, parts func(m *Method, pc int) []span) (calls []Call, ok bool) {
	class := a.classes[at.Class]
	if class == nil {
		return nil, false
	}
	r := a.route()
	for i := range class.Methods {
		m := &class.Methods[i]
		if pc, there := m.begin(at); there {
			ok = true
			for _, part := range parts(m, pc) {
				r.through(class, m, part)
			}
		}
	}
	return r.calls(), ok
}

// again is where code may go on that runs at an instruction: with it, or at the begin of the loop
// around.
func (m *Method) again(pc int) int {
	if around, inLoop := m.outermost(pc); inLoop {
		return around.from
	}
	return pc
}

// handedTo are the instructions that make what the call at an instruction was given, if it calls that as
// often as it likes before it comes back: as forEach does, in which the thread still is.
func (m *Method) handedTo(pc int) (parts []span) {
	call := slices.IndexFunc(m.code, func(in instruction) bool { return in.pc == pc })
	if call < 0 || m.code[call].op != opCall || !mayCallAtOnce(m.code[call].member) {
		return nil
	}
	for at := range call {
		if in := &m.code[at]; in.code == newObject || in.code == invokedynamic {
			uses, _ := usesOf(m.code, at)
			if slices.ContainsFunc(uses, func(u use) bool { return !u.called() && mayCallAtOnce(u.member) }) {
				parts = append(parts, span{in.pc, in.pc})
			}
		}
	}
	return parts
}

// mayCallAtOnce tells the methods of the JDK that call what they, or a stream before them, were given.
func mayCallAtOnce(member string) bool {
	return callsAtOnce(member) || strings.HasPrefix(member, "java.util.stream.") || strings.HasPrefix(member, "java.util.Optional")
}

// begin is where the call at a place is, else where its line begins.
func (m *Method) begin(at Place) (pc int, ok bool) {
	if m.Name != at.Method {
		return 0, false
	}
	line := -1
	for _, in := range m.code {
		if at.Line > 0 && in.line != at.Line {
			continue
		}
		if in.op == opCall && afterDot(in.member) == at.Callee && at.Line > 0 {
			return in.pc + 1, true
		}
		if line < 0 {
			line = in.pc
		}
	}
	return max(0, line), line >= 0
}

// Handed are the methods of other classes that may be called by what the program has handed to others
// to call, queued by what executors were given to run once.
func (a *Ahead) Handed() (later, queued []Call) {
	of := func(all []handed) []Call {
		r := a.route()
		for _, h := range all {
			r.give(h)
		}
		return r.calls()
	}
	return of(a.later), of(a.queued)
}

// route goes through all that may be called, each method once.
type route struct {
	*Ahead
	seen  map[*Method]bool
	given map[target]bool
	found map[Call]bool
}

func (a *Ahead) route() *route {
	return &route{Ahead: a, seen: map[*Method]bool{}, given: map[target]bool{}, found: map[Call]bool{}}
}

func (r *route) calls() []Call {
	return slices.SortedFunc(maps.Keys(r.found), func(a, b Call) int {
		return cmp.Or(strings.Compare(a.Member, b.Member), strings.Compare(a.In, b.In))
	})
}

// through goes through a part of a method.
func (r *route) through(c *Class, m *Method, part span) {
	made := false
	for i := range m.code {
		in := &m.code[i]
		if in.pc < part.from || in.pc > part.to {
			continue
		}
		for _, h := range r.madeBy(c, in) {
			r.give(h)
		}
		made = made || r.threadAt[in]
		if !made && in.op == opCall && r.startsThread(in.member) {
			r.giveThreads()
		}
		if in.op == opCall && !r.interruptsItself(m, i) {
			r.call(c.Name, in)
		}
	}
}

// interruptsItself tells a call by which the current thread says again that it was interrupted, be it as an
// object of a class of threads that has just caught that.
func (a *Ahead) interruptsItself(m *Method, at int) bool {
	in := &m.code[at]
	if at < 1 || afterDot(in.member) != "interrupt" || in.descriptor != "()V" {
		return false
	}
	if m.code[at-1].member == "java.lang.Thread.currentThread" {
		return in.member == "java.lang.Thread.interrupt"
	}
	caught := at > 1 && m.code[at-2].interrupted && m.code[at-1].code == aload0 && !m.static
	return caught && a.extends(beforeDot(in.member), "java.lang.Thread") && len(a.targetsOf(in)) == 0
}

// startsThread tells the start of a thread; which, no code says that did not make it.
func (a *Ahead) startsThread(member string) bool {
	class := beforeDot(member)
	return afterDot(member) == "start" && (class == "java.lang.Thread" || class == platformBuilder || a.extends(class, "java.lang.Thread"))
}

func (r *route) giveThreads() {
	for _, h := range r.threads {
		r.give(h)
	}
}

// enter goes through a method, once.
func (r *route) enter(m ownMethod) {
	if !r.seen[m.Method] {
		r.seen[m.Method] = true
		r.through(r.classes[m.class], m.Method, span{0, mostCode})
	}
}

// call goes on with whatever a call in a class may run.
func (r *route) call(class string, in *instruction) {
	targets := r.targetsOf(in)
	for _, m := range targets {
		r.enter(m)
	}
	if len(targets) == 0 {
		r.found[Call{in.member, class}] = true
		for _, member := range r.inherited(in.member) {
			r.found[Call{member, class}] = true
		}
	}
	if in.code == invokestatic || afterDot(in.member) == "<init>" {
		return
	}
	name := afterDot(in.member)
	for _, lambda := range r.lambdas[name] {
		r.give(handed{lambda: lambda})
	}
	if r.classes[beforeDot(in.member)] != nil {
		return
	}
	for _, m := range r.methods[name+in.descriptor] {
		if r.made[m.class] {
			r.enter(m)
		}
	}
}

// inherited is what a method is called where a class of the program has it from others than the program's.
func (a *Ahead) inherited(member string) (members []string) {
	for kind := range a.kinds[beforeDot(member)] {
		c := a.classes[kind]
		for _, of := range append([]string{c.super}, c.interfaces...) {
			if a.classes[of] == nil && of != "java.lang.Object" {
				members = append(members, of+"."+afterDot(member))
			}
		}
	}
	return members
}

// give goes on with all that may be called of what is handed to others.
func (r *route) give(h handed) {
	if h.class == "" {
		if !r.given[h.lambda] {
			r.given[h.lambda] = true
			r.call("", &instruction{code: invokevirtual, op: opCall, member: h.lambda.member, descriptor: h.lambda.descriptor})
		}
		return
	}
	for name := range r.kinds[h.class] {
		c := r.classes[name]
		for i := range c.Methods {
			if m := &c.Methods[i]; !strings.HasPrefix(m.Name, "<") {
				r.enter(ownMethod{c.Name, m})
			}
		}
	}
}
