package classfile

import (
	"maps"
	"slices"
)

// Calls tells what a thread has yet to call that stands in the code of some classes.
type Calls struct {
	classes map[string]*Class
	// kinds are what each class is: itself, what it extends and what it implements.
	kinds map[string]map[string]bool
	// lends are the kinds of those that extend a class, and so may be called by them for what it does.
	lends map[string]map[string]bool
	// targets are the methods that a call may run, by what it calls; filled as they are asked for.
	targets map[string][]ownMethod
	// methods are those with code, by name and descriptor.
	methods map[string][]ownMethod
}

type ownMethod struct {
	class string
	*Method
}

// Place is where a thread stands: at a line of a method, in a call of Callee.
type Place struct {
	Class, Method string
	Line          int
	Callee        string
}

// NewCalls takes a program's classes; of more code than can be followed it tells nothing.
func NewCalls(classes []*Class) *Calls {
	if sizeOf(classes) > mostFollowed {
		return &Calls{}
	}
	c := &Calls{
		classes: map[string]*Class{}, kinds: map[string]map[string]bool{}, lends: map[string]map[string]bool{},
		targets: map[string][]ownMethod{}, methods: map[string][]ownMethod{},
	}
	for _, class := range classes {
		c.classes[class.Name] = class
		for i := range class.Methods {
			m := &class.Methods[i]
			c.methods[m.Name+m.descriptor] = append(c.methods[m.Name+m.descriptor], ownMethod{class.Name, m})
		}
	}
	for name := range c.classes {
		c.kinds[name] = kindsOf(c.classes, name)
	}
	for name := range c.classes {
		c.noteLends(name)
	}
	return c
}

// noteLends notes for what a class extends what it is itself.
func (c *Calls) noteLends(name string) {
	super := c.classes[name].super
	for range mostRounds {
		above := c.classes[super]
		if above == nil {
			return
		}
		if c.lends[super] == nil {
			c.lends[super] = map[string]bool{}
		}
		maps.Copy(c.lends[super], c.kinds[name])
		super = above.super
	}
}

// kindsOf is what a class is, as far as some classes go: itself, what it extends and what it implements.
func kindsOf(classes map[string]*Class, name string) map[string]bool {
	kinds := map[string]bool{}
	for next := []string{name}; len(next) > 0; {
		class := classes[next[0]]
		next = next[1:]
		if class == nil || kinds[class.Name] {
			continue
		}
		kinds[class.Name] = true
		next = append(append(next, class.super), class.interfaces...)
	}
	return kinds
}

// From are the methods of other classes that are called behind a place, be it in methods of
// these classes that are called there: once, when the loop is over in which the thread may be, and
// around it in that loop. Behind a loop that nothing but an exception ends there is nothing.
func (c *Calls) From(at Place) (behind, around []string) {
	class := c.classes[at.Class]
	if class == nil {
		return nil, nil
	}
	later, loop := c.walk(), c.walk()
	for i := range class.Methods {
		m := &class.Methods[i]
		from, ok := m.after(at)
		if !ok {
			continue
		}
		around, inLoop := m.outermost(from)
		switch {
		case !inLoop:
			later.through(m, from+1, mostCode)
		case isLeft(m.code, around):
			later.through(m, around.to+1, mostCode)
		}
		if inLoop {
			loop.through(m, around.from, around.to)
		}
	}
	return slices.Sorted(maps.Keys(later.found)), slices.Sorted(maps.Keys(loop.found))
}

// after is where the call at a place is, else where its line ends.
func (m *Method) after(at Place) (pc int, ok bool) {
	if m.Name != at.Method {
		return 0, false
	}
	called := false
	for _, in := range m.code {
		if in.line != at.Line {
			continue
		}
		isCall := in.op == opCall && afterDot(in.member) == at.Callee
		if ok = true; isCall || !called {
			pc, called = in.pc, called || isCall
		}
	}
	return pc, ok
}

// outermost is the outermost loop around a place.
func (m *Method) outermost(pc int) (l span, ok bool) {
	for begin, end := range m.loopEnds() {
		if begin <= pc && pc <= end && (!ok || begin < l.from || begin == l.from && end > l.to) {
			l, ok = span{begin, end}, true
		}
	}
	return l, ok
}

// walk goes through what is called, each method once.
type walk struct {
	*Calls
	seen  map[*Method]bool
	found map[string]bool
}

func (c *Calls) walk() *walk {
	return &walk{Calls: c, seen: map[*Method]bool{}, found: map[string]bool{}}
}

// through notes the calls of a part of a method, and those of the methods called.
func (w *walk) through(m *Method, from, to int) {
	for _, in := range m.code {
		if in.op != opCall || in.pc < from || in.pc > to {
			continue
		}
		targets := w.targetsOf(&in)
		if len(targets) == 0 {
			w.found[in.member] = true
		}
		for _, next := range targets {
			if !w.seen[next.Method] {
				w.seen[next.Method] = true
				w.through(next.Method, 0, mostCode)
			}
		}
	}
}

// targetsOf are the methods of these classes that a call may run: of the class itself, of one
// that it extends, or one that extends it.
func (c *Calls) targetsOf(in *instruction) []ownMethod {
	class, called := beforeDot(in.member), in.member+in.descriptor
	if c.classes[class] == nil {
		return nil
	}
	all, known := c.targets[called]
	if !known {
		for _, m := range c.methods[afterDot(in.member)+in.descriptor] {
			if c.kinds[m.class][class] || c.kinds[class][m.class] || c.lends[m.class][class] {
				all = append(all, m)
			}
		}
		c.targets[called] = all
	}
	return all
}
