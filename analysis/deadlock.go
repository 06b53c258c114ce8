package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// detectDeadlocks reports every cycle that stands at the end of the capture, one
// finding each.
//
// Rule: threads that wait for each other over monitors, ownable synchronizers or
// class initialisation. Proven where the lines of one dump close the cycle or
// the JVM itself reports it; likely where an owner is concluded (two static
// initialisers on JDK 8 and 11, what inferTasks, inferHidden and loadCycles find); no more than a hint where a
// wait ends by itself or a dump that is no instant shows it once.
func detectDeadlocks(f *facts) []candidate {
	found := make([]candidate, 0, len(f.cycles))
	for _, c := range f.cycles {
		found = append(found, f.deadlock(c))
	}
	return append(found, f.loadCycles()...)
}

func (f *poolFacts) deadlock(c *cycle) candidate {
	severity, confidence := f.grade(c)
	result := Finding{
		Severity: severity, Confidence: confidence,
		Title: f.deadlockTitle(c), Advice: f.deadlockAdvice(c),
		Culprits: f.memberRefs(c), Victims: f.refs(append(f.callersOfMembers(c), c.behind...)),
		Resource: cycleResource(c), Evidence: f.cycleEvidence(c),
	}
	return candidate{Finding: result, unlisted: sizeOf(c.behind) - len(c.behind)}
}

// callersOfMembers are the threads that wait for results of executors whose workers
// are in the cycle.
func (f *poolFacts) callersOfMembers(c *cycle) []*Sample {
	if c.at != len(f.snaps)-1 || !f.confirmed(c) {
		return nil
	}
	var callers []*Sample
	for _, p := range f.executorsOf(c) {
		for _, h := range f.callersOf(p) {
			s := h.last()
			if !c.has(member{name: s.Thread.Name, sample: s}) && !slices.Contains(c.behind, s) && !slices.Contains(callers, s) {
				callers = append(callers, s)
			}
		}
	}
	return callers
}

// executorsOf are those with workers in the cycle, in their order.
func (f *poolFacts) executorsOf(c *cycle) []*pool {
	all := f.executors()
	if slices.ContainsFunc(c.members, func(m member) bool { return m.sample == nil }) {
		return slices.DeleteFunc(slices.Clone(all), func(p *pool) bool {
			return !slices.ContainsFunc(p.workers, func(h *history) bool { return c.has(member{name: h.thread.Name, sample: h.last()}) })
		})
	}
	var found []*pool
	seen := map[*pool]bool{nil: true}
	for _, m := range c.members {
		if p := f.poolOf(f.history(m.sample)); !seen[p] {
			seen[p] = true
			found = append(found, p)
		}
	}
	slices.SortFunc(found, comparePools)
	return found
}

func (f *timeline) deadlockTitle(c *cycle) string {
	names := c.names()
	switch {
	case len(c.members) == 1:
		return names + " is deadlocked with itself"
	case c.timed:
		return fmt.Sprintf("%s threads block each other until a wait times out: %s", Thousands(len(c.members)), names)
	case !f.confirmed(c):
		return fmt.Sprintf("%s threads may be deadlocked: %s", Thousands(len(c.members)), names)
	case c.byFrames:
		return c.hiddenTitle()
	case c.awaits != nil:
		return c.taskTitle()
	}
	return fmt.Sprintf("%s threads are deadlocked: %s", Thousands(len(c.members)), names)
}

func (f *timeline) deadlockAdvice(c *cycle) string {
	if !f.confirmed(c) {
		return "One such dump does not prove it: take a second one to be sure."
	}
	if c.byFrames {
		return c.hiddenAdvice()
	}
	if c.awaits != nil && len(c.keeper().Stack.initialises) == 0 {
		return "Do not wait for a task while holding a lock that the task takes: give the lock up before. " +
			"Only a restart frees these threads."
	}
	if c.awaits != nil {
		return "Start no tasks in a static initialiser that use the class, and wait for none there: a parallel stream " +
			"or a lambda is such a use. Only a restart frees these threads."
	}
	for _, m := range c.members {
		if m.sample != nil && m.sample.wait == waitClassInit {
			return "Break the circle of static initialisers: let one class not use the other while it is " +
				"initialised. Only a restart frees these threads."
		}
	}
	if c.within(juc + "ConcurrentHashMap") {
		return "A function that is given to ConcurrentHashMap (computeIfAbsent, compute, merge) must not change the map itself, " +
			"nor wait for one that does: work the value out before. Only a restart frees these threads."
	}
	if c.timed {
		return "Take these locks in one order everywhere; now the threads depend on a timeout to go on."
	}
	return "Take these locks in one order everywhere, or with tryLock and a timeout. " +
		"Only a restart frees these threads."
}

