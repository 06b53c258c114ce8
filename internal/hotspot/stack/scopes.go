package stack

import "github.com/jstall/jstall/internal/hotspot/vm"

// scope is a method of a compiled frame at one place: the method itself, or one inlined into it.
type scope struct {
	Method   *Method
	BCI      int
	monitors []scopeMonitor
	// Self is the first local variable of a method that keepsSelf.
	Self Value
}

// scopeMonitor is a monitor that a scope has entered.
type scopeMonitor struct {
	owner      Value
	eliminated bool
}

// Value is where compiled code has a value (code/debugInfo.hpp, ScopeValue).
type Value struct {
	Kind     valueKind
	Location uint32 // of inFrame: a Location
	oop      uint32 // of constant: its number; of object: that of its class
	object   uint32 // of object: its id
}

type valueKind uint8

const (
	UnknownValue valueKind = iota
	InFrame
	constantOop
	// scalarObject was never made: the compiler keeps its fields apart.
	scalarObject
)

const (
	maxInlining = 200 // MaxInlineLevel is 15, MaxRecursiveInlineLevel 1
	maxMonitors = 1000
	maxObjects  = 10_000
	maxNesting  = 50
)

// scopeReader decodes a scope, code/debugInfo.cpp and scopeDesc.cpp.
type scopeReader struct {
	vm.Stream
	major int
	// objects are those that the scopes of this place know, by id.
	objects map[uint32]Value
	broken  bool
}

// place is how a place in compiled code is looked up.
type place uint8

const (
	// Exactly: a return address.
	Exactly place = iota
	// nearest: the next return address or other place that the tables of the code have, or the last one.
	nearest
)

// ScopesAt are the methods at a place, innermost first. It is false if the tables do not have this
// place, or not of the method that the code is of. Threads share most places.
func (r *Reader) ScopesAt(n *Nmethod, offset uint64, p place) ([]scope, bool) {
	if p == nearest {
		return r.readScopes(n, offset, p)
	}
	scopes, known := n.places[offset]
	if !known {
		scopes, _ = r.readScopes(n, offset, p)
		if n.places == nil {
			n.places = map[uint64][]scope{}
		}
		n.places[offset] = scopes
	}
	return scopes, len(scopes) > 0
}

func (r *Reader) readScopes(n *Nmethod, offset uint64, p place) ([]scope, bool) {
	at, objects, ok := r.scopeAt(n, offset, p)
	if !ok {
		return nil, false
	}
	pool := r.objectPool(n, objects)
	var scopes []scope
	for range maxInlining {
		if uint64(at) >= uint64(len(n.scopes)) {
			return nil, false
		}
		s := r.scopeReader(n, at)
		s.objects = pool
		sender, methodAt := s.Number(), n.datum(s.Number())
		bci := int(s.Number()) - 1 // InvocationEntryBci, -1, is the lowest
		sc := scope{Method: r.MethodAt(methodAt), BCI: bci}
		locals := s.Number()
		s.Number() // expressions
		if sc.Method == nil || s.Overrun() {
			return nil, false
		}
		sc.monitors = r.monitorsAt(n, s.Number(), pool)
		if sc.Method.KeepsSelf {
			sc.Self = r.firstLocal(n, locals, pool)
		}
		scopes = append(scopes, sc)
		if sender == 0 {
			return scopes, methodAt == n.MethodAt
		}
		if sender >= at { // a caller is written before those that it calls
			return nil, false
		}
		at = sender
	}
	return nil, false
}

func (r *Reader) scopeReader(n *Nmethod, at uint32) *scopeReader {
	s := &scopeReader{major: r.Major}
	s.Bytes, s.ExcludesZero = n.scopes[at:], r.Major >= 20
	return s
}

// monitorsAt reads the monitors of a scope, the one entered first first.
func (r *Reader) monitorsAt(n *Nmethod, at uint32, objects map[uint32]Value) []scopeMonitor {
	if at == 0 || uint64(at) >= uint64(len(n.scopes)) {
		return nil
	}
	s := r.scopeReader(n, at)
	s.objects = objects
	count := s.Number()
	var monitors []scopeMonitor
	for i := uint32(0); i < min(count, maxMonitors) && !s.Overrun() && !s.broken; i++ {
		s.Number() // where the BasicLock is
		m := scopeMonitor{owner: s.value(0)}
		m.eliminated = s.Byte() != 0
		monitors = append(monitors, m)
	}
	return monitors
}

// firstLocal reads the first local variable of a scope, which is this in a method that is not static.
func (r *Reader) firstLocal(n *Nmethod, at uint32, objects map[uint32]Value) Value {
	if at == 0 || uint64(at) >= uint64(len(n.scopes)) {
		return Value{}
	}
	s := r.scopeReader(n, at)
	s.objects = objects
	if s.Number() == 0 {
		return Value{}
	}
	first := s.value(0)
	if s.broken || s.Overrun() {
		return Value{}
	}
	return first
}

// objectPool reads the objects that scopes of one place name by id.
func (r *Reader) objectPool(n *Nmethod, at uint32) map[uint32]Value {
	if at == 0 || uint64(at) >= uint64(len(n.scopes)) {
		return nil
	}
	s := r.scopeReader(n, at)
	s.objects = map[uint32]Value{}
	count := s.Number()
	for i := uint32(0); i < min(count, maxObjects) && !s.Overrun() && !s.broken; i++ {
		s.value(0)
	}
	return s.objects
}

// The kinds of values as they are written. 7 and 8 came with 11 and 17, 9 with 22.
const (
	codeLocation = iota
	codeInt
	codeOop
	codeLong
	codeDouble
	codeObject
	codeObjectID
	codeAutoBox
	codeMarker
	codeMerge
)

// value reads one value; what is in it may be values again.
func (s *scopeReader) value(depth int) Value {
	if depth > maxNesting || s.broken || s.Overrun() {
		s.broken = true
		return Value{}
	}
	switch s.Number() {
	case codeLocation:
		return Value{Kind: InFrame, Location: s.Number()}
	case codeInt:
		s.Signed()
	case codeOop:
		return Value{Kind: constantOop, oop: s.Number()}
	case codeLong:
		s.Long()
	case codeDouble:
		s.Number()
		s.Number()
	case codeObject, codeAutoBox:
		return s.object(depth)
	case codeObjectID:
		return s.objects[s.Number()]
	case codeMarker:
	case codeMerge:
		s.merge(depth)
	default:
		s.broken = true
	}
	return Value{}
}

// object reads an object whose fields are kept apart: its id, from 22 on whether it is one of its
// own, its class, and its fields.
func (s *scopeReader) object(depth int) Value {
	v := Value{Kind: scalarObject, object: s.Number()}
	if s.major >= 22 {
		s.Byte()
	}
	v.oop = s.value(depth + 1).oop
	if s.objects != nil {
		s.objects[v.object] = v
	}
	s.values(depth)
	return v
}

// merge reads an object that is one of several: an id, two values, and the candidates.
func (s *scopeReader) merge(depth int) {
	s.Number()
	s.value(depth + 1)
	s.value(depth + 1)
	s.values(depth)
}

func (s *scopeReader) values(depth int) {
	count := s.Number()
	for i := uint32(0); i < count && !s.broken; i++ {
		s.value(depth + 1)
	}
}
