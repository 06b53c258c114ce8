package locks

import (
	"jstall/threaddump"
)

// ownersFromReport takes the owners that only the JVM's own deadlock report
// names: without -l nothing else tells who holds a j.u.c. lock.
func (g *Graph) ownersFromReport() {
	for _, d := range g.Snap.Deadlocks {
		members := g.resolve(d)
		for i, m := range d.Members {
			g.takeOwner(lockID{Address: m.Address}, members, nextMember(d, i))
		}
	}
}

func (g *Graph) takeOwner(id lockID, members []int, holder int) {
	if id.Address == 0 || holder == None || members[holder] == None {
		return
	}
	if _, known := g.owner[id]; !known {
		g.owner[id] = members[holder]
	}
}

// reported is a thread as the JVM's report of deadlocks tells of it.
type reported struct {
	name    string
	address uint64
}

// resolve finds the threads of the JVM's report by name and by what they wait
// for; none where the dump has no such thread, or several.
func (g *Graph) resolve(d threaddump.Deadlock) []int {
	if g.named == nil || g.indexed != len(g.Waiting) { // some wait no longer
		g.named, g.indexed = map[reported][]int{}, len(g.Waiting)
		for _, at := range g.Waiting {
			r := reported{g.Snap.Samples[at].Thread.Name, g.lock[at].Address}
			if of := g.named[r]; len(of) < 2 {
				g.named[r] = append(of, at)
			}
		}
	}
	found := make([]int, len(d.Members))
	for i, m := range d.Members {
		found[i] = None
		if of := g.named[reported{m.Thread, m.Address}]; len(of) == 1 {
			found[i] = of[0]
		}
	}
	return found
}

// nextMember is the member that holds what member i waits for. HotSpot prints a
// chain, each member's holder after it; the last one closes the cycle with the
// first, or on JDK 8, which may put a bystander in front, with a later one. None
// if the report is cut off before it.
func nextMember(d threaddump.Deadlock, i int) int {
	if i+1 < len(d.Members) && d.Members[i+1].Thread == d.Members[i].HeldBy {
		return i + 1
	}
	for j, m := range d.Members {
		if j != i && m.Thread == d.Members[i].HeldBy {
			return j
		}
	}
	return None
}