// within tells a cycle over monitors of a class of the JDK's own alone.
func (c *cycle) within(class string) bool {
	return !slices.ContainsFunc(c.members, func(m member) bool { return m.holds == nil || !strings.HasPrefix(m.holds.class, class+"$") })
}

// taskTitle words a cycle in which a thread waits for a task that waits for it.
func (c *cycle) taskTitle() string {
	if c.joiner != nil {
		return c.joinTitle()
	}
	runner := c.members[1%len(c.members)].called()
	holds := "a lock"
	if len(c.awaits.Stack.initialises) > 0 {
		holds = "the initialisation of a class"
	}
	wants := "wants it"
	if len(c.members) > 2 {
		wants = "waits behind it"
	}
	return fmt.Sprintf("%s holds %s and waits for a task of %s, which %s: neither ever ends",
		c.awaits.Thread.called(), holds, runner, wants)
}

// joinTitle words one in which a thread joins the one that waits for the task.
func (c *cycle) joinTitle() string {
	with, wants := "with a lock in its hands", "wants that lock"
	if len(c.joiner.Stack.initialises) > 0 {
		with, wants = "in the initialisation of a class", "wants that class"
	}
	if len(c.members) > 3 {
		wants = "waits behind it"
	}
	return fmt.Sprintf("%s waits %s for %s to end, which waits for a task of %s, which %s: none of them ever ends",
		c.joiner.Thread.called(), with, c.awaits.Thread.called(), c.members[2%len(c.members)].called(), wants)
}

// keeper is the member that waits for a task, by itself or in a join of who does, with what
// the task wants.
func (c *cycle) keeper() *Sample {
	if c.joiner != nil {
		return c.joiner
	}
	return c.awaits
}

// memberRefs names the members in the order of waiting, from that which rotate puts first:
// the order of the dump must not matter.
func (f *timeline) memberRefs(c *cycle) []ThreadRef {
	refs := make([]ThreadRef, 0, len(c.members))
	for _, m := range c.members {
		if m.sample == nil {
			refs = append(refs, ThreadRef{Name: m.name})
		} else {
			refs = append(refs, f.ref(m.sample))
		}
	}
	return refs
}

// cycleResource is what the first member waits for.
func cycleResource(c *cycle) *Resource {
	m := c.members[0]
	switch {
	case m.sample != nil && m.sample.waitsOn() != nil:
		l := m.sample.waitsOn()
		r := &Resource{Type: lockType(m.sample), Class: l.class}
		if l.address != 0 {
			r.Address = hex(l.address)
		}
		return r
	case m.sample != nil:
		return &Resource{Type: lockType(m.sample)}
	case m.entry.Monitor:
		return &Resource{Type: "monitor", Class: m.entry.Class, Address: hex(m.entry.Address)}
	}
	return &Resource{Type: "ownable synchronizer", Class: m.entry.Class, Address: hex(m.entry.Address)}
}

// cycleEvidence quotes what each member waits for and holds, and the JVM's own
// report.
func (f *timeline) cycleEvidence(c *cycle) []Evidence {
	var quotes []Evidence
	for _, m := range c.members {
		if m.sample != nil {
			if l := m.sample.waitsOn(); l != nil {
				quotes = append(quotes, f.quoteLock(c.at, l))
			} else {
				quotes = append(quotes, f.initialiserEvidence(c.at, m.sample)...)
			}
		}
		if m.holds != nil {
			quotes = append(quotes, f.quoteLock(c.at, m.holds))
		}
	}
	if c.reported == nil {
		return quotes
	}
	quotes = append(quotes, f.quote(c.at, "Found one Java-level deadlock:", int32(c.reported.Line)))
	for _, m := range c.members {
		if m.entry != nil && m.holds == nil && !strings.ContainsAny(m.name, "\n\r") {
			quotes = append(quotes, f.quote(c.at, `which is held by "`+m.entry.HeldBy+`"`, int32(m.entry.Line)+2))
		}
	}
	return quotes
}

// initialiserEvidence quotes the frame of the static initialiser that a thread is
// stuck in.
func (f *timeline) initialiserEvidence(at int, s *Sample) []Evidence {
	for i, frame := range s.Stack.Frames {
		if frame.Method == "<clinit>" {
			return []Evidence{f.quoteFrame(at, s, i)}
		}
	}
	return nil
}
