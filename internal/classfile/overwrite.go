package classfile

import (
	"slices"
	"strings"
)

// MapUse is what the methods of a class do with maps, as far as the keys tell.
type MapUse struct {
	// Overwrites tells that objects are put under keys of which there are but so many, time
	// and again: what was there before may be garbage then.
	Overwrites bool
	// InVain are the methods by which things are removed from collections, if no call of
	// them in the class ever finds any: each is given an object that was just made, of a class
	// without equals, or one of another class than all that is put there. These classes are
	// Unequal, the latter with that which is put, and the class that removes:
	// "java.lang.Integer/java.lang.Long/shop.Cart".
	InVain, Unequal []string
	// Local are the methods of collections that it calls only of such as its methods have made.
	Local []string
	// Broken are the classes of keys that its methods make and put into hash tables, which are equal
	// to none there though they are meant to be.
	Broken []string
	// Filled are its fields of which the collections are only ever put into, see filled, and those with
	// an object that keeps all that were there before, see chains.
	Filled []string
	// Fed are its fields with queues that may grow without bound, see fed.
	Fed []string
	// Makes are the places in it at which threads and class loaders are made again and again, see madeAgain.
	Makes []string
}

// MapUses is how a program's classes use maps, by class; of those that do nothing of interest
// there is none.
//
// What a key is made of is followed through expressions, variables, and the parameters and
// results of the classes' methods, in the order of the code. Few are constants, remainders,
// random numbers below a bound, counters that a loop bounds, elements of what fields hold that
// are not written again, and what is made of few. What a method does once at the start is no
// overwriting, nor is putting numbers, or into a map that was just made. Of more code than can
// be followed nothing is known.
func MapUses(classes []*Class) (uses map[string]MapUse, known bool) {
	if sizeOf(classes) > mostFollowed {
		return nil, false
	}
	p := newProgram(classes)
	if !p.settle() || !p.findStart() {
		return nil, false
	}
	p.settleRemovals()
	uses = map[string]MapUse{}
	filled, fed := byClass(append(p.filled(), p.chains()...)), byClass(p.fed())
	ordered := slices.ContainsFunc(classes, func(c *Class) bool { return slices.ContainsFunc(c.Refers, isOrdered) })
	for _, c := range classes {
		flows := p.of[c.Name]
		use := MapUse{Filled: filled[c.Name], Fed: fed[c.Name], Makes: p.madeAgain(flows), Local: local(c, flows), Overwrites: slices.ContainsFunc(flows, func(fl *flow) bool { return slices.ContainsFunc(fl.puts, fl.goesOn) })}
		if !ordered { // a comparator may find what has no equals
			use.InVain, use.Unequal = inVain(c, flows)
			use.Broken = p.brokenKeys(flows)
		}
		if use.Overwrites || len(use.InVain)+len(use.Broken)+len(use.Local)+len(use.Filled)+len(use.Fed)+len(use.Makes) > 0 {
			uses[c.Name] = use
		}
	}
	return uses, true
}

// byClass sorts what is said of fields by their classes.
func byClass(said []string) map[string][]string {
	all := map[string][]string{}
	for _, text := range said {
		field, _, _ := strings.Cut(text, "/")
		all[beforeDot(field)] = append(all[beforeDot(field)], text)
	}
	return all
}

// Bounds of the work: instructions of all methods, and how often these are gone through.
const mostFollowed, mostRounds = 200_000, 20

// sizeOf is how many instructions the methods of some classes have.
func sizeOf(classes []*Class) int {
	size := 0
	for _, c := range classes {
		for _, m := range c.Methods {
			size += len(m.code)
		}
	}
	return size
}

