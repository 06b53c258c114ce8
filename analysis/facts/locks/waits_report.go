package locks

import (
	"jstall/analysis/timeline"
)

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
