package analysis

import (
	"time"

	"jstall/threaddump"
)

// lockFacts are who waits for whom.
type lockFacts struct {
	*timeline
	graphs []*graph // of each dump
	cycles []*cycle
}

// poolFacts are the executors and who waits for their results.
type poolFacts struct {
	*lockFacts
	pools    []*pool
	byWorker map[*history]*pool // the executor of each worker
	callers  map[*pool][]*history
	runners  *runners // the threads that run a task
}

// ioFacts are the threads in input and output.
type ioFacts struct {
	*poolFacts
	// wanted are threads that wait for what others bring, nil until asked for.
	wanted *wants
	// inIOWaits are the threads that stand in I/O, workersInIO those of them that work for an
	// executor; nil until asked for.
	inIOWaits   *[]ioWaiter
	workersInIO map[*pool][]ioWaiter
	// httpSide is what the connections of HttpClients have in common, nil until asked for.
	httpSide *Task
}

// loopFacts are the threads that do alone what others need.
type loopFacts struct {
	*ioFacts
	loopsFound *[]loop
}

// facts are what all detectors share.
type facts struct {
	*loopFacts
	// writtenFacts are those of what Java code in the JVM wrote beside, besideFacts, of these, those
	// of what it was written beside; nil if there are none.
	writtenFacts, besideFacts *facts
}

func newFacts(t *timeline) *facts {
	l := &lockFacts{timeline: t, graphs: make([]*graph, len(t.snaps))}
	return &facts{loopFacts: &loopFacts{ioFacts: &ioFacts{poolFacts: &poolFacts{lockFacts: l}}}}
}

// indexThreads finds each thread over time.
func (f *timeline) indexThreads() {
	threads := len(f.snaps[len(f.snaps)-1].samples)
	f.byKey = newHistories(threads)
	all := make([]*history, 0, threads)
	var slab historySlab
	for at, s := range f.snaps {
		for i := range s.samples {
			sample := &s.samples[i]
			k := sample.Thread.key()
			h := f.byKey.of(k)
			if h == nil {
				h = slab.history(len(f.snaps) - at)
				f.byKey.add(k, h)
				all = append(all, h)
			} else if h.lastAt() == at {
				continue // a header that is there twice: the first one counts
			}
			h.thread = sample.Thread
			h.samples = append(h.samples, sample)
			h.at = append(h.at, int32(at))
		}
	}
	for _, h := range all {
		h.settle()
		h.measure(f)
	}
	f.threads, f.living = f.lastFirst(all)
}

// histories finds a thread over time by its key: Java threads by their id alone, which
// is four times as quick.
type histories struct {
	java   map[int64]*history
	others map[key]*history
}

func newHistories(threads int) histories {
	return histories{make(map[int64]*history, threads), map[key]*history{}}
}

// of returns the history of a thread, nil if there is none.
func (m *histories) of(k key) *history {
	if k.id != 0 {
		return m.java[k.id]
	}
	return m.others[k]
}

func (m *histories) add(k key, h *history) {
	if k.id != 0 {
		m.java[k.id] = h
		return
	}
	m.others[k] = h
}

// historySlab hands out histories: thousands are a few objects.
type historySlab struct {
	histories []history
	samples   []*Sample
	at        []int32
}

// history returns an empty one with room for so many samples.
func (s *historySlab) history(room int) *history {
	const many = 512
	if len(s.histories) == 0 {
		s.histories = make([]history, many)
	}
	if len(s.samples) < room {
		s.samples, s.at = make([]*Sample, many*room), make([]int32, many*room)
	}
	h := &s.histories[0]
	h.samples, h.at = s.samples[:0:room], s.at[:0:room]
	s.histories, s.samples, s.at = s.histories[1:], s.samples[room:], s.at[room:]
	return h
}

// lastFirst puts the threads of the last dump first, in its order, and counts them.
func (f *timeline) lastFirst(all []*history) (ordered []*history, living int) {
	if len(f.snaps) == 1 {
		return all, len(all)
	}
	ordered = make([]*history, 0, len(all))
	last := f.last()
	for i := range last.samples {
		h := f.history(&last.samples[i])
		if h.last() == &last.samples[i] {
			ordered = append(ordered, h)
		}
	}
	living = len(ordered)
	for _, h := range all {
		if h.lastAt() != len(f.snaps)-1 {
			ordered = append(ordered, h)
		}
	}
	return ordered, living
}

func (f *timeline) last() *snapshot { return f.snaps[len(f.snaps)-1] }

// alive are the threads of the last dump.
func (f *timeline) alive() []*history { return f.threads[:f.living] }

func (f *timeline) history(s *Sample) *history { return f.byKey.of(s.Thread.key()) }

// between is the time from one dump to another.
func (f *timeline) between(from, to int32) Opt[time.Duration] {
	var sum time.Duration
	for _, w := range f.walls[from:to] {
		if !w.Known {
			return w
		}
		sum += w.Value
	}
	return threaddump.Known(sum)
}

// younger reports that a thread was started between two dumps.
func (f *timeline) younger(s *Sample, from, to int32) bool {
	wall := f.between(from, to)
	return wall.Known && s.elapsed != unknown && s.elapsed <= int64(wall.Value+clockSlack)
}

// wall is the time from the first dump to the last, unknown if there is but one.
func (f *timeline) wall() Opt[time.Duration] {
	if len(f.snaps) < 2 {
		return Opt[time.Duration]{}
	}
	return f.between(0, int32(len(f.snaps)-1))
}

// measurable reports that the capture is long enough to tell shares of a core.
func (f *timeline) measurable() bool {
	wall := f.wall()
	return wall.Known && wall.Value >= shortestMeasure
}

// cpu is what the whole process used over the capture: what the kernel says, else
// the sum over the threads, if each one's is known.
func (f *timeline) cpu() Opt[time.Duration] {
	first, last := f.snaps[0].processCPU, f.last().processCPU
	if first.Known && last.Known && len(f.snaps) > 1 && last.Value >= first.Value {
		return threaddump.Known(last.Value - first.Value)
	}
	var sum time.Duration
	counted := false
	for _, h := range f.threads {
		if h.cpu.Known {
			sum += h.cpu.Value
			counted = true
		}
	}
	return Opt[time.Duration]{Value: sum, Known: counted && f.wall().Known}
}

func (f *timeline) cores() float64 {
	for i := len(f.snaps) - 1; i >= 0; i-- {
		if c := f.snaps[i].cores; c > 0 {
			return c
		}
	}
	return 0
}

func (f *lockFacts) graph(at int) *graph {
	if f.graphs[at] == nil {
		for i, s := range f.snaps {
			f.graphs[i] = newGraph(s, len(f.snaps) > 1)
		}
		f.carryOwners()
		for _, g := range f.graphs {
			g.conclude()
		}
	}
	return f.graphs[at]
}
