package locks

import (
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// reportMatch joins the cycles of the JVM's report with those found in the graph.
type reportMatch struct {
	g     *Graph
	at    int
	found []*Cycle
	of    map[*timeline.Sample]int // the first cycle that a thread is in
}

func (r *reportMatch) index(i int, c *Cycle) {
	for _, m := range c.Members {
		if _, known := r.of[m.Sample]; m.Sample != nil && !known {
			r.of[m.Sample] = i
		}
	}
}

// add joins one cycle of the report with the first found cycle that shares a thread with it, or adds it if there is
// none.
func (r *reportMatch) add(d *threaddump.Deadlock) {
	entries := cycleEntries(*d)
	if len(entries) == 0 {
		return
	}
	resolved := r.g.resolve(*d)
	first := None
	byEntry := map[*timeline.Sample]*threaddump.DeadlockMember{}
	for _, e := range entries {
		if resolved[e] == None {
			continue
		}
		s := &r.g.Snap.Samples[resolved[e]]
		byEntry[s] = &d.Members[e]
		if i, known := r.of[s]; known && (first == None || i < first) {
			first = i
		}
	}
	if first != None {
		r.found[first].join(d, byEntry)
		return
	}
	c := r.newCycle(d, entries, resolved)
	r.index(len(r.found), c)
	r.found = append(r.found, c)
}

// join records the report's entries with the members.
func (c *Cycle) join(d *threaddump.Deadlock, byEntry map[*timeline.Sample]*threaddump.DeadlockMember) {
	c.Reported = d
	for m := range c.Members {
		if entry := byEntry[c.Members[m].Sample]; entry != nil {
			c.Members[m].Entry = entry
		}
	}
}

// newCycle is a cycle that only the report has.
func (r *reportMatch) newCycle(d *threaddump.Deadlock, entries, resolved []int) *Cycle {
	c := &Cycle{At: r.at, times: 1, Reported: d}
	for _, e := range entries {
		m := Member{Name: d.Members[e].Thread, Entry: &d.Members[e]}
		if i := resolved[e]; i != None {
			m.Sample = &r.g.Snap.Samples[i]
			c.Timed = c.Timed || m.Sample.Timed()
		}
		c.Members = append(c.Members, m)
	}
	c.rotate()
	return c
}

// cycleEntries are the members of the JVM's report that are in the cycle: JDK 8 may print a blocked bystander first. A
// report that is cut off has no cycle.
func cycleEntries(d threaddump.Deadlock) []int {
	n := len(d.Members)
	if n == 0 {
		return nil
	}
	var entries []int
	seen := make([]bool, n)
	for i := nextMember(d, n-1); i == None || !seen[i]; i = nextMember(d, i) {
		if i == None {
			return nil
		}
		entries, seen[i] = append(entries, i), true
	}
	return entries
}

// ownersFromReport takes the owners that only the JVM's deadlock report names: without -l nothing else in a dump names
// the owner of a j.u.c. lock.
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

// reported is a thread as in the JVM's deadlock report.
type reported struct {
	name    string
	address uint64
}

// resolve finds the threads of the JVM's report by name and by what they wait for; None if the dump has no such thread,
// or several.
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

// nextMember is the member that holds what member i waits for. HotSpot prints a chain with each member's holder after
// it. The last one closes the cycle with the first, or on JDK 8, which may put a bystander first, with a later one. The
// result equals None if the report is cut off before it.
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
