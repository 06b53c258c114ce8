package flame

import (
	"cmp"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/internal/javaname"
	"github.com/jstall/jstall/internal/jfr"
	jfrnames "github.com/jstall/jstall/internal/jfr/names"
	"github.com/jstall/jstall/threaddump"
)

// names are what the constants of a chunk call things. Each is made once: it may be long, and
// used by every event.
type names struct {
	jfrnames.Names
	// exact keeps the parts of class names that change from run to run.
	exact   bool
	made    map[nameKey]string
	threads map[uint64]recordedThread
	// bytes are those of all names. There is an error when they are too many.
	bytes int
	err   error
}

// nameKey is a name: what it is that of, and the key of a constant.
type nameKey struct {
	of  string
	key uint64
}

// Bounds of names. Two symbols make the name of a method, any number of which may be of the
// same class: together they may take much more than the chunk.
const (
	maxSymbol     = 65_535 // the JVM's own
	maxThreadName = 4 << 10
	maxNames      = 32 << 20
)

func newNames(types jfr.Types, p *jfr.Constants, exact bool) *names {
	return &names{
		Names: jfrnames.Of(types, p), exact: exact, made: map[nameKey]string{}, threads: map[uint64]recordedThread{},
	}
}

// once makes a name unless it was made before.
func (n *names) once(of string, key uint64, name func(key uint64) string) string {
	k := nameKey{of, key}
	known, ok := n.made[k]
	if ok || n.err != nil {
		return known
	}
	made := name(key)
	if n.bytes += len(made); n.bytes > maxNames || len(n.made) > maxKeys {
		n.err = jfr.ErrForged
	}
	if n.err != nil {
		return ""
	}
	n.made[k] = made
	return made
}

// method is the name of a method with its class, which may be unknown, or of native code.
func (n *names) method(code codeKey) string {
	kind := n.kind(code.kind)
	return n.once(jfr.NameOfMethod+kind, code.method, func(key uint64) string {
		class := n.class(n.Number(jfr.NameOfMethod, key, "type"))
		return recordedName(kind, class, n.symbol(jfr.NameOfMethod, key))
	})
}

// kind describes what kind of code a frame is; empty for all that is named like a Java method.
func (n *names) kind(key uint64) string {
	kind := n.once(jfr.NameOfKind, key, func(key uint64) string {
		return short(n.Text(jfr.NameOfKind, key, "description"))
	})
	switch kind {
	case "Kernel", "Native", "C++":
		return kind
	}
	return ""
}

func (n *names) class(key uint64) string {
	return n.once(jfr.NameOfClass, key, func(key uint64) string {
		class := javaname.Dotted(n.symbol(jfr.NameOfClass, key))
		if !n.exact {
			class = threaddump.StableClass(class)
		}
		return class
	})
}

// symbol is the name of a class or method as the JVM writes it.
func (n *names) symbol(of string, key uint64) string {
	symbol := n.Text(of, key, "name")
	if len(symbol) > maxSymbol {
		n.err = jfr.ErrForged
	}
	return symbol
}

func (n *names) state(key uint64) string {
	return n.once(jfr.NameOfState, key, func(key uint64) string {
		return strings.TrimPrefix(short(n.Text(jfr.NameOfState, key, "name")), "STATE_")
	})
}

// short cuts what a program may name as it likes, between two characters.
func short(name string) string {
	return strings.ToValidUTF8(name[:min(len(name), maxThreadName)], "")
}

func (n *names) thread(key uint64) recordedThread {
	t, known := n.threads[key]
	if !known {
		t = n.describe(key)
		if n.bytes += len(t.name); n.bytes > maxNames || len(n.threads) > maxKeys {
			n.err = jfr.ErrForged
			return t
		}
		n.threads[key] = t
	}
	return t
}

func (n *names) describe(key uint64) recordedThread {
	found := n.Thread(key)
	t := recordedThread{
		name: short(cmp.Or(found.JavaName, found.OSName)), nid: found.OSID, id: threadID{native: found.OSID},
		virtual: found.Virtual, carrier: n.Text(jfr.NameOfGroup, found.Group, "name") == "CarrierThreads",
	}
	t.pool = stack.PoolName(t.name)
	if found.JavaID > 0 {
		t.id = threadID{java: found.JavaID}
	}
	return t
}

// maxKeys bounds how many constants of a kind a chunk may use.
const maxKeys = 1 << 19
