package capture

import (
	"cmp"
	"maps"
	"slices"
	"strings"

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
	// oldFirst and oldLast are what the old generation held at the first dump and the last.
	oldFirst, oldLast analysis.Opt[int64]
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
		if fr := analysis.LoopsIn(t.Stack); t.State == threaddump.Runnable && fr != nil && !fr.Native && fr.Line > 0 {
			at[analysis.LineOf(fr)] = true
		}
		if !c.many {
			c.seeStack(t.Stack)
		}
	}
	for line := range at {
		c.loops[line]++
	}
	c.latest = o.Dump
	if o.Counters != nil && o.Counters.OldUsed.Known {
		if !c.oldFirst.Known {
			c.oldFirst = o.Counters.OldUsed
		}
		c.oldLast = o.Counters.OldUsed
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

// wanted is what the look leads to: the lines at which threads run, those first that most
// dumps show, and where the old generation has grown, the classes that all threads stood in:
// who fills a collection and who empties it may be two. Where threads wait for others, also
// where these may be.
func (c *classesSeen) wanted() ClassesWanted {
	want := ClassesWanted{Loops: mostFirst(c.loops)}
	if !c.many && c.oldFirst.Known && c.oldLast.Value > c.oldFirst.Value {
		want.From = slices.Sorted(maps.Keys(c.classes))
	}
	if c.latest != nil && !c.many {
		want.Places, want.Paced = placesOf(c.latest)
	}
	return want
}

// placesOf are where the program's own code waits, and where some of it pauses meanwhile: that may
// have to give what others wait for. Those first at which most threads are.
func placesOf(d *threaddump.Dump) (at []string, paced bool) {
	places, waits := map[string]int{}, false
	for _, t := range d.Threads {
		pauses := t.State == threaddump.TimedWaiting
		paced = paced || pauses && slices.ContainsFunc(t.Stack, ofProgram)
		if !pauses && t.State != threaddump.Waiting {
			continue
		}
		own := slices.IndexFunc(t.Stack, ofProgram)
		waits = waits || own > 0 && t.Stack[own-1].Method != "sleep"
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

// mostFirst sorts by count, then by name.
func mostFirst(counts map[string]int) []string {
	return slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		return cmp.Or(counts[b]-counts[a], strings.Compare(a, b))
	})
}
