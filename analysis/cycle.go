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
	// byFrames tells that frames show who owns a lock, and no line of the dump does. permits
	// tells that a member waits for a permit, which has no owner at all.
	byFrames, permits bool
	// awaits is the member that waits for a task of which it is concluded who runs it,
	// nil if none does.
	awaits *Sample
	// joiner is the member that joins the one which awaits a task, nil if none does.
	joiner *Sample
	// times is the number of dumps that show it.
	times int
	// byMember is made when it is needed.
	byMember *memberIndex
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
func (f *lockFacts) cyclesAt(at int) []*cycle {
	g := f.graph(at)
	found := make([]*cycle, len(g.cycles))
	for i, path := range g.cycles {
		found[i] = newCycle(g, path)
		found[i].at = at
	}
	for _, i := range g.waiting {
		if end := g.ends[i]; end.cycle != none && !g.inCycle[i] {
			c := found[end.cycle]
			c.behind = append(c.behind, &g.snap.samples[i])
		}
	}
	match := &reportMatch{g: g, at: at, found: found, of: map[*Sample]int{}}
	for i, c := range found {
		match.index(i, c)
	}
	for i := range g.snap.deadlocks {
		match.add(&g.snap.deadlocks[i])
	}
	return match.found
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
		if g.byFrames[g.lock[i]] {
			c.inferred, c.weak, c.byFrames = true, true, true
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

// reportMatch joins the cycles of the JVM's report with ours.
type reportMatch struct {
	g     *graph
	at    int
	found []*cycle
	of    map[*Sample]int // the first cycle that a thread is in
}

func (r *reportMatch) index(i int, c *cycle) {
	for _, m := range c.members {
		if _, known := r.of[m.sample]; m.sample != nil && !known {
			r.of[m.sample] = i
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
	first := none
	byEntry := map[*Sample]*threaddump.DeadlockMember{}
	for _, e := range entries {
		if resolved[e] == none {
			continue
		}
		s := &r.g.snap.samples[resolved[e]]
		byEntry[s] = &d.Members[e]
		if i, known := r.of[s]; known && (first == none || i < first) {
			first = i
		}
	}
	if first != none {
		r.found[first].join(d, byEntry)
		return
	}
	c := r.newCycle(d, entries, resolved)
	r.index(len(r.found), c)
	r.found = append(r.found, c)
}

// join notes the report's entries with the members.
func (c *cycle) join(d *threaddump.Deadlock, byEntry map[*Sample]*threaddump.DeadlockMember) {
	c.reported = d
	for m := range c.members {
		if entry := byEntry[c.members[m].sample]; entry != nil {
			c.members[m].entry = entry
		}
	}
}

// newCycle is one that only the report tells of.
func (r *reportMatch) newCycle(d *threaddump.Deadlock, entries, resolved []int) *cycle {
	c := &cycle{at: r.at, times: 1, reported: d}
	for _, e := range entries {
		m := member{name: d.Members[e].Thread, entry: &d.Members[e]}
		if i := resolved[e]; i != none {
			m.sample = &r.g.snap.samples[i]
			c.timed = c.timed || m.sample.timed()
		}
		c.members = append(c.members, m)
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
	for i := nextMember(d, n-1); i == none || !seen[i]; i = nextMember(d, i) {
		if i == none {
			return nil
		}
		entries, seen[i] = append(entries, i), true
	}
	return entries
}

// same reports whether two cycles of different dumps are one.
func (c *cycle) same(other *cycle) bool {
	if len(c.members) != len(other.members) {
		return false
	}
	in := other.index()
	for _, m := range c.members {
		if !in.has(m) {
			return false
		}
	}
	return true
}

// memberIndex finds the members of a cycle, of any number of them.
type memberIndex struct {
	keys           map[key]bool
	unseen, byName map[string]bool
}

func (c *cycle) index() *memberIndex {
	if c.byMember == nil {
		in := &memberIndex{map[key]bool{}, map[string]bool{}, map[string]bool{}}
		for _, m := range c.members {
			in.byName[m.name] = true
			if m.sample == nil {
				in.unseen[m.name] = true
			} else {
				in.keys[m.sample.Thread.key()] = true
			}
		}
		c.byMember = in
	}
	return c.byMember
}

func (in *memberIndex) has(m member) bool {
	if m.sample == nil {
		return in.byName[m.name]
	}
	return in.keys[m.sample.Thread.key()] || in.unseen[m.name]
}

func (c *cycle) has(m member) bool { return c.index().has(m) }
