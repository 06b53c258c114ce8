package facts

import (
	"strings"

	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/internal/javaname"
	"github.com/jstall/jstall/internal/jfr"
	jfrnames "github.com/jstall/jstall/internal/jfr/names"
	"github.com/jstall/jstall/threaddump"
)

// constantTypes are the types of the constants that the events which are read refer to.
var constantTypes = []string{
	jfr.NameOfText, jfr.NameOfStack, jfr.NameOfFrame, jfr.NameOfMethod, jfr.NameOfClass, jfr.NameOfSymbol,
	jfr.NameOfThread, jfr.NameOfState, "jdk.types.GCName", "jdk.types.GCCause", "jdk.types.GCWhen",
}

// Bounds of names: of one, of all in a chunk, and of how many are kept of one kind.
const (
	maxName  = 1 << 10
	maxNames = 64 << 20
	maxKept  = 1 << 18
)

// names are what the constants of a chunk call things. Each is made once.
type names struct {
	jfrnames.Names
	chunk   *jfr.Chunk
	threads map[uint64]flight.Thread
	stacks  map[uint64]*calls
	methods map[uint64]*threaddump.Frame
	texts   map[textKey]string
	// origins says of a class whose code it is, the application's or a library's, over all chunks.
	origins map[string]origin
	bytes   int
	err     error
}

type textKey struct {
	of  jfr.TypeID
	key uint64
}

// origin is whose code a class is.
type origin byte

const (
	ofRuntime origin = iota // the JDK's, or generated
	ofLibrary
	ofApplication
)

// calls are what is kept of a stack.
type calls struct {
	// place is the innermost frame of the application, else of a library, else the innermost one.
	place flight.Place
	// asks reports that the application called a library, which made the call that waits.
	asks bool
}

func newNames(c *jfr.Chunk, constants *jfr.Constants, origins map[string]origin) *names {
	return &names{
		Names: jfrnames.Of(c.Types, constants), chunk: c, threads: map[uint64]flight.Thread{},
		stacks: map[uint64]*calls{}, methods: map[uint64]*threaddump.Frame{}, texts: map[textKey]string{},
		origins: origins,
	}
}

// short bounds a name, which a program may choose as it likes.
func (n *names) short(name string) string {
	name = strings.ToValidUTF8(name[:min(len(name), maxName)], "")
	if n.bytes += len(name); n.bytes > maxNames {
		n.err = jfr.ErrForged
	}
	return name
}

// once makes a text of a constant unless it was made before.
func (n *names) once(of *jfr.Type, key uint64, text func(of *jfr.Type, key uint64) string) string {
	if of == nil {
		return ""
	}
	k := textKey{of.ID, key}
	if known, ok := n.texts[k]; ok {
		return known
	}
	made := n.short(text(of, key))
	if len(n.texts) < maxKept {
		n.texts[k] = made
	}
	return made
}

// constant is the first text of a constant.
func (n *names) constant(of *jfr.Type, key uint64) string { return n.once(of, key, n.Constant) }

// class is "com.acme.Orders"; the slash before the address of a hidden class stays.
func (n *names) class(key uint64) string {
	return n.once(n.Type(jfr.NameOfClass), key, func(of *jfr.Type, key uint64) string {
		return javaname.Dotted(n.Text(of.Name, key, "name"))
	})
}

// thread is the thread of a key, by the name that Java gave it, else the kernel's.
func (n *names) thread(key uint64) flight.Thread {
	if known, ok := n.threads[key]; ok {
		return known
	}
	found := n.Thread(key)
	t := flight.Thread{Name: n.short(found.JavaName), ID: max(found.JavaID, 0)}
	if t.Name == "" && t.ID == 0 {
		t.Name = n.short(found.OSName)
	}
	if len(n.threads) < maxKept {
		n.threads[key] = t
	}
	return t
}

// stack is what is kept of the stack of a key.
func (n *names) stack(key uint64) *calls {
	if known, ok := n.stacks[key]; ok {
		return known
	}
	s := &calls{}
	var first, library flight.Place
	var method uint64
	done, clients := false, false
	n.Visit(n.Type(jfr.NameOfStack), key, func(depth int, f *jfr.Field, v jfr.Item) {
		switch {
		case done || depth != 2:
		case f.Name == "method":
			method = v.Bits
		case f.Name == "lineNumber":
			frame := n.method(method)
			p := flight.Place{Frame: frame.Name(), Line: max(0, int(int32(v.Bits)))}
			switch n.originOf(frame) {
			case ofApplication:
				s.place, s.asks, done = p, clients, true
			case ofLibrary:
				clients = true
				if library.Frame == "" {
					library = p
				}
			}
			if first.Frame == "" {
				first = p
			}
		}
	})
	if s.place.Frame == "" {
		s.place = library
	}
	if s.place.Frame == "" {
		s.place = first
	}
	if len(n.stacks) < maxKept {
		n.stacks[key] = s
	}
	return s
}

func (n *names) method(key uint64) *threaddump.Frame {
	if known := n.methods[key]; known != nil {
		return known
	}
	f := &threaddump.Frame{
		Class:  n.class(n.Number(jfr.NameOfMethod, key, "type")),
		Method: n.short(n.Text(jfr.NameOfMethod, key, "name")),
	}
	if len(n.methods) < maxKept {
		n.methods[key] = f
	}
	return f
}

// httpClient is the part of the JDK that asks others on behalf of its caller, as a library does.
const httpClient = "sun.net.www."

func (n *names) originOf(f *threaddump.Frame) origin {
	known, ok := n.origins[f.Class]
	if ok {
		return known
	}
	switch of := stack.OriginOf(f); {
	case of == stack.OfApplication:
		known = ofApplication
	case of == stack.OfLibrary, strings.HasPrefix(f.Class, httpClient):
		known = ofLibrary
	}
	if len(n.origins) < maxKept {
		n.origins[f.Class] = known
	}
	return known
}
