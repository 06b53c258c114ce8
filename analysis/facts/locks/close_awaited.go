package locks

import (
	"slices"

	"github.com/jstall/jstall/threaddump"
)

// closeAwaited adds the waits for threads that close a cycle. It leaves out a chain of them that ends elsewhere,
// because that is no queue for a lock. Of several subtasks it is enough that one waits for the owner of its scope,
// unless another one makes progress: that one may end the scope.
func (g *Graph) closeAwaited() {
	for i := range g.Snap.Samples {
		if g.next(i) != None {
			continue
		}
		others := g.awaited.by(i)
		if slices.ContainsFunc(others, g.goesOn) {
			continue
		}
		for _, j := range others {
			if path := g.pathBack(i, j); path != nil {
				g.join(append([]int{i}, path...))
				break
			}
		}
	}
}

// goesOn reports whether a thread runs, or waits only for a limited time.
func (g *Graph) goesOn(i int) bool {
	state := g.Snap.Samples[i].State
	return state != threaddump.Waiting && state != threaddump.Blocked
}

// pathBack returns the threads from j that wait for each other up to i, nil if the chain does not lead to i.
func (g *Graph) pathBack(i, j int) []int {
	var path []int
	for j != i {
		path = append(path, j)
		if len(path) > mostInAwaitedCycle {
			return nil
		}
		next := g.next(j)
		if others := g.awaited.by(j); next == None && len(others) == 1 {
			next = others[0]
		}
		if next == None || slices.Contains(path, next) {
			return nil
		}
		j = next
	}
	return path
}

// mostInAwaitedCycle bounds the threads of a cycle over ends and results of threads.
const mostInAwaitedCycle = 64

// join makes each thread of a cycle that waits for no lock wait for the next one.
func (g *Graph) join(cycle []int) {
	for n, i := range cycle {
		if g.next(i) != None {
			continue
		}
		g.awaits(i, cycle[(n+1)%len(cycle)])
	}
}

// awaits records that a thread waits for another one without a lock.
func (g *Graph) awaits(i, other int) {
	id := lockID{awaited: other + 1}
	g.Waiting = append(g.Waiting, i)
	g.lock[i], g.owner[id] = id, other
}
