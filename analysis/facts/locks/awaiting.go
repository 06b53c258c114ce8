package locks

import "github.com/jstall/jstall/analysis/timeline"

// Awaiting is a thread that waits without a lock for other threads, which are known by their ids.
type Awaiting struct {
	Waiter *timeline.Sample
	Others []*timeline.Sample
}

// Awaiting returns the threads of the last dump that wait for another thread to end, for the result of a task that
// another thread runs, or for the subtasks of their structured scope.
func (f *Locks) Awaiting() []Awaiting {
	g := f.Graph(len(f.Timeline.Snaps) - 1)
	var all []Awaiting
	for i := range g.Snap.Samples {
		others := g.awaited.by(i)
		if len(others) == 0 {
			continue
		}
		w := Awaiting{Waiter: &g.Snap.Samples[i]}
		for _, j := range others {
			w.Others = append(w.Others, &g.Snap.Samples[j])
		}
		all = append(all, w)
	}
	return all
}
