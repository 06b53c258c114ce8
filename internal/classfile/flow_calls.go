package classfile

import (
	"iter"
	"slices"
	"strings"
)

// put is where a map is put into, by pc, and where the map was made if the method did, by pc+1.
type put struct{ at, made int }

// removal is a call that removes from a collection what it is given, with the class of that if
// it is fresh, of its class in any case if that is known, and the field that holds the collection.
type removal struct{ member, fresh, exact, field string }

// invoke is for calls: it hands values to methods of the program, knows what becomes of them in
// those of the JDK that keys are made with, and notes where a map is put into.
func (fl *flow) invoke(p *program, in *instruction) {
	args := make([]value, len(parameters(in.descriptor)))
	for i := range args {
		args[len(args)-1-i] = fl.pop()
	}
	receiver := value{}
	if in.code != invokestatic && in.code != invokedynamic {
		receiver = fl.pop()
	}
	if isOverwriting(in.member, args) && !fl.initialises() {
		fl.puts = append(fl.puts, put{at: in.pc, made: receiver.made})
	}
	fl.noteKey(in, receiver, args)
	if isCollection(beforeDot(in.member)) && in.code != invokestatic {
		if receiver.made != 0 {
			fl.onOwn[in.member] = true
		} else {
			fl.onOthers[in.member] = true
		}
	}
	if class := beforeDot(in.member); isCollection(class) && afterDot(in.member) == "remove" {
		r := removal{member: in.member, field: receiver.field}
		if strings.HasPrefix(in.descriptor, "(Ljava/lang/Object;") && !isOrdered(class) {
			r.fresh, r.exact = args[0].fresh, args[0].exact
		}
		fl.removals = append(fl.removals, r)
	}
	fl.notePut(in, receiver, args)
	fl.noteCollecting(p, in, receiver, args)
	fl.noteCopy(in)
	fl.use(receiver, -1)
	result := resultOf(p, in, receiver, args)
	if in.code == invokedynamic && !isConcat(in) && len(args) > 0 {
		result.fresh = NewLambda
	}
	switch {
	case strings.HasPrefix(in.member, "java.util.Collections.synchronized") && len(args) > 0:
		result.kind = args[0].kind // one that is guarded
	case in.member == "java.lang.ThreadLocal.withInitial":
		result.kind = beforeDot(in.member)
	}
	switch t := resultType(in.descriptor); {
	case t != 'V':
		result.wide, result.small = isWide(t), result.small || isPrimitive(t)
		_, of, _ := strings.Cut(in.descriptor, ")")
		result.exact = valueClasses[of]
		if field := givenBy(in, receiver); field != "" {
			result.field = field
		}
		fl.use(result, 1)
		fl.push(result)
	case strings.HasSuffix(in.member, ".<init>"):
		fl.spoil(result)
		fl.bounds(in)
	}
}

// givenBy is the name of the collection that a call of one in a field gives: one of those that it holds, or
// itself, as text does; empty for others.
func givenBy(in *instruction, receiver value) string {
	switch {
	case receiver.field == "":
		return ""
	case isOneOf(givingOne, afterDot(in.member)):
		return receiver.field + ofMap
	case holdsText(beforeDot(in.member)) && afterDot(in.member) == "append":
		return receiver.field
	}
	return ""
}

// given is the name of the collection in a field that a method gives to its callers, if all of these are seen and
// it gives nothing else; what others get may be done anything with.
func (fl *flow) given(v value) string {
	if fl.open || fl.behind || fl.givesOthers || len(fl.callers) == 0 {
		return ""
	}
	if fl.returned && fl.result.field != v.field {
		fl.givesOthers, fl.changed = true, true
		return ""
	}
	fl.use(v, -1)
	return v.field
}

// isOverwriting tells a call that puts an object into a map under one of few keys.
func isOverwriting(member string, args []value) bool {
	if len(args) != 2 || args[0].many || args[1].small {
		return false
	}
	class := beforeDot(member)
	return strings.HasPrefix(class, "java.util.") && strings.HasSuffix(member, ".put") && (strings.HasSuffix(class, "Map") || strings.HasSuffix(class, "Hashtable"))
}

// isOrdered tells the collections of the JDK that do not go by equals.
func isOrdered(class string) bool {
	return strings.HasPrefix(class, "java.util.") && slices.ContainsFunc([]string{"Tree", "SkipList", "Sorted", "Navigable"}, func(word string) bool {
		return strings.Contains(class, word)
	})
}

