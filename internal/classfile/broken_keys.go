package classfile

import (
	"slices"
	"strings"
)

// brokenKeys are the classes of which the methods of a class make an object each time that they put
// one as a key into a hash table, which mean their objects to be equal and are not so to such: each
// is a new key. They have an equals for another type than Object alone, or no hashCode beside
// their equals.
func (p *program) brokenKeys(flows []*flow) []string {
	var keys []string
	for _, fl := range flows {
		for _, key := range fl.keys {
			if p.classes[key] != nil && p.classes[key].isBrokenKey() {
				keys = append(keys, key)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// noteKey notes of which class the key is that a call puts into a hash table, if the method has made
// it, and not the table.
func (fl *flow) noteKey(in *instruction, receiver value, args []value) {
	if isHashPut(in.member) && len(args) > 0 && args[0].kind != "" && receiver.made == 0 {
		fl.keys = append(fl.keys, args[0].kind)
	}
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

// isHashPut tells the calls by which a key gets into a map or set that may hash.
func isHashPut(member string) bool {
	class := beforeDot(member)
	if !strings.HasPrefix(class, "java.util.") || !isOneOf(" put putIfAbsent computeIfAbsent compute merge add ", afterDot(member)) {
		return false
	}
	return class != "java.util.IdentityHashMap" && !isOrdered(class) && slices.ContainsFunc([]string{"Map", "Set", "Hashtable"}, func(end string) bool { return strings.HasSuffix(class, end) })
}