// program is the methods of some classes, and what flows between them.
type program struct {
	flows   []*flow
	of      map[string][]*flow // by class
	methods map[string]*flow   // by class, name and descriptor
	supers  map[string]string
	classes map[string]*Class
	// changes are the names of fields that are written by more than constructors and initialisers.
	changes map[string]bool
	// written are the fields that any method writes, counted those that one adds to, and same those that
	// are given what may have been there before.
	written, counted, same map[string]bool
	statics                map[string]bool          // of the fields
	compared               map[asked]bool           // see isCompared
	bodies                 map[*instruction][]*flow // that calls may run, see connectVirtual
	fresh                  map[string]bool          // of the classes that were asked for, see freshOf
	// runs are the methods that calls of a name and descriptor run, nil for those of an interface.
	runs    map[string][]*flow
	callees map[*instruction]*flow     // as far as they were looked for
	kinds   map[string]map[string]bool // of the classes that were asked for, see isA
	// handed are the names of methods that others may call by a reference.
	handed map[string]bool
	first  bool // the first round
}

func newProgram(classes []*Class) *program {
	p := &program{of: map[string][]*flow{}, methods: map[string]*flow{}, supers: map[string]string{}, classes: map[string]*Class{}, changes: map[string]bool{}, written: map[string]bool{}, counted: map[string]bool{}, same: map[string]bool{}, statics: map[string]bool{}, compared: map[asked]bool{}, bodies: map[*instruction][]*flow{}, callees: map[*instruction]*flow{}, kinds: map[string]map[string]bool{}, fresh: map[string]bool{}, runs: map[string][]*flow{}, handed: map[string]bool{}}
	for _, c := range classes {
		p.supers[c.Name], p.classes[c.Name] = c.super, c
		for _, member := range c.handles {
			p.handed[afterDot(member)], p.handed[member] = true, true
		}
		for i := range c.Methods {
			fl := newFlow(c.Name, &c.Methods[i])
			p.flows = append(p.flows, fl)
			p.of[c.Name] = append(p.of[c.Name], fl)
			p.methods[fl.class+"."+fl.name+fl.descriptor] = fl
		}
	}
	for _, fl := range p.flows {
		p.connect(fl)
	}
	p.connectVirtual()
	for _, fl := range p.flows {
		if fl.name == "<init>" { // of no other class
			fl.open = p.handed[fl.class+".<init>"]
			continue
		}
		fl.open = p.handed[fl.name] || slices.ContainsFunc(p.runs[fl.name+fl.descriptor], func(o *flow) bool {
			return o == nil && !fl.behind || o != nil && o != fl && p.isA(fl.class, o.class)
		})
	}
	return p
}

// connect notes whom a method calls, and which fields it writes.
func (p *program) connect(fl *flow) {
	for i := range fl.code {
		in := &fl.code[i]
		switch {
		case in.op == opCall:
			callee := p.callee(in)
			if method := afterDot(in.member) + in.descriptor; p.classes[beforeDot(in.member)] != nil && !slices.Contains(p.runs[method], callee) {
				p.runs[method] = append(p.runs[method], callee)
			}
			if callee != nil {
				callee.callers = append(callee.callers, caller{flow: fl, inLoop: fl.loopAround(in.pc, func(span) bool { return true })})
			}
		case in.code == putfield || in.code == putstatic:
			p.written[in.member] = true
			p.statics[p.field(in.member)] = p.statics[p.field(in.member)] || in.code == putstatic
			p.counted[in.member] = p.counted[in.member] || addsTo(fl.code, i)
			if !fl.initialises() {
				p.changes[afterDot(in.member)] = true
			}
		}
	}
}

// callee is the method that is called, in the class itself or one that it extends.
func (p *program) callee(in *instruction) *flow {
	found, known := p.callees[in]
	if !known {
		found = p.findCallee(in)
		p.callees[in] = found
	}
	return found
}

func (p *program) findCallee(in *instruction) *flow {
	class, method := beforeDot(in.member), afterDot(in.member)+in.descriptor
	for range mostRounds {
		if p.classes[class] == nil {
			return nil
		}
		if callee := p.methods[class+"."+method]; callee != nil {
			return callee
		}
		class = p.supers[class]
	}
	return nil
}

// unequal reports that objects of a class are equal to themselves alone, in trees too: neither
// it nor what it extends says otherwise.
func (p *program) unequal(class string) bool {
	for range mostRounds {
		if class == "java.lang.Object" {
			return true
		}
		if p.methods[class+".equals(Ljava/lang/Object;)Z"] != nil || p.methods[class+".compareTo(Ljava/lang/Object;)I"] != nil {
			return false
		}
		class = p.supers[class] // none if it was not read
	}
	return false
}

