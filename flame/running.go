package flame

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/google/pprof/profile"

	"jstall/analysis/stack"
	"jstall/threaddump"
)

// Running folds samples of threads that ran, taken by the kernel each time that a thread had used so much CPU time,
// into a profile. What each thread used is the kernel's figure; its samples share it.
type Running struct {
	options Options
	a       *assembler
	frames  map[RunFrame]*profile.Location
	counts  map[runKey]int64
	order   []runKey // of counts
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
	// Thread is its name, Java tells that it is one that Java gave.
	Thread string
	Java   bool
	// Frames stand innermost first. Cut tells that the outer ones are missing.
	Frames []RunFrame
	Cut    bool
}

type runKey struct {
	stack stackID
	tid   int
}

type runThread struct {
	labels labels
	// role is the frame of the JVM's own threads of a kind, root the one of their pool.
	role, root stackID
	wanted     bool
	samples    int64
}

// NewRunning returns a Running that has seen nothing.
func NewRunning(o Options) *Running {
	types := []*profile.ValueType{{Type: CPU, Unit: "nanoseconds"}, {Type: Samples, Unit: "count"}}
	return &Running{options: o, a: newAssembler(types...), frames: map[RunFrame]*profile.Location{},
		counts: map[runKey]int64{}, threads: map[int]*runThread{}}
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
	key := runKey{at, s.TID}
	if b.counts[key] == 0 {
		b.order = append(b.order, key)
	}
	b.counts[key]++
}

// thread is what is known of a thread. The JVM may name one after its first sample.
func (b *Running) thread(tid int, name string, java bool) *runThread {
	t := b.threads[tid]
	if t == nil || java && t.labels.state == "" {
		before := t
		t = &runThread{labels: labels{thread: name, pool: stack.PoolName(name)}, root: noStack}
		t.wanted = b.options.Thread == nil || b.options.Thread(name, int64(tid))
		if before != nil {
			t.samples = before.samples
		}
		if java {
			t.labels.state = threaddump.Runnable.String()
		}
		t.role, t.root = b.rootOf(t, java)
		b.threads[tid] = t
	}
	return t
}

// rootOf puts the JVM's own threads under a frame that says so, as in profiles from dumps.
func (b *Running) rootOf(t *runThread, java bool) (role, root stackID) {
	who := threaddump.Thread{Name: t.labels.thread, Daemon: true}
	if java {
		who.ID = 1
	}
	name := map[threaddump.Role]string{
		threaddump.GC: FrameGC, threaddump.JIT: FrameJIT, threaddump.VM: FrameVM, threaddump.JVM: FrameVM,
	}[who.Role()]
	if name == "" {
		return noStack, noStack
	}
	if name != FrameJIT {
		t.labels.pool = ownNumber().ReplaceAllString(t.labels.thread, "$1*")
	}
	role = b.a.under(noStack, special(name))
	return role, b.a.under(role, special("["+t.labels.pool+"]"))
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

// RunTotals is what the kernel tells of the time of the samples.
type RunTotals struct {
	Begin   time.Time
	Elapsed time.Duration
	// Period is how long a thread ran between two samples.
	Period time.Duration
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
	for _, key := range b.order {
		t, n := b.threads[key.tid], b.counts[key]
		used, alive := of.Threads[key.tid]
		cpu := int64(float64(of.Period.Nanoseconds()) * float64(n))
		if alive {
			cpu = int64(float64(used.CPU.Nanoseconds()) * float64(n) / float64(t.samples))
		}
		b.a.add(key.stack, t.labels, cpu, n)
	}
	for _, tid := range slices.Sorted(maps.Keys(of.Threads)) {
		used := of.Threads[tid]
		if t := b.thread(tid, used.Name, false); t.samples == 0 && t.wanted && used.CPU > 0 {
			b.a.add(b.a.under(t.role, special(FrameNotSampled)), t.labels, used.CPU.Nanoseconds(), 0)
		}
	}
	if of.Rest > 0 && b.options.Thread == nil {
		b.a.add(b.a.under(noStack, special(FrameRest)), labels{}, of.Rest.Nanoseconds(), 0)
	}
	p := b.a.profile
	p.TimeNanos, p.DurationNanos = of.Begin.UnixNano(), of.Elapsed.Nanoseconds()
	p.PeriodType, p.Period = &profile.ValueType{Type: CPU, Unit: "nanoseconds"}, of.Period.Nanoseconds()
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
