package classfile

import (
	"slices"
	"strings"
)

// BrokenKeys are the classes of a program that mean their objects to be equal, but are not so
// to a hash table, and of which a method makes one and puts into such: each is a new key. These
// have an equals for another type than Object alone, or no hashCode beside their equals. None is
// told where the classes use ordered collections, which do not hash.
func BrokenKeys(classes []*Class) []string {
	broken := map[string]bool{}
	for _, c := range classes {
		if slices.ContainsFunc(c.Refers, isOrdered) {
			return nil
		}
		broken[c.Name] = c.isBrokenKey()
	}
	var keys []string
	for _, c := range classes {
		for i := range c.Methods {
			made, puts := c.Methods[i].makes(broken)
			if puts {
				keys = append(keys, made...)
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
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

// makes tells of which of some classes a method makes objects, and whether it puts anything into
// a hash table.
func (m *Method) makes(some map[string]bool) (made []string, puts bool) {
	for i := range m.code {
		switch in := &m.code[i]; {
		case in.code == newObject && some[in.member]:
			made = append(made, in.member)
		case in.op == opCall && isHashPut(in.member):
			puts = true
		}
	}
	return made, puts
}

// isHashPut tells the calls by which a key gets into a map or set that may hash.
func isHashPut(member string) bool {
	class := beforeDot(member)
	if !strings.HasPrefix(class, "java.util.") || !isOneOf(" put putIfAbsent computeIfAbsent compute merge add ", afterDot(member)) {
		return false
	}
	return slices.ContainsFunc([]string{"Map", "Set", "Hashtable"}, func(end string) bool { return strings.HasSuffix(class, end) })
}
