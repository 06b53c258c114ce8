package locks

import (
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Joined is the name of the thread whose end a thread of the last dump waits for, empty
// if it waits for none or that cannot be told.
func (f *Locks) Joined(s *timeline.Sample) string {
	if s.Stack.Op.Kind != stack.OpJoin || s.WaitsOn() == nil {
		return ""
	}
	g := f.Graph(len(f.Snaps) - 1)
	i := slices.IndexFunc(g.Snap.Samples, func(o timeline.Sample) bool { return o.Thread == s.Thread })
	if i < 0 {
		return ""
	}
	if able := g.joinable(i); len(able) == 1 {
		return g.Snap.Samples[able[0]].Thread.Name
	}
	return ""
}
