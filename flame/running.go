package flame

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/internal/jvmthread"
	"github.com/jstall/jstall/threaddump"
)

// Running folds samples of threads that ran, taken by the kernel each time that a thread had used so much CPU time,
// into a profile. What each thread used is the kernel's figure; its samples share it.
type Running struct {
	options Options
	period  time.Duration
	a       *assembler
	frames  map[RunFrame]*profile.Location
	threads map[int]*runThread
	// samples counts those that were added, whole those with a whole stack.
	samples, whole int
}

// RunFrame is one frame of a sample: Text is a Java frame as thread dumps have it, without "at ", or the name of a
// native function.
type RunFrame struct {
	Text string
	Java bool
}

// RunSample is one sample of a thread.
type RunSample struct {
	TID int
	// At is since the beginning.
	At time.Duration
	// Thread is its name, Java is true if Java gave it.
	Thread string
	Java   bool
	// Frames are innermost first. With Cut the outer ones are missing.
	Frames []RunFrame
	Cut    bool
}

type runThread struct {
	labels labels
	// root is the frame of the JVM's own threads of a kind and pool, noStack of others; collector that of all threads
	// of the collector, which only the kernel's name shows.
	root, collector stackID
	wanted          bool
	// stacks are the times of its samples, order their stacks in the order of the first.
	stacks  map[stackID][]time.Duration
	order   []stackID
	samples int64
}

// NewRunning returns a Running that has seen nothing. period is how long a thread runs between two samples.
func NewRunning(o Options, period time.Duration) *Running {
	types := []*profile.ValueType{{Type: CPU, Unit: "nanoseconds"}, {Type: Samples, Unit: "count"}}
	return &Running{options: o, period: period, a: newAssembler(types...), frames: map[RunFrame]*profile.Location{},
		threads: map[int]*runThread{}}
}

// Add folds a sample.
func (b *Running) Add(s *RunSample) {
	t := b.thread(s.TID, s.Thread, s.Java)
	if !t.wanted {
		return
	}
	b.samples++
	t.samples++
	at := t.root
	if s.Cut {
		at = b.a.under(at, special(FrameCut))
	} else {
		b.whole++
	}
	for _, f := range slices.Backward(s.Frames) {
		at = b.a.underAt(at, b.location(f))
	}
	if t.stacks[at] == nil {
		t.order = append(t.order, at)
	}
	t.stacks[at] = append(t.stacks[at], s.At)
}

// End says what a thread has used that has ended. Its id may be that of another thread from now on.
func (b *Running) End(tid int, used RunThread) {
	b.share(b.thread(tid, used.Name, false), used.CPU)
	delete(b.threads, tid)
}

// share gives each sample of a thread its part of what the thread used.
func (b *Running) share(t *runThread, used time.Duration) {
	if !t.wanted || used <= 0 {
		return
	}
	if t.samples == 0 {
		b.a.add(b.a.under(t.collector, special(FrameNotSampled)), t.labels, used.Nanoseconds(), 0)
		return
	}
	var given, taken int64
	for _, at := range t.order {
		for _, when := range t.stacks[at] {
			taken++
			upTo := int64(float64(used.Nanoseconds()) * float64(taken) / float64(t.samples))
			sample := b.a.add(at, t.labels, upTo-given, 1)
			b.options.Timeline.Add(sample, when, when, upTo-given, 1)
			given = upTo
		}
	}
}

// thread is what is known of a thread. The JVM may name one after its first sample.
func (b *Running) thread(tid int, name string, java bool) *runThread {
	t := b.threads[tid]
	if t == nil || java && t.labels.state == "" {
		before := t
		t = &runThread{labels: labels{thread: name, pool: stack.PoolName(name)}, stacks: map[stackID][]time.Duration{}}
		t.wanted = b.options.Thread == nil || b.options.Thread(name, int64(tid))
		if before != nil {
			t.samples, t.stacks, t.order = before.samples, before.stacks, before.order
		}
		if java {
			t.labels.state = threaddump.Runnable.String()
		}
		t.root = b.rootOf(t, java)
		b.threads[tid] = t
	}
	return t
}

// rootOf puts the JVM's own threads under a frame that says so, as in profiles from dumps.
func (b *Running) rootOf(t *runThread, java bool) stackID {
	who := threaddump.Thread{Name: t.labels.thread, Daemon: true}
	if java {
		who.ID = 1
	}
	name := map[threaddump.Role]string{
		threaddump.GC: FrameGC, threaddump.JIT: FrameJIT, threaddump.VM: FrameVM, threaddump.JVM: FrameVM,
	}[who.Role()]
	job := jvmthread.JobOf(t.labels.thread)
	if name == "" || name == FrameVM && !java && job != jvmthread.VM && job != jvmthread.JIT {
		return noStack // one of the program may be sampled before the JVM's list of threads has it
	}
	if name == FrameGC {
		t.collector = b.a.under(noStack, special(name))
	}
	if name != FrameJIT {
		t.labels.pool = ownNumber().ReplaceAllString(t.labels.thread, "$1*")
	}
	return b.a.under(b.a.under(noStack, special(name)), special("["+t.labels.pool+"]"))
}

func (b *Running) location(f RunFrame) *profile.Location {
	l, ok := b.frames[f]
	if !ok {
		l = b.a.location(frameOf(f, b.options))
		b.frames[f] = l
	}
	return l
}

func frameOf(f RunFrame, o Options) frame {
	if !f.Java {
		return special(f.Text)
	}
	return javaFrame(threaddump.ParseFrame(f.Text), o)
}

// RunTotals is what the kernel reports of the time of the samples.
type RunTotals struct {
	Begin   time.Time
	Elapsed time.Duration
	// Threads are those that lived to the end, by the ids of the samples.
	Threads map[int]RunThread
	// Rest is what the process used beyond these and the threads that were sampled.
	Rest time.Duration
}

// RunThread is what a thread has used.
type RunThread struct {
	Name string
	CPU  time.Duration
}

// Profile is what was folded. It ends the use of the Running. The notes are the first comments, the first of all is
// the title.
func (b *Running) Profile(of RunTotals, notes ...string) *profile.Profile {
	for _, tid := range slices.Sorted(maps.Keys(of.Threads)) {
		used := of.Threads[tid]
		b.share(b.thread(tid, used.Name, false), used.CPU)
		delete(b.threads, tid)
	}
	for _, tid := range slices.Sorted(maps.Keys(b.threads)) { // they have ended
		t := b.threads[tid]
		b.share(t, b.period*time.Duration(t.samples))
	}
	if of.Rest > 0 && b.options.Thread == nil {
		b.a.add(b.a.under(noStack, special(FrameRest)), labels{}, of.Rest.Nanoseconds(), 0)
	}
	p := b.a.profile
	p.TimeNanos, p.DurationNanos = of.Begin.UnixNano(), of.Elapsed.Nanoseconds()
	p.PeriodType, p.Period = &profile.ValueType{Type: CPU, Unit: "nanoseconds"}, b.period.Nanoseconds()
	p.Comments = slices.Concat(notes, []string{b.accuracy()}, b.a.comments())
	return p
}

// accuracy says what the samples are worth.
func (b *Running) accuracy() string {
	text := sampleError(b.samples, "sample")
	if cut := b.samples - b.whole; cut > 0 {
		text += fmt.Sprintf(" The callers of %.1f %% are not known: %s.", 100*float64(cut)/float64(b.samples), FrameCut)
	}
	return text
}
