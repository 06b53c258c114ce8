package locks

import (
	"strings"
)

// joinable are the threads that one in Thread.join may be waiting for, as far as the dump shows
// it: the class of the thread object is a subclass of Thread with a run method of its own, which
// stands at the bottom of the stacks of its threads. Of a plain Thread no dump tells.
func (g *Graph) joinable(i int) []int {
	class := g.Snap.Samples[i].WaitsOn().Class
	if strings.HasPrefix(class, "java.lang.") {
		return nil
	}
	var able []int
	for j := range g.Snap.Samples {
		s := &g.Snap.Samples[j]
		if n := len(s.Stack.Frames); j != i && n > 0 && s.Stack.Frames[n-1].Class == class {
			able = append(able, j)
		}
	}
	return able
}
