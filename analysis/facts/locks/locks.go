package locks

import (
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Locks are who waits for whom.
type Locks struct {
	*timeline.Timeline
	Graphs []*Graph // of each dump
	Cycles []*Cycle
}

func (f *Locks) Graph(at int) *Graph {
	if f.Graphs[at] == nil {
		for i, s := range f.Snaps {
			f.Graphs[i] = newGraph(s, len(f.Snaps) > 1)
		}
		f.carryOwners()
		for _, g := range f.Graphs {
			g.conclude()
		}
	}
	return f.Graphs[at]
}

// conclude adds the owners that follow from what is printed, and walks all chains.
func (g *Graph) conclude() {
	g.dropUnowned()
	g.dropUnknown()
	g.inferInitialisers()
	g.inferTasks()
	if g.bears() {
		g.inferHidden()
	}
	for _, i := range g.Waiting {
		g.follow(i)
	}
}

// Owners maps the threads of the last dump to those that hold what they wait for,
// as far as the dump tells.
func (f *Locks) Owners() map[*timeline.Sample]*timeline.Sample {
	g := f.Graph(len(f.Snaps) - 1)
	owners := map[*timeline.Sample]*timeline.Sample{}
	for _, i := range g.Waiting {
		if owner := g.next(i); owner != None {
			owners[&g.Snap.Samples[i]] = &g.Snap.Samples[owner]
		}
	}
	return owners
}

// RootsOf follows threads that wait for a known owner to the end of their chain: they
// are behind it, and it is to blame. Those that wait for nobody known are roots.
func (f *Locks) RootsOf(at int, threads []*timeline.Sample) (behind, roots []*timeline.Sample) {
	g := f.Graph(at)
	ends := map[*timeline.Sample]*timeline.Sample{}
	for _, i := range g.Waiting {
		if root := g.Ends[i].Root; root != None {
			ends[&g.Snap.Samples[i]] = &g.Snap.Samples[root]
		}
	}
	for _, t := range threads {
		root := ends[t]
		if root == nil || root == t {
			root = t
		} else {
			behind = append(behind, t)
		}
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return behind, roots
}

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
