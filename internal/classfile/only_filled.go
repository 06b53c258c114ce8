package classfile

import (
	"slices"
	"strconv"
	"strings"
)

// collectingCall is a call of a method of a collection that a field holds, by pc. It adds where something
// larger than a number is put there, under a key that is new, or under none; compared tells that the code
// goes on in one of two ways by what it gives, measured that it does so by another number than zero.
type collectingCall struct {
	member, descriptor       string
	at                       int
	adds, compared, measured bool
	// key is the class of the key that is just made, if that has no equals, as "/shop.Key".
	key string
	// made is where the method made the key, by pc+1.
	made int
}

// Methods of collections that put one more there, those that need a new key for that, and those that
// take nothing out. What the views give may be removed by way of them.
const (
	adding    = " append write writeBytes add addFirst addLast addElement addAll offer offerFirst offerLast push put putIfAbsent computeIfAbsent "
	looking   = " get getFirst getLast getOrDefault contains containsKey containsAll size isEmpty mappingCount forEach peek peekFirst peekLast hashCode equals toString toByteArray length charAt stream parallelStream toArray indexOf "
	viewing   = " iterator listIterator values keySet entrySet "
	givingOne = " get getOrDefault computeIfAbsent putIfAbsent "
	sizing    = " size isEmpty mappingCount length "
	removing  = " remove removeIf removeAll retainAll clear "
)

// ofMap ends the name of a field with a map where what the map holds is meant, if these are collections.
const ofMap = "[]"

// ofMethod is between the name of a method and where in it a collection is made, in the name of that.
const ofMethod = "()@"

// localOf is a name for the collection that an instruction of a method makes, as of a field:
// "shop.Till.run()@17"; empty for other objects.
func (fl *flow) localOf(in *instruction) string {
	if !holdsThings(in.member) {
		return ""
	}
	return fl.class + "." + fl.name + ofMethod + strconv.Itoa(in.pc)
}

// isLocal tells such a name.
func isLocal(field string) bool { return strings.Contains(field, ofMethod) }

// holdsThings tells the JDK's collections and queues.
func holdsThings(class string) bool {
	return isCollection(class) || strings.HasPrefix(class, "java.util.") && strings.HasSuffix(class, "Queue")
}

// holdsText tells the buffers of the JDK that what is added to stays in.
func holdsText(class string) bool {
	return isOneOf(" java.lang.StringBuilder java.lang.StringBuffer java.io.ByteArrayOutputStream ", class)
}

// holdsForThreads tells what gives each thread a collection of its own.
func holdsForThreads(class string) bool { return class == "java.lang.ThreadLocal" }

// isFollowed tells the classes that are followed in fields.
func isFollowed(class string) bool {
	return holdsThings(class) || holdsText(class) || holdsForThreads(class)
}

// handsOver tells queues at which threads wait: of what is put there somebody takes each.
func handsOver(class string) bool {
	return slices.ContainsFunc([]string{"Blocking", "Delay", "Transfer", "Synchronous"}, func(word string) bool { return strings.Contains(class, word) })
}

// viewed are the kinds by which things are removed from what such methods give.
var viewed = [...]string{"java.util.Iterator", "java.util.ListIterator", "java.util.Collection", "java.util.Set"}

// noteCollecting notes a call of a method of a collection that a field holds.
func (fl *flow) noteCollecting(p *program, in *instruction, receiver value, args []value) {
	if receiver.field == "" || strings.HasSuffix(in.member, ".<init>") {
		return
	}
	class, name := beforeDot(in.member), afterDot(in.member)
	keyed := strings.HasSuffix(class, "Map") || strings.HasSuffix(class, "Set") || strings.HasSuffix(class, "Hashtable")
	of := fl.collected[receiver.field]
	key := ""
	if keyed && len(args) > 0 && p.classes[args[0].kind] != nil && p.unequal(args[0].kind) {
		key = "/" + args[0].kind
	}
	of.calls = append(of.calls, collectingCall{
		key: key, made: keyMadeAt(args),
		member: in.member, descriptor: in.descriptor, at: in.pc,
		adds:     isOneOf(adding, name) && addsMuch(class, args) && (!keyed || args[0].ever || args[0].fresh != ""),
		compared: isOneOf(sizing, name) && fl.comparesNext(p, in, false),
		measured: isOneOf(sizing, name) && fl.comparesNext(p, in, true),
	})
	fl.collected[receiver.field] = of
}

// addsMuch reports that what a call puts into a collection is more than a number: its last argument, or the
// first one for text.
func addsMuch(class string, args []value) bool {
	switch {
	case len(args) == 0:
		return false
	case holdsText(class):
		return !args[0].small
	}
	return !args[len(args)-1].small
}

// comparesNext reports that the code branches by what an instruction gives, or by whether it is less than
// something else than zero; or that the method gives it to callers of which one does, be it of another method
// of the name.
func (fl *flow) comparesNext(p *program, in *instruction, measures bool) bool {
	const far = 3 // a constant or a field to compare with is loaded in between
	for i, o := range fl.following(in, far) {
		switch {
		case o.op == opBranch:
			return !measures || i > 0
		case o.code >= ireturn && o.code <= areturn:
			return p.isCompared(fl.name+fl.descriptor, measures)
		}
	}
	return false
}

// following are the instructions that follow one, so many.
func (fl *flow) following(in *instruction, n int) []instruction {
	at := slices.IndexFunc(fl.code, func(o instruction) bool { return o.pc == in.pc }) + 1
	return fl.code[at:min(len(fl.code), at+n)]
}

