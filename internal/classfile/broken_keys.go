package classfile

import (
	"slices"
	"strings"
)

// brokenKeys are the classes of which the methods of a class get a new object each time that they put
// one as a key into a hash table, which finds none there that is equal: each is a new key. They have an
// equals for another type than Object alone, or no hashCode beside their equals; or neither, though it
// is asked for them.
func (p *program) brokenKeys(flows []*flow) []string {
	var keys []string
	for _, fl := range flows {
		for _, key := range fl.keys {
			if c := p.classes[key.class]; c != nil && (c.isBrokenKey() || p.freshOf(key.class) != "" && (key.absent || fl.asked[key.class])) {
				keys = append(keys, key.class)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// key is the class of one that is put into a hash table, absent if only where there is none.
type key struct {
	class  string
	absent bool
}

// noteKey notes of which class the key is that a call puts into a hash table or asks it for, if the
// method has made it, or was given it new, and not the table.
func (fl *flow) noteKey(in *instruction, receiver value, args []value) {
	if len(args) == 0 || receiver.made != 0 || !mayHash(beforeDot(in.member)) {
		return
	}
	class := fl.newClass(args[0])
	switch method := afterDot(in.member); {
	case class == "":
	case isOneOf(asksFor, method):
		fl.asked[class] = true
	case isOneOf(" put putIfAbsent computeIfAbsent compute merge add ", method):
		fl.keys = append(fl.keys, key{class, isOneOf(" putIfAbsent computeIfAbsent merge ", method)})
	}
}

// asksFor are the methods that look for a key in a collection, and keep none.
const asksFor = " get containsKey contains getOrDefault "

// newClass is the class of a value that is new, empty if it is none.
func (fl *flow) newClass(v value) string {
	if v.made == 0 {
		if v.fresh == NewLambda {
			return ""
		}
		return v.fresh
	}
	at, found := slices.BinarySearchFunc(fl.code, v.made-1, func(in instruction, pc int) int { return in.pc - pc })
	if found && fl.code[at].code == newObject {
		return fl.code[at].member
	}
	return ""
}

// isBrokenKey tells a class of its own, extending none, whose equals hash tables do not ask.
func (c *Class) isBrokenKey() bool {
	has := func(name, descriptor string) bool {
		return slices.ContainsFunc(c.Methods, func(m Method) bool { return m.Name == name && m.descriptor == descriptor && !m.static })
	}
	if c.super != "java.lang.Object" {
		return false
	}
	own := "(L" + strings.ReplaceAll(c.Name, ".", "/") + ";)Z"
	if has("equals", "(Ljava/lang/Object;)Z") {
		return !has("hashCode", "()I")
	}
	return has("equals", own)
}

// mayHash tells the maps and sets of the JDK that may be hash tables.
func mayHash(class string) bool {
	return strings.HasPrefix(class, "java.util.") && class != "java.util.IdentityHashMap" && !isOrdered(class) &&
		slices.ContainsFunc([]string{"Map", "Set", "Hashtable"}, func(end string) bool { return strings.HasSuffix(class, end) })
}
