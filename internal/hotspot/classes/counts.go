package classes

import (
	"cmp"
	"strings"

	"github.com/jstall/jstall/internal/order"
)

// MethodCount is how many calls of a method the JVM has counted. The interpreter counts, and so does compiled code with
// a profile; the fastest compiled code (tier 4) does not, and calls that were compiled into their callers are counted
// for neither.
type MethodCount struct {
	Name, Descriptor string
	// Calls wraps around at 1 << 31, or 1 << 29 on 8.
	Calls uint32
	// Compiled reports that the method has compiled code, which may not count.
	Compiled bool
}

// readCounts reads the counters of all methods of a class that have code, by name.
func (c *reader) readCounts(found *Class) {
	for _, at := range c.pointers(c.U64(found.key.klass + c.l.Methods)) {
		m, ok := c.readUncalled(at, found.key.klass)
		if !ok {
			continue
		}
		count := MethodCount{
			Name: c.Symbol(m.reference.name), Descriptor: c.Symbol(m.reference.descriptor),
			Compiled: c.U64(at+c.l.Code) != 0,
		}
		if counters := c.U64(at + c.l.Counters); counters != 0 {
			count.Calls += c.U32(counters+c.l.Invocations) >> c.l.CountShift
		}
		if profile := c.U64(at + c.l.Profile); profile != 0 && c.l.ProfileInvocations.Known {
			count.Calls += c.U32(profile+c.l.ProfileInvocations.At) >> c.l.CountShift
		}
		c.names += len(count.Name) + len(count.Descriptor)
		found.Counts = append(found.Counts, count)
	}
	order.Sort(found.Counts, func(a, b MethodCount) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Descriptor, b.Descriptor))
	})
}
