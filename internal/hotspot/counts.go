package hotspot

import (
	"cmp"
	"slices"
	"strings"
)

// MethodCount is how many calls of a method the JVM has counted. The interpreter counts, and so does compiled code with
// a profile; the fastest compiled code (tier 4) does not, and calls that were compiled into their callers are counted
// for neither.
type MethodCount struct {
	Name, Descriptor string
	// Calls wraps around at 1 << 31, or 1 << 29 on 8.
	Calls uint32
	// Compiled tells that the method has compiled code, which may not count.
	Compiled bool
}

// readCounts reads the counters of all methods of a class that have code, by name.
func (c *classReader) readCounts(found *Class) {
	for _, at := range c.pointers(c.u64(found.key.klass + c.l.methods)) {
		m, ok := c.readUncalled(at, found.key.klass)
		if !ok {
			continue
		}
		count := MethodCount{
			Name: c.symbol(m.reference.name), Descriptor: c.symbol(m.reference.descriptor),
			Compiled: c.u64(at+c.l.code) != 0,
		}
		if counters := c.u64(at + c.l.counters); counters != 0 {
			count.Calls += c.u32(counters+c.l.invocations) >> c.l.countShift
		}
		if profile := c.u64(at + c.l.profile); profile != 0 && c.l.profileInvocations.known {
			count.Calls += c.u32(profile+c.l.profileInvocations.at) >> c.l.countShift
		}
		c.names += len(count.Name) + len(count.Descriptor)
		found.Counts = append(found.Counts, count)
	}
	slices.SortFunc(found.Counts, func(a, b MethodCount) int {
		return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.Descriptor, b.Descriptor))
	})
}
