package locks

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Cycle is a deadlock in one dump: threads that wait for each other.
type Cycle struct {
	At      int // the dump, an index of Timeline.Snaps
	Members []Member
	// Behind are the threads that wait for the cycle without being in it.
	Behind []*timeline.Sample
	// Reported is the JVM's own report of the cycle, nil if the JVM does not report it.
	Reported *threaddump.Deadlock
	// Inferred reports whether an owner is inferred and not printed, NeedsSecondDump whether one dump alone does not
	// prove the cycle, Timed whether a member's wait ends by itself.
	Inferred, NeedsSecondDump, Timed bool
	// Awaits is the member that waits for a task whose runner is inferred, nil if no member does.
	Awaits *timeline.Sample
	// Joins are the members that wait without a lock for the next one: for its end, for the result of its task, or for
	// it as a subtask of their scope.
	Joins []*timeline.Sample
	// ByClass are the members that others wait for, as inferred from the class of the Thread object.
	ByClass []*timeline.Sample
	// Queued is the task that one of Joins waits for, if it is in the queue of an executor that has no worker left to
	// run it; nil in other cycles.
	Queued *QueuedTask
	// UpgradedReads is how often the only member holds the read lock of the lock whose write lock it waits for; 0 in
	// other cycles.
	UpgradedReads int
	// times is the number of dumps that show the cycle.
	times int
	index memberIndex
}

// Member is one thread of a cycle.
type Member struct {
	Name   string
	Sample *timeline.Sample // nil if only the JVM's report names it
	// Holds is the member's own line for what the member before it waits for, nil if the dump has no such line.
	Holds *timeline.Lock
	// Entry is the member in the JVM's report, nil if it is not there.
	Entry *threaddump.DeadlockMember
}

// Called is the member's name in quotes.
func (m Member) Called() string {
	if m.Sample != nil {
		return m.Sample.Thread.Called()
	}
	return finding.QuoteName(m.Name)
}

func newCycle(g *Graph, path []int) *Cycle {
	c := &Cycle{times: 1}
	for n, i := range path {
		s := &g.Snap.Samples[i]
		m := Member{Name: s.Thread.Name, Sample: s}
		before := path[(n+len(path)-1)%len(path)]
		if id := g.lock[before]; id.Address != 0 {
			m.Holds = s.HeldLock(id.Address)
		}
		c.Members = append(c.Members, m)
		c.Timed = c.Timed || s.Timed()
		if id := g.lock[i]; id.inferred > 0 || g.inferred[id] {
			c.Inferred, c.NeedsSecondDump = true, g.needsSecondDump
		}
		if g.tasks[i] {
			c.Awaits = s
		}
		if g.lock[i].awaited > 0 {
			c.Joins = append(c.Joins, s)
			if g.awaited.byClass[s.Thread.ID] {
				c.Inferred = true
				c.ByClass = append(c.ByClass, &g.Snap.Samples[path[(n+1)%len(path)]])
			}
			if task := g.queued[i]; task != nil {
				c.Queued = task
				c.Inferred = c.Inferred || !g.awaited.stayed[s.Thread.ID]
			}
		}
	}
	isVirtual := func(s *timeline.Sample) bool { return s.Thread.Virtual }
	moved := func(s *timeline.Sample) bool {
		return !g.awaited.stayed[s.Thread.ID] && !g.awaited.byClass[s.Thread.ID]
	}
	if slices.ContainsFunc(c.Joins, moved) && !slices.ContainsFunc(c.samples(), isVirtual) {
		c.NeedsSecondDump = true // memory was read after the dump and may show a later state
	}
	c.rotate()
	return c
}

// rotate makes the cycle begin with the member that waits for a task, else with the first by name.
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

// leads reports whether the member waits for a task.
func (c *Cycle) leads(m Member) bool {
	return m.Sample != nil && (m.Sample == c.Awaits || len(c.Joins) == 1 && m.Sample == c.Joins[0])
}

func compareMembers(a, b Member) int {
	if order := cmp.Compare(a.Name, b.Name); order != 0 || a.Sample == nil || b.Sample == nil {
		return order
	}
	return cmp.Compare(a.Sample.Thread.ID, b.Sample.Thread.ID)
}

// samples returns the members of a cycle that the dump shows.
func (c *Cycle) samples() []*timeline.Sample {
	var found []*timeline.Sample
	for _, m := range c.Members {
		if m.Sample != nil {
			found = append(found, m.Sample)
		}
	}
	return found
}

// Names lists the members.
func (c *Cycle) Names() string {
	names := make([]string, len(c.Members))
	for i, m := range c.Members {
		names[i] = m.Called()
	}
	return finding.Listed(names)
}

// same reports whether two cycles of different dumps have the same members.
func (c *Cycle) same(other *Cycle) bool {
	if len(c.Members) != len(other.Members) {
		return false
	}
	in := &other.index
	for _, m := range c.Members {
		if !in.has(m) {
			return false
		}
	}
	return true
}

// memberIndex finds the members of a cycle fast, also in a large one.
type memberIndex struct {
	keys map[timeline.Key]bool
	// names has all members by name; true for those that only the JVM's report names.
	names map[string]bool
}

func indexMembers(members []Member) memberIndex {
	in := memberIndex{map[timeline.Key]bool{}, map[string]bool{}}
	for _, m := range members {
		in.names[m.Name] = in.names[m.Name] || m.Sample == nil
		if m.Sample != nil {
			in.keys[m.Sample.Thread.Key()] = true
		}
	}
	return in
}

func (in *memberIndex) has(m Member) bool {
	unseen, named := in.names[m.Name]
	return unseen || m.Sample == nil && named || m.Sample != nil && in.keys[m.Sample.Thread.Key()]
}

// cycleIndex finds the same cycle in another dump: by the key of each member, by its name (a string), and, if only the
// JVM's report names it, by that name (an unseenName).
type cycleIndex map[any][]*Cycle

type unseenName string

func (in cycleIndex) add(c *Cycle) {
	for _, m := range c.Members {
		var seen any = unseenName(m.Name)
		if m.Sample != nil {
			seen = m.Sample.Thread.Key()
		}
		in[m.Name], in[seen] = append(in[m.Name], c), append(in[seen], c)
	}
}

// same is the first cycle that is the same as c, nil if no cycle is.
func (in cycleIndex) same(c *Cycle) *Cycle {
	if len(c.Members) == 0 {
		return nil
	}
	m := c.Members[0]
	candidates := in[m.Name]
	if m.Sample != nil {
		candidates = slices.Concat(in[m.Sample.Thread.Key()], in[unseenName(m.Name)])
	}
	if i := slices.IndexFunc(candidates, func(k *Cycle) bool { return k.same(c) }); i >= 0 {
		return candidates[i]
	}
	return nil
}