// freshOf is the class itself if it is unequal, and its constructors hand the object to nobody.
func (p *program) freshOf(class string) string {
	fresh, known := p.fresh[class]
	if !known {
		fresh = p.unequal(class) && p.keepsToItself(class)
		p.fresh[class] = fresh
	}
	if !fresh {
		return ""
	}
	return class
}

// keepsToItself reports that constructors, also of what the class extends, call only other
// constructors, static methods and those of java.lang, and set no static field.
func (p *program) keepsToItself(class string) bool {
	for range mostRounds {
		for _, fl := range p.of[class] {
			if fl.name == "<init>" && slices.ContainsFunc(fl.code, mayHandOver) {
				return false
			}
		}
		if class = p.supers[class]; class == "" || class == "java.lang.Object" {
			return true
		}
	}
	return false
}

// mayHandOver tells what a constructor may hand its object to others by.
func mayHandOver(in instruction) bool {
	ofLanguage := strings.HasPrefix(in.member, "java.lang.") && !strings.HasPrefix(in.member, "java.lang.Thread")
	isCall := in.op == opCall && in.code != invokestatic && afterDot(in.member) != "<init>" && !ofLanguage
	isLambda := in.code == invokedynamic && !isConcat(&in)
	return isCall || isLambda || in.code == putstatic
}

// isConcat tells the making of a text, as compilers of Java 9 and later write it.
func isConcat(in *instruction) bool {
	return in.code == invokedynamic && strings.HasPrefix(in.member, "makeConcat")
}

// settle goes through all methods until nothing more turns out to be many, and reports
// whether it came so far.
func (p *program) settle() bool {
	for _, fl := range p.flows {
		if len(fl.callers) == 0 {
			fl.forgetParameters()
		}
	}
	for round := range mostRounds {
		p.first = round == 0
		changed := false
		for _, fl := range p.flows {
			changed = fl.follow(p) || changed
		}
		// One that was followed before its callers may have been given more by them since.
		if !changed && !slices.ContainsFunc(p.flows, func(fl *flow) bool { return fl.changed }) {
			return true
		}
	}
	return false
}

// findStart tells the methods that run once: main, static initialisers, and what only these
// call outside of a loop. A task that is run once at the start may be run by others later, and so may a
// method that they are given by a reference.
func (p *program) findStart() bool {
	for _, fl := range p.flows {
		fl.atStart = len(fl.callers) > 0 && !p.isTask(fl) && !p.isHandedOn(fl) || fl.name == "main" || fl.name == "<clinit>"
	}
	for range mostRounds {
		changed := false
		for _, fl := range p.flows {
			if fl.atStart && slices.ContainsFunc(fl.callers, func(c caller) bool { return !c.flow.atStart || c.inLoop }) {
				fl.atStart, changed = false, true
			}
		}
		if !changed {
			return true
		}
	}
	return false
}

// isHandedOn tells a method that others are given by a reference, be it by a class or interface that it is one of.
func (p *program) isHandedOn(fl *flow) bool {
	if !p.handed[fl.name] {
		return false
	}
	for kind := range kindsOf(p.classes, fl.class) {
		if p.handed[kind+"."+fl.name] {
			return true
		}
	}
	return false
}

// isTask tells the method of a Runnable or Callable that others run it by.
func (p *program) isTask(fl *flow) bool {
	if fl.static || !isOneOf(" run()V call()Ljava/lang/Object; ", fl.name+fl.descriptor) {
		return false
	}
	for kind := range kindsOf(p.classes, fl.class) {
		if c := p.classes[kind]; c.super == "java.util.TimerTask" || slices.Contains(c.interfaces, "java.lang.Runnable") || slices.Contains(c.interfaces, "java.util.concurrent.Callable") {
			return true
		}
	}
	return false
}

// caller is a method that calls another.
type caller struct {
	flow   *flow
	inLoop bool
}
