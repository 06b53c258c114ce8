package hotspot

import (
	"cmp"
	"maps"
	"slices"
	"time"
)

// CPUTimes are what the threads of a process have used at a moment, and the whole of it, ended ones too.
type CPUTimes struct {
	Threads map[int]Used
	Process time.Duration
	ticks   map[int]uint64 // when each started
}

// Used is a thread's name and what it has used.
type Used struct {
	Name string
	CPU  time.Duration
}

// ByUse are the threads, those first that have used most.
func (c *CPUTimes) ByUse() []int {
	return slices.SortedFunc(maps.Keys(c.Threads), func(a, b int) int {
		return cmp.Or(cmp.Compare(c.Threads[b].CPU, c.Threads[a].CPU), cmp.Compare(a, b))
	})
}

// Since is what each thread has used since an earlier moment, and the sum.
func (c *CPUTimes) Since(before *CPUTimes) (threads map[int]Used, sum time.Duration) {
	threads = map[int]Used{}
	for tid, now := range c.Threads {
		if was, known := before.Threads[tid]; known && before.ticks[tid] == c.ticks[tid] {
			now.CPU = max(0, now.CPU-was.CPU)
		}
		threads[tid] = now
		sum += now.CPU
	}
	return threads, sum
}
