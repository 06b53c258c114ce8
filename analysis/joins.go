package analysis

import "strings"

// joinable are the threads that one in Thread.join may be waiting for, as far as the dump shows
// it: the class of the thread object is a subclass of Thread with a run method of its own, which
// stands at the bottom of the stacks of its threads. Of a plain Thread no dump tells.
func (g *graph) joinable(i int) []int {
	class := g.snap.samples[i].waitsOn().class
	if strings.HasPrefix(class, "java.lang.") {
		return nil
	}
	var able []int
	for j := range g.snap.samples {
		s := &g.snap.samples[j]
		if n := len(s.Stack.Frames); j != i && n > 0 && s.Stack.Frames[n-1].Class == class {
			able = append(able, j)
		}
	}
	return able
}
