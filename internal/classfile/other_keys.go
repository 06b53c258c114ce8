package classfile

import "strings"

// valueClasses are final classes of the JDK whose objects equal none of another class, by descriptor.
var valueClasses = func() map[string]string {
	all := map[string]string{}
	for _, class := range []string{
		"java.lang.String", "java.lang.Integer", "java.lang.Long", "java.lang.Short", "java.lang.Byte", "java.lang.Character", "java.lang.Double",
		"java.lang.Float", "java.lang.Boolean", "java.util.UUID", "java.time.Instant", "java.time.LocalDate", "java.time.LocalDateTime",
	} {
		all["L"+strings.ReplaceAll(class, ".", "/")+";"] = class
	}
	return all
}()

// exactly are those of a method's parameters, "" for others.
func exactly(descriptor string) []string {
	var all []string
	for t := range typesIn(descriptor) {
		all = append(all, valueClasses[t])
	}
	return all
}

// collected is what a method does with the collections that fields hold, by field.
type collected struct {
	// loose is zero if nothing else is done with one than to call its methods and to keep it in
	// variables: each time that it gets onto the stack counts one, each of these uses one less.
	loose int
	// put are the classes of what is put there, or of its keys; "" if one is not known.
	put []string
	// calls are the methods that are called of one.
	calls []collectingCall
}

// use notes what becomes of a value that a field holds: n is 1 where it is fetched, -1 where it is
// done with.
func (fl *flow) use(v value, n int) {
	if v.field == "" {
		return
	}
	of := fl.collected[v.field]
	of.loose += n
	fl.collected[v.field] = of
}

// notePut notes what a call puts into a collection that a field holds.
func (fl *flow) notePut(in *instruction, receiver value, args []value) {
	method := afterDot(in.member)
	if receiver.field == "" || isOneOf(asking, method) {
		return
	}
	put := ""
	if len(args) > 0 && isOneOf(" put putIfAbsent computeIfAbsent compute merge add offer addFirst addLast offerFirst offerLast ", method) && strings.HasPrefix(in.descriptor, "(Ljava/lang/Object;") {
		put = args[0].exact
	}
	of := fl.collected[receiver.field]
	of.put = append(of.put, put)
	fl.collected[receiver.field] = of
}

// asking are methods of collections that put nothing there, nor give others a way to do so.
const asking = " get getOrDefault containsKey containsValue contains size isEmpty remove clear values forEach hashCode equals toString iterator stream poll peek "

// field is where a field is, whichever class the code names that has it from another.
func (p *program) field(member string) string {
	class := beforeDot(member)
	for range mostRounds {
		super := p.supers[class]
		if p.classes[super] == nil {
			break
		}
		class = super
	}
	return class + "." + afterDot(member)
}

// onlyPut are the classes of all that is put into the collections that fields hold, or of the keys
// there, by field, where no more is done with these, and all is of one class.
func (p *program) onlyPut() map[string]string {
	all := map[string]string{}
	for _, fl := range p.flows {
		for field, of := range fl.collected {
			if strings.HasSuffix(field, ofMap) || isLocal(field) {
				continue
			}
			if of.loose != 0 {
				all[field] = ""
			}
			for _, class := range of.put {
				if before, known := all[field]; known && before != class {
					class = ""
				}
				all[field] = class
			}
		}
	}
	return all
}

// asOther is what a removal in a class is given, what is there instead, and that class,
// "java.lang.Integer/java.lang.Long/shop.Cart"; empty if it may find it.
func (r removal) asOther(put map[string]string, class string) string {
	if r.exact == "" || put[r.field] == "" || put[r.field] == r.exact {
		return ""
	}
	return r.exact + "/" + put[r.field] + "/" + class
}

// settleRemovals tells of the removals that find nothing as what they are given is never put there.
func (p *program) settleRemovals() {
	put := p.onlyPut()
	for _, fl := range p.flows {
		for i, r := range fl.removals {
			if r.fresh == "" {
				fl.removals[i].fresh = r.asOther(put, fl.class)
			}
		}
	}
}

// fetched is what a field gives.
func (fl *flow) fetched(p *program, in *instruction, v value) value {
	v.exact = valueClasses[in.descriptor]
	if isFollowed(dotted(strings.TrimSuffix(strings.TrimPrefix(in.descriptor, "L"), ";"))) {
		v.field = p.field(in.member)
		fl.use(v, 1)
	}
	return v
}

// kept notes what a field is given, if that is not a collection that was just made, made empty, and
// keeps what it holds.
func (fl *flow) kept(p *program, in *instruction, v value) {
	if !isFollowed(v.kind) || fl.copies || v.kind == "java.util.WeakHashMap" {
		fl.use(value{field: p.field(in.member)}, 1)
	}
}

// pushLoaded puts the value of a variable on the stack.
func (fl *flow) pushLoaded(v value) {
	fl.use(v, 1)
	fl.push(v)
}

// keepIn stores a value in a variable; one that may hold others too is no longer followed.
func (fl *flow) keepIn(local int, v value) {
	fl.store(local, v)
	if fl.locals[local].field == v.field {
		fl.use(v, -1)
	}
}

// cast makes the class of a value known.
func (fl *flow) cast(in *instruction) {
	if n := len(fl.stack); n > 0 && in.descriptor != "" {
		fl.stack[n-1].exact = valueClasses[in.descriptor]
	}
}

// copied notes those of the topmost values that an instruction leaves twice, or drops.
func (fl *flow) copied(code byte) {
	top := func(i int) value { return fl.stack[max(0, len(fl.stack)-i)] }
	switch n := len(fl.stack); {
	case n == 0, code == swap:
	case code == pop, code == pop2:
		fl.use(top(1), -1)
	default:
		fl.use(top(1), 1)
		if n > 1 && code >= dup+3 { // dup2 and its kin
			fl.use(top(2), 1)
		}
	}
}

// noteCopy notes that a collection is made of what is in others.
func (fl *flow) noteCopy(in *instruction) {
	if isCollection(beforeDot(in.member)) && afterDot(in.member) == "<init>" && strings.Contains(in.descriptor, "Ljava/util/") {
		fl.copies = true
	}
}
