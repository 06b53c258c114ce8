package hotspot

import (
	"cmp"
	"slices"
	"strings"
)

// readCalls tells which methods of a class were called: the interpreter has counted calls, in the method's counters or
// in its profile, or there is compiled code. The static initialiser does not count, the state of the class tells of it.
func (c *classReader) readCalls(found *Class) {
	keep := c.options.Methods && (c.options.Wanted == nil || c.options.Wanted(found.Name))
	for _, at := range c.pointers(c.u64(found.key.klass + c.l.methods)) {
		m, ok := c.readUncalled(at, found.key.klass)
		switch {
		case !ok:
		case c.wasCalled(at):
			found.Called = true
			if !keep {
				return
			}
		case keep && c.u16(at+c.method.accessFlags)&accessBridge == 0:
			m.Name, m.Descriptor = c.symbol(m.reference.name), c.symbol(m.reference.descriptor)
			c.names += len(m.Name) + len(m.Descriptor)
			found.Uncalled = append(found.Uncalled, m)
		}
	}
	if (!found.Called || len(found.Uncalled) > 0) && found.State != Loaded && c.wasRedefined(found.key.klass) {
		found.Redefined, found.Uncalled = true, nil
	}
	slices.SortFunc(found.Uncalled, func(a, b Method) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Descriptor, b.Descriptor))
	})
}

// wasRedefined reports that the JVM has put other code into a class: it counts that in the object of the class
// (VM_RedefineClasses::increment_class_counter, prims/jvmtiRedefineClasses.cpp).
func (c *classReader) wasRedefined(klass uint64) bool {
	mirror := c.root(klass+c.class.mirror, c.class.mirrorIsHandle)
	count, known := c.field(mirror, "classRedefinedCount")
	return mirror != 0 && known && c.objects.u32(count) > 0
}

const (
	accessPrivate  = 0x2
	accessBridge   = 0x40
	accessAbstract = 0x400
)

// readUncalled reads a method that has code; false if it has none, is the static initialiser, or none of the class.
func (c *classReader) readUncalled(at, klass uint64) (Method, bool) {
	if at < lowestAddress || at&7 != 0 || c.u16(at+c.method.accessFlags)&accessAbstract != 0 {
		return Method{}, false
	}
	constMethod := c.u64(at + c.method.constMethod)
	m := Method{at: at, pool: c.u64(constMethod + c.method.constants)}
	if c.u64(m.pool+c.class.poolHolder) != klass {
		return Method{}, false
	}
	m.reference = reference{
		name:       c.poolPointer(m.pool, c.u16(constMethod+c.method.nameIndex)),
		descriptor: c.poolPointer(m.pool, c.u16(constMethod+c.l.signatureIndex)),
	}
	m.size = c.u16(constMethod + c.method.codeSize)
	code := constMethod + c.method.constMethodSize
	replaced := c.l.intrinsic.of(c.view, at) != 0 || c.major == 8 && c.isFast(code, m.size)
	m.Unsure = replaced || c.u64(at+c.l.profile) != 0
	name := c.symbol(m.reference.name)
	if name == "<init>" || c.u16(at+c.method.accessFlags)&accessPrivate != 0 {
		m.reference.class = c.u64(klass + c.class.name)
	}
	return m, name != "<clinit>"
}

// isFast recognises methods that the interpreter of 8 may run without counting: empty ones, and those that return a
// field (UseFastEmptyMethods, UseFastAccessorMethods).
func (c *classReader) isFast(code uint64, size uint16) bool {
	const (
		empty, accessor = 1, 5 // return; aload_0, getfield, return
		invokeSpecial   = 0xb7 // an empty constructor has the size of an accessor
	)
	return size == empty || size == accessor && c.u8(code+1) != invokeSpecial
}

// poolPointer is the address of the symbol at an index of a constant pool.
func (c *classReader) poolPointer(pool uint64, index uint16) uint64 {
	return c.u64(pool+c.class.poolSize+uint64(index)*wordSize) &^ 1
}

func (c *classReader) wasCalled(at uint64) bool {
	counters, profile := c.u64(at+c.l.counters), c.u64(at+c.l.profile)
	known := c.l.profileInvocations.known
	switch {
	case counters != 0 && c.counted(counters+c.l.invocations):
	case profile != 0 && known && c.counted(profile+c.l.profileInvocations.at):
	case c.compiled.methods[at], c.u64(at+c.l.code) != 0:
		if c.l.intrinsic.of(c.view, at) != 0 { // code that -Xint has too
			return true
		}
	default:
		return false
	}
	c.calls = true
	return true
}

// counted tells whether an InvocationCounter has counted. The bit below the count tells that it was full.
func (c *classReader) counted(at uint64) bool {
	return c.u32(at)>>(c.l.countShift-min(c.l.countShift, 1)) != 0
}
