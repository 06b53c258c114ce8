package deadlock

import (
	"fmt"
	"jstall/analysis/detect"
	"slices"
	"strings"

	"jstall/analysis/facts"
	"jstall/analysis/facts/locks"
	"jstall/analysis/facts/pools"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Detector reports threads that wait for each other in a cycle, over locks, class initialisers or joins.
var Detector = detect.Detector{
	Kind:    finding.KindDeadlock,
	Doc:     "threads that wait for each other in a cycle, over locks, class initialisers or joins",
	Virtual: true,
	Run:     run,
}

// run reports every cycle that stands at the end of the capture, one
// finding each.
//
// Rule: threads that wait for each other over monitors, ownable synchronizers or
// class initialisation. Proven where the lines of one dump close the cycle or
// the JVM itself reports it; likely where an owner is concluded (two static
// initialisers on JDK 8 and 11, what inferTasks, inferHidden and loadCycles find); no more than a hint where a
// wait ends by itself or a dump that is no instant shows it once.
func run(f *facts.Facts) []finding.Candidate {
	found := make([]finding.Candidate, 0, len(f.Cycles))
	for _, c := range f.Cycles {
		found = append(found, deadlock(f.Pools, c))
	}
	return append(found, loadCycles(f.Waits)...)
}

func deadlock(f *pools.Pools, c *locks.Cycle) finding.Candidate {
	severity, confidence := facts.Grade(f.Timeline, c)
	result := finding.Finding{
		Severity: severity, Confidence: confidence,
		Title: deadlockTitle(f.Timeline, c), Advice: deadlockAdvice(f.Timeline, c),
		Culprits: memberRefs(f.Timeline, c), Victims: f.Refs(append(callersOfMembers(f, c), c.Behind...)),
		Resource: cycleResource(c), Evidence: cycleEvidence(f.Timeline, c),
	}
	return finding.Candidate{Finding: result, Unlisted: timeline.SizeOf(c.Behind) - len(c.Behind)}
}

// callersOfMembers are the threads that wait for results of executors whose workers
// are in the cycle.
func callersOfMembers(f *pools.Pools, c *locks.Cycle) []*timeline.Sample {
	if c.At != len(f.Snaps)-1 || !locks.Confirmed(f.Timeline, c) {
		return nil
	}
	var callers []*timeline.Sample
	for _, p := range executorsOf(f, c) {
		for _, h := range f.CallersOf(p) {
			s := h.Last()
			if !c.Has(locks.Member{Name: s.Thread.Name, Sample: s}) && !slices.Contains(c.Behind, s) && !slices.Contains(callers, s) {
				callers = append(callers, s)
			}
		}
	}
	return callers
}

// executorsOf are those with workers in the cycle, in their order.
func executorsOf(f *pools.Pools, c *locks.Cycle) []*pools.Pool {
	all := f.Executors()
	if slices.ContainsFunc(c.Members, func(m locks.Member) bool { return m.Sample == nil }) {
		return slices.DeleteFunc(slices.Clone(all), func(p *pools.Pool) bool {
			return !slices.ContainsFunc(p.Workers, func(h *timeline.History) bool { return c.Has(locks.Member{Name: h.Thread.Name, Sample: h.Last()}) })
		})
	}
	var found []*pools.Pool
	seen := map[*pools.Pool]bool{nil: true}
	for _, m := range c.Members {
		if p := f.PoolOf(f.History(m.Sample)); !seen[p] {
			seen[p] = true
			found = append(found, p)
		}
	}
	slices.SortFunc(found, pools.ComparePools)
	return found
}

func deadlockTitle(f *timeline.Timeline, c *locks.Cycle) string {
	names := c.Names()
	switch {
	case len(c.Members) == 1:
		return names + " is deadlocked with itself"
	case c.Timed:
		return fmt.Sprintf("%s threads block each other until a wait times out: %s", finding.Thousands(len(c.Members)), names)
	case !locks.Confirmed(f, c):
		return fmt.Sprintf("%s threads may be deadlocked: %s", finding.Thousands(len(c.Members)), names)
	case c.ByFrames:
		return hiddenTitle(c)
	case c.Awaits != nil:
		return taskTitle(c)
	}
	return fmt.Sprintf("%s threads are deadlocked: %s", finding.Thousands(len(c.Members)), names)
}

func deadlockAdvice(f *timeline.Timeline, c *locks.Cycle) string {
	if !locks.Confirmed(f, c) {
		return "One such dump does not prove it: take a second one to be sure."
	}
	if c.ByFrames {
		return hiddenAdvice(c)
	}
	if c.Awaits != nil && len(c.TaskWaiter().Stack.Initialises) == 0 {
		return "Do not wait for a task while holding a lock that the task takes: give the lock up before. " +
			"Only a restart frees these threads."
	}
	if c.Awaits != nil {
		return "Start no tasks in a static initialiser that use the class, and wait for none there: a parallel stream " +
			"or a lambda is such a use. Only a restart frees these threads."
	}
	for _, m := range c.Members {
		if m.Sample != nil && m.Sample.Wait == stack.WaitClassInit {
			return "Break the circle of static initialisers: let one class not use the other while it is " +
				"initialised. Only a restart frees these threads."
		}
	}
	if within(c, stack.JUC+"ConcurrentHashMap") {
		return "A function that is given to ConcurrentHashMap (computeIfAbsent, compute, merge) must not change the map itself, " +
			"nor wait for one that does: work the value out before. Only a restart frees these threads."
	}
	if c.Timed {
		return "Take these locks in one order everywhere; now the threads depend on a timeout to go on."
	}
	return "Take these locks in one order everywhere, or with tryLock and a timeout. " +
		"Only a restart frees these threads."
}

// within tells a cycle over monitors of a class of the JDK's own alone.
func within(c *locks.Cycle, class string) bool {
	return !slices.ContainsFunc(c.Members, func(m locks.Member) bool { return m.Holds == nil || !strings.HasPrefix(m.Holds.Class, class+"$") })
}

// taskTitle words a cycle in which a thread waits for a task that waits for it.
func taskTitle(c *locks.Cycle) string {
	if c.Joiner != nil {
		return joinTitle(c)
	}
	runner := c.Members[1%len(c.Members)].Called()
	holds := "a lock"
	if len(c.Awaits.Stack.Initialises) > 0 {
		holds = "the initialisation of a class"
	}
	wants := "wants it"
	if len(c.Members) > 2 {
		wants = "waits behind it"
	}
	return fmt.Sprintf("%s holds %s and waits for a task of %s, which %s: neither ever ends",
		c.Awaits.Thread.Called(), holds, runner, wants)
}

// joinTitle words one in which a thread joins the one that waits for the task.
func joinTitle(c *locks.Cycle) string {
	with, wants := "with a lock in its hands", "wants that lock"
	if len(c.Joiner.Stack.Initialises) > 0 {
		with, wants = "in the initialisation of a class", "wants that class"
	}
	if len(c.Members) > 3 {
		wants = "waits behind it"
	}
	return fmt.Sprintf("%s waits %s for %s to end, which waits for a task of %s, which %s: none of them ever ends",
		c.Joiner.Thread.Called(), with, c.Awaits.Thread.Called(), c.Members[2%len(c.Members)].Called(), wants)
}

// memberRefs names the members in the order of waiting, from that which rotate puts first:
// the order of the dump must not matter.
func memberRefs(f *timeline.Timeline, c *locks.Cycle) []finding.ThreadRef {
	refs := make([]finding.ThreadRef, 0, len(c.Members))
	for _, m := range c.Members {
		if m.Sample == nil {
			refs = append(refs, finding.ThreadRef{Name: m.Name})
		} else {
			refs = append(refs, f.Ref(m.Sample))
		}
	}
	return refs
}

// cycleResource is what the first member waits for.
func cycleResource(c *locks.Cycle) *finding.Resource {
	m := c.Members[0]
	switch {
	case m.Sample != nil && m.Sample.WaitsOn() != nil:
		l := m.Sample.WaitsOn()
		r := &finding.Resource{Type: timeline.LockType(m.Sample), Class: l.Class}
		if l.Address != 0 {
			r.Address = finding.Hex(l.Address)
		}
		return r
	case m.Sample != nil:
		return &finding.Resource{Type: timeline.LockType(m.Sample)}
	case m.Entry.Monitor:
		return &finding.Resource{Type: "monitor", Class: m.Entry.Class, Address: finding.Hex(m.Entry.Address)}
	}
	return &finding.Resource{Type: "ownable synchronizer", Class: m.Entry.Class, Address: finding.Hex(m.Entry.Address)}
}

// cycleEvidence quotes what each member waits for and holds, and the JVM's own
// report.
func cycleEvidence(f *timeline.Timeline, c *locks.Cycle) []finding.Evidence {
	var quotes []finding.Evidence
	for _, m := range c.Members {
		if m.Sample != nil {
			if l := m.Sample.WaitsOn(); l != nil {
				quotes = append(quotes, f.QuoteLock(c.At, l))
			} else {
				quotes = append(quotes, initialiserEvidence(f, c.At, m.Sample)...)
			}
		}
		if m.Holds != nil {
			quotes = append(quotes, f.QuoteLock(c.At, m.Holds))
		}
	}
	if c.Reported == nil {
		return quotes
	}
	quotes = append(quotes, f.Quote(c.At, "Found one Java-level deadlock:", int32(c.Reported.Line)))
	for _, m := range c.Members {
		if m.Entry != nil && m.Holds == nil && !strings.ContainsAny(m.Name, "\n\r") {
			quotes = append(quotes, f.Quote(c.At, `which is held by "`+m.Entry.HeldBy+`"`, int32(m.Entry.Line)+2))
		}
	}
	return quotes
}

// initialiserEvidence quotes the frame of the static initialiser that a thread is
// stuck in.
func initialiserEvidence(f *timeline.Timeline, at int, s *timeline.Sample) []finding.Evidence {
	for i, frame := range s.Stack.Frames {
		if frame.Method == "<clinit>" {
			return []finding.Evidence{f.QuoteFrame(at, s, i)}
		}
	}
	return nil
}
