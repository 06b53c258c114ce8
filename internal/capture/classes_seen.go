package capture

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"jstall/analysis"
	"jstall/threaddump"
)

// classesSeen notes over a look which classes are worth reading.
type classesSeen struct {
	// loops counts the dumps that show a thread running at a line, or asking there for something.
	loops map[string]int
	// frames are all that threads stood at, classes those of the application among them.
	frames  map[*threaddump.Frame]bool
	classes map[string]bool
	// latest is the dump that was taken last.
	latest *threaddump.Dump
	// many tells that there are more threads than were looked at.
	many bool
	// first and last are the counters of the first dump and the last that tell of an old generation.
	first, last *analysis.Counters
	// threads are how many the first dump showed.
	threads int
}

// see notes a dump.
func (c *classesSeen) see(o analysis.Observation) {
	if o.Dump == nil {
		return
	}
	if c.loops == nil {
		c.loops, c.frames, c.classes = map[string]int{}, map[*threaddump.Frame]bool{}, map[string]bool{}
	}
	at := map[string]bool{}
	c.many = c.many || len(o.Dump.Threads) > mostThreads
	for _, t := range o.Dump.Threads {
		if t.Role() != threaddump.Application || t.Virtual || len(t.Stack) == 0 {
			continue
		}
		if t.State == threaddump.Runnable {
			for _, fr := range analysis.LoopsIn(t.Stack) {
				at[analysis.LineOf(fr)] = true
			}
		}
		if !c.many {
			c.seeStack(t.Stack)
		}
	}
	for line := range at {
		c.loops[line]++
	}
	if c.latest == nil {
		c.threads = len(o.Dump.Threads)
	}
	c.latest = o.Dump
	if o.Counters != nil && o.Counters.OldUsed.Known {
		if c.first == nil {
			c.first = o.Counters
		}
		c.last = o.Counters
	}
}

func (c *classesSeen) seeStack(stack []*threaddump.Frame) {
	for _, f := range stack {
		if c.frames[f] {
			continue
		}
		if c.frames[f] = true; ofProgram(f) {
			class, _, _ := strings.Cut(f.Class, "$$Lambda")
			c.classes[class] = true
		}
	}
}

// makesMore reports that there are more threads or classes than at first, and that it may be told who makes them.
func (c *classesSeen) makesMore() bool {
	const threads, classes = 2, 20
	if c.latest == nil {
		return false
	}
	loaded := c.first != nil && c.last.LoadedClasses.Value-c.first.LoadedClasses.Value >= classes
	return loaded || len(c.latest.Threads)-c.threads >= threads
}

// mayGrow reports that what collections leave has grown, or that it may have though no collection of the
// look tells: in a JVM that was started lately few are due.
func (c *classesSeen) mayGrow() bool {
	const lately = 2 * time.Minute
	if c.first == nil {
		return false
	}
	unseen := c.first.GCCount == c.last.GCCount && c.last.GCCount.Value > 1 && c.last.Uptime.Known && c.last.Uptime.Value < lately
	left := func(c *analysis.Counters) int64 { return c.OldUsed.Value + c.SurvivorUsed.Value }
	return left(c.last) > left(c.first) || unseen
}

// wanted is what the look leads to: the lines at which threads run, those first that most
// dumps show, and where the heap may grow, or threads and classes do, the classes that all threads stood in:
// who fills a collection and who empties it may be two. Where threads wait for others, also
// where these may be.
func (c *classesSeen) wanted() ClassesWanted {
	want := ClassesWanted{Loops: mostFirst(c.loops)}
	if !c.many && (c.mayGrow() || c.makesMore()) {
		want.From = slices.Sorted(maps.Keys(c.classes))
	}
	if c.latest != nil && !c.many {
		want.Places, want.Paced = placesOf(c.latest)
	}
	if len(want.Places) > 0 || len(want.From) > 0 {
		want.Stands = standsOf(c.latest)
	}
	return want
}

// standsOf are all places at which threads of the program stand, none if there are too many.
func standsOf(d *threaddump.Dump) []string {
	places := map[string]bool{}
	for _, t := range d.Threads {
		for i, f := range t.Stack {
			if !ofProgram(f) || strings.Contains(f.Class, "$$Lambda") {
				continue
			}
			if i == 0 {
				places[analysis.LineOf(f)] = true
			} else {
				places[analysis.PlaceOf(t.Stack, i)] = true
			}
		}
	}
	if len(places) > 2*mostAt {
		return nil
	}
	return slices.Sorted(maps.Keys(places))
}

// placesOf are where the program's own code waits, or sleeps on a worker of an executor, and where some of it
// pauses meanwhile: that may have to give what others wait for. Those first at which most threads are.
func placesOf(d *threaddump.Dump) (at []string, paced bool) {
	places, waits := map[string]int{}, false
	for _, t := range d.Threads {
		pauses, inCall := t.State == threaddump.TimedWaiting, len(t.Stack) > 0 && t.Stack[0].Native
		paced = paced || pauses && slices.ContainsFunc(t.Stack, ofProgram)
		if !pauses && t.State != threaddump.Waiting && !inCall {
			continue
		}
		own := slices.IndexFunc(t.Stack, ofProgram)
		waits = waits || own > 0 && (t.Stack[own-1].Method != "sleep" || inWorker(t.Stack))
		for i, f := range t.Stack {
			if i > 0 && f.Line > 0 && ofProgram(f) {
				places[analysis.PlaceOf(t.Stack, i)]++
			}
		}
	}
	if !waits {
		return nil, false
	}
	return mostFirst(places), paced
}

// inWorker tells a task of a plain executor, which has one worker less for others as long as it sleeps.
func inWorker(stack []*threaddump.Frame) bool {
	return slices.ContainsFunc(stack, func(f *threaddump.Frame) bool {
		return f.Class == "java.util.concurrent.ThreadPoolExecutor$Worker"
	})
}

// mostFirst sorts by count, then by name.
func mostFirst(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
}
