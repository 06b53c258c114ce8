package classes

import (
	"cmp"
	"strings"

	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/order"
)

// readCalls finds which methods of a class were called: the interpreter has counted calls, in the method's counters or
// in its profile, or there is compiled code. The static initialiser does not count, the state of the class shows it.
func (c *reader) readCalls(found *Class) {
	keep := c.options.Methods && (c.options.Wanted == nil || c.options.Wanted(found.Name))
	for _, at := range c.pointers(c.U64(found.key.klass + c.l.Methods)) {
		m, ok := c.readUncalled(at, found.key.klass)
		switch {
		case !ok:
		case c.wasCalled(at):
			found.Called = true
			if !keep {
				return
			}
		case keep && c.U16(at+c.Method.AccessFlags)&accessBridge == 0:
			m.Name, m.Descriptor = c.Symbol(m.reference.name), c.Symbol(m.reference.descriptor)
			c.names += len(m.Name) + len(m.Descriptor)
			found.Uncalled = append(found.Uncalled, m)
		}
	}
	if (!found.Called || len(found.Uncalled) > 0) && found.State != Loaded && c.wasRedefined(found.key.klass) {
		found.Redefined, found.Uncalled = true, nil
	}
	order.Sort(found.Uncalled, func(a, b Method) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Descriptor, b.Descriptor))
	})
}

// wasRedefined reports that the JVM has put other code into a class: it counts that in the object of the class
// (VM_RedefineClasses::increment_class_counter, prims/jvmtiRedefineClasses.cpp).
func (c *reader) wasRedefined(klass uint64) bool {
	mirror := c.Root(klass+c.Class.Mirror, c.Class.MirrorIsHandle)
	count, known := c.Field(mirror, "classRedefinedCount")
	return mirror != 0 && known && c.Objects.U32(count) > 0
}

const (
	accessPrivate  = 0x2
	accessBridge   = 0x40
	accessAbstract = 0x400
)

// readUncalled reads a method that has code; false if it has none, is the static initialiser, or none of the class.
func (c *reader) readUncalled(at, klass uint64) (Method, bool) {
	if at < vm.LowestAddress || at&7 != 0 || c.U16(at+c.Method.AccessFlags)&accessAbstract != 0 {
		return Method{}, false
	}
	constMethod := c.U64(at + c.Method.ConstMethod)
	m := Method{at: at, pool: c.U64(constMethod + c.Method.Constants)}
	if c.U64(m.pool+c.Class.PoolHolder) != klass {
		return Method{}, false
	}
	m.reference = reference{
		name:       c.poolPointer(m.pool, c.U16(constMethod+c.Method.NameIndex)),
		descriptor: c.poolPointer(m.pool, c.U16(constMethod+c.l.SignatureIndex)),
	}
	m.size = c.U16(constMethod + c.Method.CodeSize)
	code := constMethod + c.Method.ConstMethodSize
	replaced := c.l.Intrinsic.Of(c.View, at) != 0 || c.Major == 8 && c.isFast(code, m.size)
	m.Unsure = replaced || c.U64(at+c.l.Profile) != 0
	name := c.Symbol(m.reference.name)
	if name == "<init>" || c.U16(at+c.Method.AccessFlags)&accessPrivate != 0 {
		m.reference.class = c.U64(klass + c.Class.Name)
	}
	return m, name != "<clinit>"
}

// isFast recognises methods that the interpreter of 8 may run without counting: empty ones, and those that return a
// field (UseFastEmptyMethods, UseFastAccessorMethods).
func (c *reader) isFast(code uint64, size uint16) bool {
	const (
		empty, accessor = 1, 5 // return; aload_0, getfield, return
		invokeSpecial   = 0xb7 // an empty constructor has the size of an accessor
	)
	return size == empty || size == accessor && c.U8(code+1) != invokeSpecial
}

// poolPointer is the address of the symbol at an index of a constant pool.
func (c *reader) poolPointer(pool uint64, index uint16) uint64 {
	return c.U64(pool+c.Class.PoolSize+uint64(index)*vm.WordSize) &^ 1
}

func (c *reader) wasCalled(at uint64) bool {
	counters, profile := c.U64(at+c.l.Counters), c.U64(at+c.l.Profile)
	known := c.l.ProfileInvocations.Known
	switch {
	case counters != 0 && c.counted(counters+c.l.Invocations):
	case profile != 0 && known && c.counted(profile+c.l.ProfileInvocations.At):
	case c.compiled.methods[at], c.U64(at+c.l.Code) != 0:
		if c.l.Intrinsic.Of(c.View, at) != 0 { // code that -Xint has too
			return true
		}
	default:
		return false
	}
	c.calls = true
	return true
}

// counted reports whether an InvocationCounter has counted. The bit below the count reports that it was full.
func (c *reader) counted(at uint64) bool {
	return c.U32(at)>>(c.l.CountShift-min(c.l.CountShift, 1)) != 0
}
