package dumptest

import (
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Counting adds counters to an observation.
func Counting(o timeline.Observation, c timeline.Counters) timeline.Observation {
	o.Counters = &c
	return o
}

func AmountOf(n int64) timeline.Opt[int64] { return threaddump.Known(n) }

func Lasting(s float64) timeline.Opt[time.Duration] {
	return threaddump.Known(time.Duration(s * float64(time.Second)))
}

const MB = int64(1 << 20)

// Filling is a capture of a heap whose old generation has these sizes from dump to dump, while a thread allocates this
// many bytes in between.
func Filling(allocatedEach int64, old ...int64) []timeline.Observation {
	var all []timeline.Observation
	for i, used := range old {
		n := int64(i)
		o := Observe(float64(i), Thread(1, "a", Allocated(n*allocatedEach), UsedFor(float64(i)+1)))
		all = append(all, Counting(o, timeline.Counters{
			GCCount: AmountOf(2*n +
				2), HeapMax: AmountOf(1000 * MB), OldUsed: AmountOf(used), EdenCapacity: AmountOf(20 * MB),
		}))
	}
	return all
}

func GCThread(cpu, elapsed float64) *threaddump.Thread {
	t := &threaddump.Thread{Name: "GC Thread#0", TID: 0x7f0000000099, NativeID: 9, Condition: "runnable"}
	Used(cpu, elapsed)(t)
	return t
}

// Starving is two dumps, two seconds apart, of threads that each ran and waited for
// a CPU for these shares of the time.
func Starving(before, after *timeline.Machine, shares ...[2]float64) []timeline.Observation {
	return []timeline.Observation{StarvingAt(0, before, shares...), StarvingAt(2, after, shares...)}
}

func StarvingAt(when float64, m *timeline.Machine, shares ...[2]float64) timeline.Observation {
	tasks := map[int64]timeline.Task{}
	var threads []*threaddump.Thread
	for i, s := range shares {
		th := Thread(int64(i+1), string(rune('a'+i)), Used(1+when*s[0], 9+when))
		th.Stack = Trace("App.work"+th.Name, "App.run")
		threads = append(threads, th)
		tasks[th.NativeID] = timeline.Task{State: "R",
			RunQueue: threaddump.Known(time.Duration((1 + when*s[1]) * float64(time.Second)))}
	}
	o := Observe(when, threads...)
	o.Tasks, o.Machine = tasks, m
	return o
}
