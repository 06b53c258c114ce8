package recorded

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis/facts/memory"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/flight"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// pauses are the words of garbage collections that stopped the application.
func pauses(f figure) finding.Candidate {
	p := f.stops
	c := words(fmt.Sprintf("garbage collections paused the application for %s of the time, %s; longest pause %s",
		finding.Percent(f.share()), f.Worst(f.when), span(p.Longest)),
		fmt.Sprintf("%s: %s paused for %s in total, longest %s at %s (%s)", f.When(f.when),
			finding.Counted(int(p.Count), "collection"), span(p.Total), span(p.Longest), f.Clock(p.LongestAt), p.Cause))
	const most = 3
	for _, cause := range p.Causes[:min(len(p.Causes), most)] {
		c.Evidence = append(c.Evidence, finding.Figure(fmt.Sprintf("%s: %s, %s", cause.Name,
			finding.Counted(int(cause.Count), "collection"), span(cause.Total))))
	}
	return c
}

// fullHeap counts the last full collections in a row that left the heap nearly full. What young collections leave may
// be garbage.
func fullHeap(r *flight.Recording, noticed float64) []figure {
	// All that is in use after a full collection lives: with a tenth left, the next collections come so often that
	// they take the time of the program, and then memory runs out.
	const full = 0.9
	n := 0
	for n < len(r.Kept) && r.Kept[len(r.Kept)-1-n].Value >= full {
		n++
	}
	if float64(n) < noticed {
		return nil
	}
	return []figure{{size: float64(n)}}
}

func heapAfterCollections(f figure) finding.Candidate {
	n := int(f.size)
	first, last := f.Kept[len(f.Kept)-n], f.Kept[len(f.Kept)-1]
	const mb = 1 << 20
	c := words(fmt.Sprintf("the heap was %.0f %% full after %s, %s", 100*last.Value,
		finding.Counted(n, "full collection"), f.Between(first.At, last.At)),
		fmt.Sprintf("in use after the one at %s: %.0f of %.0f MB", f.Clock(last.At),
			last.Value*float64(f.HeapMax)/mb, float64(f.HeapMax)/mb))
	histogram := memory.Histogram(&timeline.Counters{HeapMax: threaddump.Known(f.HeapMax)})
	c.Advice = "Find what fills the heap: " + histogram + ", or a heap dump. If all of it is needed, raise -Xmx."
	return c
}

// memoryErrors counts OutOfMemoryErrors by place.
func memoryErrors(r *flight.Recording, _ float64) []figure {
	var all []figure
	for _, t := range r.Memory {
		all = append(all, figure{size: float64(t.Count), throw: t})
	}
	return all
}

// kindOfMemory is the kind of what ran out, by a part of the message.
var kindOfMemory = []struct {
	part string
	kind finding.Kind
}{
	{"native thread", finding.KindThreadLeak}, {"etaspace", finding.KindMetaspaceGrowth},
	{"class space", finding.KindMetaspaceGrowth}, {"irect buffer", finding.KindLimitNear},
}

func memoryError(f figure) finding.Candidate {
	t := f.throw
	c := words(fmt.Sprintf("OutOfMemoryError (%s) was thrown in %s, %s", t.Message, t.Thread.Place.Frame,
		f.Between(t.First, t.Last)),
		fmt.Sprintf("%s: %s from %s on", t.Class, finding.Counted(int(t.Count), "error"), f.Clock(t.First)))
	c.Culprits = refs([]flight.Thread{t.Thread})
	for _, k := range kindOfMemory {
		if strings.Contains(t.Message, k.part) {
			c.Kind = k.kind
		}
	}
	return c
}