// inVain are the methods of removal of which no call in a class, whose methods these are, finds
// anything, and the classes of what they are given.
func inVain(c *Class, flows []*flow) (members, classes []string) {
	finds := map[string]bool{}
	for _, fl := range flows {
		for _, r := range fl.removals {
			finds[r.member] = finds[r.member] || r.fresh == ""
		}
	}
	for _, fl := range flows {
		for _, r := range fl.removals {
			if !finds[r.member] && !slices.Contains(c.handles, r.member) {
				members, classes = append(members, r.member), append(classes, r.fresh)
			}
		}
	}
	slices.Sort(members)
	slices.Sort(classes)
	return slices.Compact(members), slices.Compact(classes)
}

// makers are methods of the JDK whose result is made of receiver and arguments alone, by class.
var makers = map[string]string{
	"java.lang.String":        " valueOf format concat substring trim strip toUpperCase toLowerCase intern toString replace join repeat formatted charAt length ",
	"java.lang.StringBuilder": " <init> append insert toString reverse ",
	"java.lang.StringBuffer":  " <init> append insert toString reverse ",
	"java.lang.Integer":       " valueOf intValue longValue toString toHexString parseInt ",
	"java.lang.Long":          " valueOf intValue longValue toString toHexString parseLong ",
	"java.lang.Short":         " valueOf shortValue intValue ",
	"java.lang.Byte":          " valueOf byteValue intValue ",
	"java.lang.Character":     " valueOf charValue toString ",
	"java.lang.Boolean":       " valueOf booleanValue toString ",
	"java.lang.Double":        " valueOf doubleValue intValue ",
	"java.lang.Math":          " abs min max toIntExact floorDiv ",
	"java.util.Map$Entry":     " getKey ",
	"java.util.Optional":      " get orElseThrow ",
	"java.util.Objects":       " requireNonNull toString ",
	"java.lang.Thread":        " getName ",
	"java.lang.Enum":          " name toString ",
	"java.util.UUID":          " toString ",
	"java.time.Instant":       " toString toEpochMilli ",
}

// elements are methods of collections, and of what walks through them, whose results are as
// few as the collection is.
const elements = " iterator listIterator next get getFirst getLast keySet entrySet values clone toArray "

// choosers are methods that give one of few, whatever they are given.
var choosers = []string{
	"java.lang.Math.floorMod", "java.lang.Thread.currentThread", "java.lang.Enum.ordinal", "java.lang.Object.getClass",
	"java.lang.Class.getName", "java.lang.Class.getSimpleName",
}

// resultOf is what is known of what a call gives.
func resultOf(p *program, in *instruction, receiver value, args []value) value {
	made := value{
		many: receiver.many || slices.ContainsFunc(args, func(v value) bool { return v.many }),
		ever: receiver.ever || slices.ContainsFunc(args, func(v value) bool { return v.ever }),
	}
	class, name := beforeDot(in.member), afterDot(in.member)
	callee := p.callee(in)
	if callee != nil {
		callee.take(receiver, args)
	}
	switch {
	case isConcat(in), isOneOf(makers[class], name):
		made.small = name == "valueOf" && class != "java.lang.String" // boxed
		made.ever = made.ever && !isOneOf(shortening, name)
		return made
	case callee != nil && name != "<init>":
		return value{many: callee.result.many, ever: callee.result.ever || !callee.returned, field: callee.result.field}
	case name == "<init>" && p.classes[class] != nil, isBlockingTake(class, name):
		return value{many: true, ever: made.ever || name != "<init>" || p.equalsByParts(class) && slices.ContainsFunc(args, func(v value) bool { return v.array })}
	case callee == nil && len(p.bodies[in]) > 0:
		return p.takeBehind(in, args)
	case isOneOf(newEver[class], name):
		return value{many: true, ever: true}
	case strings.Contains(class, "Random") && strings.HasPrefix(name, "next") && isBounded(in.descriptor), slices.Contains(choosers, in.member):
		return value{}
	case (isCollection(class) || strings.HasPrefix(class, "[")) && isOneOf(elements, name):
		return value{many: receiver.many}
	case class == "java.util.List" && name == "of", in.member == "java.util.Arrays.asList":
		return made
	}
	return value{many: true}
}

