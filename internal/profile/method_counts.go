package profile

import (
	"slices"

	"github.com/jstall/jstall/internal/hotspot"
)

// CountedBetween returns how often methods were called between two readings of the JVM's memory, by the JVM's own
// counters. The numbers are lower bounds, as fast compiled code does not count. A method that the first reading lacks
// was loaded meanwhile.
func CountedBetween(before, after *hotspot.ClassList, wanted []MethodName) (calls []MethodCalls) {
	type method struct {
		loader hotspot.Loader
		MethodName
		descriptor string
	}
	first := map[method]uint32{}
	each := func(list *hotspot.ClassList, visit func(m method, c hotspot.MethodCount)) {
		for i := range list.Classes {
			class := &list.Classes[i]
			for _, c := range class.Counts {
				name := MethodName{class.Name, c.Name}
				if slices.Contains(wanted, name) {
					visit(method{list.Loaders[class.Loader], name, c.Descriptor}, c)
				}
			}
		}
	}
	each(before, func(m method, c hotspot.MethodCount) { first[m] = c.Calls })
	each(after, func(m method, c hotspot.MethodCount) {
		counted := int64(c.Calls) - int64(first[m])
		calls = append(calls, MethodCalls{MethodName: m.MethodName, Descriptor: m.descriptor, Calls: max(0, counted),
			AtLeast: true, Compiled: c.Compiled})
	})
	return calls
}
