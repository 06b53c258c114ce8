package analysis

import (
	"cmp"
	"slices"

	"jstall/threaddump"
)

// cycle is a deadlock in one dump: threads that wait for each other.
type cycle struct {
	at      int // the dump, in facts.snaps
	members []member
	// behind are the threads that wait for the cycle without being in it.
	behind []*Sample
	// reported is the JVM's own report of it, nil if it has none.
	reported *threaddump.Deadlock
	// inferred tells that an owner is concluded and not printed, weak that one dump
	// does not bear the conclusion, timed that a member's wait ends by itself.
	inferred, weak, timed bool
	// eliminated tells that an owner is concluded from all others not being able to
	// hold the lock, permits that what a member waits for has no owner at all.
	eliminated, permits bool
	// awaits is the member that waits for a task of which it is concluded who runs it,
	// nil if none does.
	awaits *Sample
	// joiner is the member that joins the one which awaits a task, nil if none does.
	joiner *Sample
	// either are threads of which one is in the circle, nobody knows which; a member stands
	// for it.
	either []*Sample
	// times is the number of dumps that show it.
	times int
}

// member is one thread of a cycle.
type member struct {
	name   string
	sample *Sample // nil if only the JVM's report names it
	// holds is the member's own line for what the member before it waits for, nil
	// if the dump has none.
	holds *lock
	// entry is the member in the JVM's report, nil if it is not there.
	entry *threaddump.DeadlockMember
}

// cyclesAt finds the cycles of one dump: those that the locks close, and those
// that only the JVM's report names.
func (f *facts) cyclesAt(at int) []*cycle {
	g := f.graph(at)
	found := make([]*cycle, len(g.cycles))
	for i, path := range g.cycles {
		found[i] = newCycle(g, path)
		found[i].at = at
	}
	for _, i := range g.waiting {
		if end := g.ends[i]; end.cycle != none && !slices.Contains(g.cycles[end.cycle], i) {
			c := found[end.cycle]
			c.behind = append(c.behind, &g.snap.samples[i])
		}
	}
	for i := range g.snap.deadlocks {
		found = matchReport(g, found, &g.snap.deadlocks[i], at)
	}
	return found
}

func newCycle(g *graph, path []int) *cycle {
	c := &cycle{times: 1}
	for n, i := range path {
		s := &g.snap.samples[i]
		m := member{name: s.Thread.Name, sample: s}
		before := path[(n+len(path)-1)%len(path)]
		if id := g.lock[before]; id.address != 0 {
			m.holds = s.holding(id.address)
		}
		c.members = append(c.members, m)
		c.timed = c.timed || s.timed()
		if id := g.lock[i]; id.inferred > 0 || g.inferred[id] {
			c.inferred, c.weak = true, g.weak
		}
		if g.tasks[i] {
			c.awaits = s
			if joiner := &g.snap.samples[before]; joiner.Stack.op.kind == opJoin {
				c.joiner = joiner
			}
		}
		for _, j := range g.either[i] {
			c.either = append(c.either, &g.snap.samples[j])
		}
		if g.eliminated[g.lock[i]] {
			c.inferred, c.weak, c.eliminated = true, true, true
			c.permits = c.permits || s.Stack.op.kind == opPermit
		}
	}
	c.rotate()
	return c
}

// rotate lets the cycle begin with the member that waits for a task (see keeper), or for a
// permit while it holds a lock, as its code is to blame, else with the first member by name,
// wherever in the dump it was found.
func (c *cycle) rotate() {
	first := 0
	for i, m := range c.members {
		leads, led := c.leads(m), c.leads(c.members[first])
		if leads && !led || leads == led && compareMembers(m, c.members[first]) < 0 {
			first = i
		}
	}
	c.members = slices.Concat(c.members[first:], c.members[:first])
}

// leads tells the member whose code is to blame for the cycle.
func (c *cycle) leads(m member) bool {
	return m.sample != nil && (m.sample == c.keeper() || c.permits && m.sample.Stack.op.kind == opPermit && c.overLocks())
}

func compareMembers(a, b member) int {
	if order := cmp.Compare(a.name, b.name); order != 0 || a.sample == nil || b.sample == nil {
		return order
	}
	return cmp.Compare(a.sample.Thread.ID, b.sample.Thread.ID)
}

// matchReport joins one cycle of the JVM's report with ours, or adds it if we do
// not see it.
func matchReport(g *graph, found []*cycle, d *threaddump.Deadlock, at int) []*cycle {
	entries := cycleEntries(*d)
	if len(entries) == 0 {
		return found
	}
	resolved := g.resolve(*d)
	for _, c := range found {
		if c.joins(g, entries, resolved, d) {
			c.reported = d
			return found
		}
	}
	c := &cycle{at: at, times: 1, reported: d}
	for _, e := range entries {
		m := member{name: d.Members[e].Thread, entry: &d.Members[e]}
		if i := resolved[e]; i != none {
			m.sample = &g.snap.samples[i]
			c.timed = c.timed || m.sample.timed()
		}
		c.members = append(c.members, m)
	}
	c.rotate()
	return append(found, c)
}

// joins reports whether any thread of the report's cycle is in c, and notes the
// report's entries with the members.
func (c *cycle) joins(g *graph, entries, resolved []int, d *threaddump.Deadlock) bool {
	joined := false
	for _, e := range entries {
		if resolved[e] == none {
			continue
		}
		for m := range c.members {
			if c.members[m].sample == &g.snap.samples[resolved[e]] {
				c.members[m].entry = &d.Members[e]
				joined = true
			}
		}
	}
	return joined
}

// cycleEntries are the members of the JVM's report that are in the cycle: JDK 8
// may print a blocked bystander in front. A report that is cut off has no cycle.
func cycleEntries(d threaddump.Deadlock) []int {
	n := len(d.Members)
	if n == 0 {
		return nil
	}
	var entries []int
	for i := nextMember(d, n-1); !slices.Contains(entries, i); i = nextMember(d, i) {
		if i == none {
			return nil
		}
		entries = append(entries, i)
	}
	return entries
}

// same reports whether two cycles of different dumps are one.
func (c *cycle) same(other *cycle) bool {
	if len(c.members) != len(other.members) {
		return false
	}
	for _, m := range c.members {
		if !other.has(m) {
			return false
		}
	}
	return true
}

func (c *cycle) has(m member) bool {
	for _, o := range c.members {
		if m.sample == nil || o.sample == nil {
			if m.name == o.name {
				return true
			}
		} else if m.sample.Thread.key() == o.sample.Thread.key() {
			return true
		}
	}
	return false
}