// isCompared reports that code branches right behind a call of a method of that name and descriptor.
func (p *program) isCompared(method string, measures bool) bool {
	key := asked{method, measures}
	compared, known := p.compared[key]
	if !known {
		const far = 3
		for _, fl := range p.flows {
			for i := range fl.code {
				if in := &fl.code[i]; in.op == opCall && afterDot(in.member)+in.descriptor == method {
					next := slices.IndexFunc(fl.following(in, far), func(o instruction) bool { return o.op == opBranch })
					compared = compared || next > 0 || next == 0 && !measures
				}
			}
		}
		p.compared[key] = compared
	}
	return compared
}

// asked is a method of which it was asked whether its result is compared.
type asked struct {
	method   string
	measures bool
}

// filled are collections in fields that are put into again and again and from which nothing is ever
// taken, each with a method by which that is done and where: "shop.Cart.lines/java.util.List.add/shop.Cart.add:17";
// behind that, "/shop.Key", stands the class of the key if it has no equals, though things are looked for by it.
// Each is a static field, or one of an object that is made once, at the start, or the variable of a method that
// never comes to an end: "shop.Till.run()"; holds nothing but what was made for it, and is handed to
// nobody; nobody asks for its size to decide on anything; and what is put there, time and again, is
// more than a number, and has a new key, or needs none.
func (p *program) filled() []string {
	calls, loose := p.collectedCalls()
	removes := p.removesByViews()
	var all []string
	for name, of := range calls {
		field, within := strings.CutSuffix(name, ofMap)
		mayGo := within && (loose[field] > 0 || slices.ContainsFunc(calls[field], func(c ownCall) bool { return !c.onlyLooksUp() }))
		if mayGo || loose[name] > 0 || !p.stays(field) || slices.ContainsFunc(of, func(c ownCall) bool { return !c.onlyAdds(removes) }) {
			continue
		}
		shown, _, _ := strings.Cut(field, "@")
		i := slices.IndexFunc(of, func(c ownCall) bool { return c.adds && c.flow.goesOn(put{at: c.at, made: madeIn(field)}) })
		if i >= 0 {
			all = append(all, shown+"/"+of[i].member+"/"+of[i].flow.place(of[i].at)+p.keyInVain(of, of[i]))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// keyMadeAt is where the first argument of a call was made, by pc+1.
func keyMadeAt(args []value) int {
	if len(args) == 0 {
		return 0
	}
	return args[0].made
}

// keyInVain is the class of the key by which a call puts things into a collection, if they are also looked for there by
// new keys of that class.
func (p *program) keyInVain(of []ownCall, puts ownCall) string {
	identical := slices.ContainsFunc(p.flows, func(fl *flow) bool {
		return slices.ContainsFunc(fl.code, func(in instruction) bool { return strings.Contains(in.member, "Identity") })
	})
	looksFor := slices.ContainsFunc(of, func(c ownCall) bool {
		if c.key != puts.key || c.flow == puts.flow && c.made == puts.made && c.at != puts.at {
			return false
		}
		return isOneOf(" get getOrDefault contains containsKey computeIfAbsent ", afterDot(c.member))
	})
	if identical || !looksFor {
		return ""
	}
	return puts.key
}

// stays reports that a field has one and the same collection from the start on.
func (p *program) stays(field string) bool { return !p.changes[afterDot(field)] && p.isMadeOnce(field) }

// collectedCalls are all calls of the collections that fields hold, by field, and what else is done with one, see
// [collected].
func (p *program) collectedCalls() (calls map[string][]ownCall, loose map[string]int) {
	calls, loose = map[string][]ownCall{}, map[string]int{}
	for _, fl := range p.flows {
		for field, of := range fl.collected {
			loose[field] += max(of.loose, -of.loose)
			for _, c := range of.calls {
				calls[field] = append(calls[field], ownCall{c, fl})
			}
		}
	}
	return calls, loose
}

// removesByViews are the kinds of views by which anything is removed.
func (p *program) removesByViews() map[string]bool {
	removes := map[string]bool{}
	for _, fl := range p.flows {
		for i := range fl.code {
			if in := &fl.code[i]; in.op == opCall && isOneOf(removing, afterDot(in.member)) && slices.Contains(viewed[:], beforeDot(in.member)) {
				removes[beforeDot(in.member)] = true
			}
		}
	}
	return removes
}

// ownCall is such a call in a method.
type ownCall struct {
	collectingCall
	flow *flow
}

// onlyAdds reports that the collection is only put into, or looked at, if nobody removes by way of a view.
func (c ownCall) onlyAdds(removes map[string]bool) bool {
	switch name := afterDot(c.member); {
	case c.compared, handsOver(c.member):
		return false
	case isOneOf(viewing, name):
		return len(removes) == 0
	default:
		return isOneOf(adding, name) || isOneOf(looking, name)
	}
}

// onlyLooksUp reports that a call of a map gives no more than one of what it holds, or of the keys.
func (c ownCall) onlyLooksUp() bool {
	return isOneOf(" get getOrDefault computeIfAbsent putIfAbsent containsKey size isEmpty keySet ", afterDot(c.member))
}

// madeIn is where a method has made a collection, by pc+1, zero for one that a field holds.
func madeIn(field string) int {
	_, pc, local := strings.Cut(field, ofMethod)
	if !local {
		return 0
	}
	at, _ := strconv.Atoi(pc)
	return at + 1
}

// isMadeOnce tells a static field, and one of a class of which objects are made at the start only, one by one.
func (p *program) isMadeOnce(field string) bool {
	class := beforeDot(field)
	if p.statics[field] || isLocal(field) {
		return true
	}
	made := false
	for _, fl := range p.flows {
		for i := range fl.code {
			in := &fl.code[i]
			if in.code != newObject || !p.isA(in.member, class) {
				continue
			}
			if !fl.atStart || fl.loopAround(in.pc, func(span) bool { return true }) {
				return false
			}
			made = true
		}
	}
	return made
}