// beforeDot and afterDot are the class and the name of a member, the first empty if it has none.
func beforeDot(member string) string { return member[:max(0, strings.LastIndexByte(member, '.'))] }

func afterDot(member string) string { return member[strings.LastIndexByte(member, '.')+1:] }

func isOneOf(names, name string) bool { return strings.Contains(names, " "+name+" ") }

// isBounded tells the methods of random numbers that are given a bound.
func isBounded(descriptor string) bool {
	types := parameters(descriptor)
	return len(types) > 0 && types[0] != '['
}

// isCollection tells the JDK's collections and what walks through them.
func isCollection(class string) bool {
	return strings.HasPrefix(class, "java.util.") && slices.ContainsFunc([]string{"List", "Set", "Map", "Iterator", "Collection", "Deque"}, func(end string) bool {
		return strings.HasSuffix(class, end)
	})
}

// holdsOthers tells fields, by descriptor, that hold arrays and collections.
func holdsOthers(descriptor string) bool {
	class := dotted(strings.TrimSuffix(strings.TrimPrefix(descriptor, "L"), ";"))
	return strings.HasPrefix(descriptor, "[L") || isCollection(class)
}

// goesOn reports that a put does not run at the start alone, and not into a map that was
// made for it.
func (fl *flow) goesOn(p put) bool {
	if p.made != 0 {
		return fl.loopAround(p.at, func(l span) bool { return fl.isEndless(l) && !(l.from <= p.made-1 && p.made-1 <= l.to) })
	}
	return !fl.atStart || fl.loopAround(p.at, fl.isEndless)
}

// isEndless tells a loop that pauses, or has no end; each is looked through once.
func (fl *flow) isEndless(l span) bool {
	endless, known := fl.endless[l]
	if !known {
		endless = goesRound(fl.code, l)
		fl.endless[l] = endless
	}
	return endless
}

// goesRound tells a loop that waits, or that nothing but an exception ends.
func goesRound(code []instruction, l span) bool {
	return !isLeft(code, l) || slices.ContainsFunc(code, func(in instruction) bool {
		return in.op == opCall && l.from <= in.pc && in.pc <= l.to && isOneOf(" sleep parkNanos park await take ", afterDot(in.member))
	})
}

// mostParameters is the JVM's own bound.
const mostParameters = 255

// parameters are the first letters of the types in a descriptor, "(IJLjava/lang/String;[B)V"
// gives "IJL[".
func parameters(descriptor string) []byte {
	var all []byte
	for t := range typesIn(descriptor) {
		all = append(all, t[0])
	}
	return all
}

// typesIn are the types of the parameters in a descriptor, each whole, as "[B" and "Ljava/lang/String;".
func typesIn(descriptor string) iter.Seq[string] {
	return func(yield func(string) bool) {
		inside, _, _ := strings.Cut(strings.TrimPrefix(descriptor, "("), ")")
		for n := 0; inside != "" && n < mostParameters; n++ {
			rest := strings.TrimLeft(inside, "[")
			if strings.HasPrefix(rest, "L") {
				_, rest, _ = strings.Cut(rest, ";")
			} else if rest != "" {
				rest = rest[1:]
			}
			if !yield(inside[:len(inside)-len(rest)]) {
				return
			}
			inside = rest
		}
	}
}

func firstLetter(descriptor string) byte {
	if descriptor == "" {
		return 'L'
	}
	return descriptor[0]
}

// resultType is the first letter of the type that a method gives, 'V' for none.
func resultType(descriptor string) byte {
	if _, result, _ := strings.Cut(descriptor, ")"); result != "" {
		return result[0]
	}
	return 'V'
}

func isWide(t byte) bool { return t == 'J' || t == 'D' }

func isPrimitive(t byte) bool { return t != 'L' && t != '[' }

// NewLambda stands for the class of a lambda or method reference that refers to objects: each is
// another one.
const NewLambda = "lambda"

// local are the methods of collections that a class calls only of such as its methods have made.
func local(c *Class, flows []*flow) []string {
	var all []string
	for _, fl := range flows {
		for member := range fl.onOwn {
			if !slices.ContainsFunc(flows, func(o *flow) bool { return o.onOthers[member] }) && !slices.Contains(c.handles, member) {
				all = append(all, member)
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
