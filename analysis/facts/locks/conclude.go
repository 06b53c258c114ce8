package locks

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
