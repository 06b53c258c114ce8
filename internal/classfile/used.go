package classfile

import (
	"slices"
	"strings"
)

// Used are some classes without the methods that none of the others' code can come to, by their names: what an
// unsubscribe that nobody calls would take out stays. Threads have come to some methods, by their names. They are
// left as they are where code calls others by reflection, or the program begins in a class that is not among them.
//
// Who implements or extends what is not among the classes may be called by it in any method, other than by a few
// interfaces of the JDK whose only method is known.
func Used(classes []*Class, entered []string) []*Class {
	if slices.ContainsFunc(classes, func(c *Class) bool { return c.callsAny(mayComeAnywhere) }) ||
		!slices.ContainsFunc(classes, func(c *Class) bool { return c.Has("main") }) {
		return classes
	}
	own := map[string]*Class{}
	for _, c := range classes {
		own[c.Name] = c
	}
	byName := map[string][]*Method{} // that code may come to by a call
	called := map[string]bool{}
	var next []string
	call := func(name string) {
		if !called[name] {
			called[name], next = true, append(next, name)
		}
	}
	through := func(m *Method) {
		for i := range m.code {
			if in := &m.code[i]; in.op == opCall {
				call(afterDot(in.member))
			}
		}
	}
	for _, name := range entered {
		call(name)
	}
	for _, c := range classes {
		for _, member := range c.handles {
			call(afterDot(member))
		}
		foreign := c.mayBeCalled(own)
		for i := range c.Methods {
			m := &c.Methods[i]
			byName[m.Name] = append(byName[m.Name], m)
			if foreign || isEntry(m.Name) {
				call(m.Name)
			}
		}
	}
	for len(next) > 0 {
		name := next[0]
		next = next[1:]
		for _, m := range byName[name] {
			through(m)
		}
	}
	used := make([]*Class, len(classes))
	for i, c := range classes {
		kept := *c
		kept.Methods = slices.DeleteFunc(slices.Clone(c.Methods), func(m Method) bool { return !called[m.Name] })
		used[i] = &kept
	}
	return used
}

// isEntry tells the methods that the JVM calls by itself, or the JDK of any object and of what it runs.
func isEntry(name string) bool {
	return strings.HasPrefix(name, "<") || isOneOf(" main premain agentmain run call close compareTo compare equals hashCode toString finalize clone readObject readResolve writeObject writeReplace ", name)
}

// mayBeCalled reports that a class is of a kind that others define, itself or by way of its own kind, which may
// call it in more than those methods.
func (c *Class) mayBeCalled(own map[string]*Class) bool {
	seen := map[string]bool{}
	next := []*Class{c}
	for len(next) > 0 {
		of := next[0]
		next = next[1:]
		for _, name := range append(slices.Clone(of.interfaces), of.super) {
			switch {
			case name == "" || seen[name] || isOneOf(calledByName, name):
			case own[name] == nil:
				return true
			default:
				next = append(next, own[name])
			}
			seen[name] = true
		}
	}
	return false
}

// calledByName are the kinds of the JDK that nobody calls in other methods than those of isEntry.
const calledByName = " java.lang.Object java.lang.Record java.lang.Enum java.lang.Runnable java.util.concurrent.Callable java.lang.AutoCloseable java.io.Closeable java.lang.Comparable java.util.Comparator java.io.Serializable java.lang.Cloneable "

// mayComeAnywhere tells calls by which others' methods are called by reflection, a handle, a proxy or a name, or by
// management.
func mayComeAnywhere(member string) bool {
	return isOpaque(member) || strings.HasPrefix(member, "javax.management.")
}
