package locks

import (
	"cmp"
	"slices"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// Cycle is a deadlock in one dump: threads that wait for each other.
type Cycle struct {
	At      int // the dump, in facts.snaps
	Members []Member
	// behind are the threads that wait for the cycle without being in it.
	Behind []*timeline.Sample
	// reported is the JVM's own report of it, nil if it has none.
	Reported *threaddump.Deadlock
	// inferred tells that an owner is concluded and not printed, weak that one dump
	// does not bear the conclusion, timed that a member's wait ends by itself.
	Inferred, Weak, Timed bool
	// byFrames tells that frames show who owns a lock, and no line of the dump does. permits
	// tells that a member waits for a permit, which has no owner at all.
	ByFrames, Permits bool
	// awaits is the member that waits for a task of which it is concluded who runs it,
	// nil if none does.
	Awaits *timeline.Sample
	// joiner is the member that joins the one which awaits a task, nil if none does.
	Joiner *timeline.Sample
	// times is the number of dumps that show it.
	times int
	// byMember is made when it is needed.
	byMember *memberIndex
}

// Member is one thread of a cycle.
type Member struct {
	Name   string
	Sample *timeline.Sample // nil if only the JVM's report names it
	// holds is the member's own line for what the member before it waits for, nil
	// if the dump has none.
	Holds *timeline.Lock
	// entry is the member in the JVM's report, nil if it is not there.
	Entry *threaddump.DeadlockMember
}

func newCycle(g *Graph, path []int) *Cycle {
	c := &Cycle{times: 1}
	for n, i := range path {
		s := &g.Snap.Samples[i]
		m := Member{Name: s.Thread.Name, Sample: s}
		before := path[(n+len(path)-1)%len(path)]
		if id := g.lock[before]; id.Address != 0 {
			m.Holds = s.Holding(id.Address)
		}
		c.Members = append(c.Members, m)
		c.Timed = c.Timed || s.Timed()
		if id := g.lock[i]; id.inferred > 0 || g.inferred[id] {
			c.Inferred, c.Weak = true, g.weak
		}
		if g.tasks[i] {
			c.Awaits = s
			if joiner := &g.Snap.Samples[before]; joiner.Stack.Op.Kind == stack.OpJoin {
				c.Joiner = joiner
			}
		}
		if g.ByFrames[g.lock[i]] {
			c.Inferred, c.Weak, c.ByFrames = true, true, true
			c.Permits = c.Permits || s.Stack.Op.Kind == stack.OpPermit
		}
	}
	c.rotate()
	return c
}

// rotate lets the cycle begin with the member that waits for a task (see keeper), or for a
// permit while it holds a lock, as its code is to blame, else with the first member by name,
// wherever in the dump it was found.
func (c *Cycle) rotate() {
	first := 0
	for i, m := range c.Members {
		leads, led := c.leads(m), c.leads(c.Members[first])
		if leads && !led || leads == led && compareMembers(m, c.Members[first]) < 0 {
			first = i
		}
	}
	c.Members = slices.Concat(c.Members[first:], c.Members[:first])
}

// leads tells the member whose code is to blame for the cycle.
func (c *Cycle) leads(m Member) bool {
	return m.Sample != nil && (m.Sample == c.Keeper() || c.Permits && m.Sample.Stack.Op.Kind == stack.OpPermit && c.OverLocks())
}

func compareMembers(a, b Member) int {
	if order := cmp.Compare(a.Name, b.Name); order != 0 || a.Sample == nil || b.Sample == nil {
		return order
	}
	return cmp.Compare(a.Sample.Thread.ID, b.Sample.Thread.ID)
}

// reportMatch joins the cycles of the JVM's report with ours.
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

// add joins one cycle of the report with the first of ours that has a thread of it, or
// adds it if we do not see it.
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

// join notes the report's entries with the members.
func (c *Cycle) join(d *threaddump.Deadlock, byEntry map[*timeline.Sample]*threaddump.DeadlockMember) {
	c.Reported = d
	for m := range c.Members {
		if entry := byEntry[c.Members[m].Sample]; entry != nil {
			c.Members[m].Entry = entry
		}
	}
}

// newCycle is one that only the report tells of.
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

// cycleEntries are the members of the JVM's report that are in the cycle: JDK 8
// may print a blocked bystander in front. A report that is cut off has no cycle.
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

// same reports whether two cycles of different dumps are one.
func (c *Cycle) same(other *Cycle) bool {
	if len(c.Members) != len(other.Members) {
		return false
	}
	in := other.index()
	for _, m := range c.Members {
		if !in.has(m) {
			return false
		}
	}
	return true
}

// memberIndex finds the members of a cycle, of any number of them.
type memberIndex struct {
	keys           map[timeline.Key]bool
	unseen, byName map[string]bool
}

func (c *Cycle) index() *memberIndex {
	if c.byMember == nil {
		in := &memberIndex{map[timeline.Key]bool{}, map[string]bool{}, map[string]bool{}}
		for _, m := range c.Members {
			in.byName[m.Name] = true
			if m.Sample == nil {
				in.unseen[m.Name] = true
			} else {
				in.keys[m.Sample.Thread.Key()] = true
			}
		}
		c.byMember = in
	}
	return c.byMember
}

func (in *memberIndex) has(m Member) bool {
	if m.Sample == nil {
		return in.byName[m.Name]
	}
	return in.keys[m.Sample.Thread.Key()] || in.unseen[m.Name]
}

func (c *Cycle) Has(m Member) bool { return c.index().has(m) }

// Keeper is the member that waits for a task, by itself or in a join of who does, with what
// the task wants.
func (c *Cycle) Keeper() *timeline.Sample {
	if c.Joiner != nil {
		return c.Joiner
	}
	return c.Awaits
}

// OverLocks tells a cycle in which a thread waits for a lock.
func (c *Cycle) OverLocks() bool {
	return slices.ContainsFunc(c.Members, func(m Member) bool { return m.Sample != nil && m.Sample.Wait.ForLock() })
}
