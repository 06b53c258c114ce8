package heapgrowth

import (
	"jstall/analysis/facts/cpu"
	"jstall/analysis/facts/memory"
	"jstall/analysis/timeline"
)

// heapFew is how many collections of a capture are too few to tell by what stayed after them
// how much of what was allocated stays: one more or less is a large part of them.
const heapFew = 3

// likeEver goes by what was allocated since the start, where a capture that shows growth has
// few collections: if threads allocate as fast as they have all the time, and most of all
// that was allocated since then is in use, it is kept, at that rate.
func likeEver(f *timeline.Timeline, g growing, last *timeline.Counters, collections, allocated int64) growing {
	if collections > heapFew || g.kept < heapKeptMuch {
		return g
	}
	ever, ok := steadilyAllocated(f, last, allocated)
	stays := float64(g.to) / float64(max(1, ever))
	if !ok || stays < heapKeptSurely || stays > 1/heapKeptSurely {
		return g
	}
	g.kept, g.linear = max(g.kept, min(1, stays)), true
	g.perSecond = max(g.perSecond, float64(g.to)/memory.Age(f).Value.Seconds())
	return g
}

// keptEver is the growth that no collection of the capture shows, as few are due where little is
// allocated: most of all that was allocated until the last one is in use, and threads allocate as fast as
// they have all the time.
func keptEver(f *timeline.Timeline, last *timeline.Counters, allocated int64) (growing, bool) {
	const (
		toTell = 2 // collections since the start
		atMost = 1.1
	)
	if _, told := timeline.MostBy(f, cpu.Allocation); told == 0 {
		return growing{}, false
	}
	age, emptied := memory.Age(f).Value, last.Emptied
	ever, ok := steadilyAllocated(f, last, allocated)
	if !ok || !emptied.Known || emptied.Value <= 0 || emptied.Value > age || last.GCCount.Value < toTell ||
		memory.IsConcurrent(last.Collector) {
		return growing{}, false
	}
	used := live(last).Value
	made := float64(ever) * emptied.Value.Seconds() / age.Seconds()
	if young := last.GCCount.Value - last.OldCollections.Value; last.EdenCapacity.Known {
		made = max(made, float64(young*last.EdenCapacity.Value))
	}
	stays := float64(used) / max(1, made)
	perSecond := float64(used) / emptied.Value.Seconds()
	if stays < heapKeptSurely || stays > atMost {
		return growing{}, false // more than was made by then came before, and faster
	}
	return growing{
		to: used, max: last.HeapMax.Value, perSecond: perSecond, span: emptied.Value, at: emptied.Value,
		kept: min(1, stays), linear: true, steady: true, unseen: true,
	}, true
}

// steadilyAllocated is how much was allocated since the start, if threads allocate as fast in
// the capture as they have all the time.
func steadilyAllocated(f *timeline.Timeline, last *timeline.Counters, allocated int64) (ever int64, ok bool) {
	age, all := memory.Age(f), allocatedEver(f, last)
	if !age.Known || !all.Known {
		return 0, false
	}
	expected := float64(allocated) / f.Wall().Value.Seconds() * age.Value.Seconds()
	return all.Value, expected <= heapLinear*float64(all.Value) && float64(all.Value) <= heapLinear*expected
}

// allocatedByLiving is how much the threads that live have allocated since they began.
func allocatedByLiving(f *timeline.Timeline) int64 {
	var sum int64
	for _, h := range f.Alive() {
		if s := h.Last(); s.Allocated != timeline.Unknown {
			sum += s.Allocated
		}
	}
	return sum
}

// allocatedEver is how much was allocated since the start, at least: what the threads that
// live say, or what the young generation has room for, once per collection.
func allocatedEver(f *timeline.Timeline, last *timeline.Counters) timeline.Opt[int64] {
	sum := allocatedByLiving(f)
	if young := last.GCCount.Value - last.OldCollections.Value; last.GCCount.Known && last.EdenCapacity.Known {
		sum = max(sum, young*last.EdenCapacity.Value)
	}
	return timeline.Opt[int64]{Value: sum, Known: sum > 0}
}
