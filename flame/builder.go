package flame

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Builder folds samples into a profile one by one: its memory grows with the number of
// different stacks, threads and states, not with the number of samples.
type Builder struct {
	options Options
	a       *assembler
	stacks  map[*stack.Stack]stackID
	frames  map[*threaddump.Frame]*profile.Location
	roots   map[*timeline.Thread]stackID // of threads without Java frames
	pools   map[*timeline.Thread]string
	samples int
	begin   time.Time
	length  time.Duration
	// process and threads are the CPU time of the samples that tell both.
	process, threads time.Duration
	// shown is the CPU time of the threads that are wanted, unseen that of it of which it
	// is not known what ran.
	shown, unseen time.Duration
	cpuKnown      bool
	// noSafepoints is true if the dumps stopped no thread.
	noSafepoints bool
	wallKnown    bool
}

// The sample types of a profile from thread dumps, in their order.
const (
	atCPU = iota
	atWall
	atSamples
)

// dumpTypes are the sample types of a profile from thread dumps.
func dumpTypes() []*profile.ValueType {
	return []*profile.ValueType{
		{Type: CPU, Unit: "nanoseconds"}, {Type: Wall, Unit: "nanoseconds"}, {Type: Samples, Unit: "count"},
	}
}

// NewBuilder returns a Builder that has seen nothing.
func NewBuilder(o Options) *Builder {
	return &Builder{
		options: o, a: newAssembler(dumpTypes()...),
		stacks: map[*stack.Stack]stackID{}, frames: map[*threaddump.Frame]*profile.Location{},
		roots: map[*timeline.Thread]stackID{}, pools: map[*timeline.Thread]string{},
	}
}

// Add folds a sample: it counts for each stack, and half of what each thread used
// and waited since the sample before belongs to the stack at either end.
func (b *Builder) Add(sample *timeline.Delta) {
	b.samples++
	if b.begin.IsZero() {
		b.begin = sample.Time
	}
	since := b.length
	if sample.Wall.Known {
		b.length += sample.Wall.Value
		b.options.Timeline.atLeast(sample.Wall.Value / 2) // what is known of a thread is known of the halves
	}
	var used time.Duration
	for i := range sample.Threads {
		used += b.addInterval(&sample.Threads[i], since)
	}
	if sample.ProcessCPU.Known {
		b.process += sample.ProcessCPU.Value
		b.threads += used
	}
}

// addInterval returns the CPU time of the thread, also of one that is not wanted. The interval began at since, after
// the first sample, and ends now.
func (b *Builder) addInterval(i *timeline.Interval, since time.Duration) time.Duration {
	cpu, wall := i.CPU.Value, i.Wall.Value
	if want := b.options.Thread; want != nil && !want(i.After.Thread.Name, i.After.Thread.NativeID) {
		return cpu
	}
	b.cpuKnown = b.cpuKnown || i.CPU.Known
	b.wallKnown = b.wallKnown || i.Wall.Known
	b.shown += cpu
	whole := span{since, b.length}
	if i.Before == nil {
		b.addSample(i.After, whole, cpu, wall, 1)
		return cpu
	}
	first, second := whole.halves()
	b.addSample(i.Before, first, cpu/2, wall/2, 0)
	b.addSample(i.After, second, cpu-cpu/2, wall-wall/2, 1)
	return cpu
}

// span is a part of the time of the samples, counted from the first one.
type span struct{ from, to time.Duration }

func (s span) halves() (first, second span) {
	middle := s.from + (s.to-s.from)/2
	return span{s.from, middle}, span{middle, s.to}
}

// addSample puts what a thread used that was seen waiting over the stack of its wait: it ran
// something else then.
func (b *Builder) addSample(s *timeline.Sample, when span, cpu, wall time.Duration, count int64) {
	l := labels{thread: s.Thread.Name, state: s.State.String(), pool: b.pool(s.Thread)}
	stack := b.stackOf(s)
	if cpu > 0 && waits(s) {
		b.unseen += cpu
		b.add(b.a.under(stack, special(FrameUnseen)), l, when, cpu.Nanoseconds())
		cpu = 0
	}
	b.add(stack, l, when, cpu.Nanoseconds(), wall.Nanoseconds(), count)
}

// add adds values to the sample of a stack, and to the time when they arose.
func (b *Builder) add(stack stackID, l labels, when span, values ...int64) {
	b.options.Timeline.Add(b.a.add(stack, l, values...), when.from, when.to, values...)
}

// waits reports a thread that cannot have run in its frame.
func waits(s *timeline.Sample) bool {
	switch s.State {
	case threaddump.Blocked, threaddump.Waiting, threaddump.TimedWaiting:
		return true
	}
	return false
}

// ownNumber is where the JVM counts its own threads: "GC task thread#0 (ParallelGC)",
// "G1 Conc#1", but not "G1 Service".
var ownNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(#)\d+|\d+$`) })

// pool is the name of the thread without its number.
func (b *Builder) pool(t *timeline.Thread) string {
	name, ok := b.pools[t]
	if !ok {
		name = stack.PoolName(t.Name)
		if t.Role == threaddump.GC || t.Role == threaddump.VM {
			name = ownNumber().ReplaceAllString(t.Name, "$1*")
		}
		b.pools[t] = name
	}
	return name
}

func (b *Builder) stackOf(s *timeline.Sample) stackID {
	if root := rootOf(s); root != "" {
		id, ok := b.roots[s.Thread]
		if !ok {
			id = b.nativeStack(root, b.pool(s.Thread))
			b.roots[s.Thread] = id
		}
		return id
	}
	id, ok := b.stacks[s.Stack]
	if !ok {
		for i := len(s.Stack.Frames) - 1; i >= 0; i-- {
			id = b.a.underAt(id, b.location(s.Stack.Frames[i]))
		}
		b.stacks[s.Stack] = id
	}
	return id
}

// rootOf is the frame that stands for a stack without Java frames, empty for one
// with them.
func rootOf(s *timeline.Sample) string {
	switch role := s.Thread.Role; {
	case role == threaddump.GC:
		return FrameGC
	case role == threaddump.JIT:
		return FrameJIT
	case len(s.Stack.Frames) > 0:
		return ""
	case role == threaddump.Application:
		return FrameNoStack
	}
	return FrameVM
}

func (b *Builder) nativeStack(root, pool string) stackID {
	id := b.a.under(noStack, special(root))
	if root == FrameNoStack {
		return id
	}
	return b.a.under(id, special("["+pool+"]"))
}

// location asks for the name once of a frame that stacks share.
func (b *Builder) location(f *threaddump.Frame) *profile.Location {
	l, ok := b.frames[f]
	if !ok {
		l = b.a.location(b.frame(f))
		b.frames[f] = l
	}
	return l
}

func (b *Builder) frame(f *threaddump.Frame) frame { return javaFrame(f, b.options) }

// javaFrame is a frame of a thread dump as the profile has it.
func javaFrame(f *threaddump.Frame, o Options) frame {
	class, module := f.Class, f.Module
	if !o.ExactNames {
		class, module = threaddump.StableClass(class), threaddump.StableModule(module)
	}
	name := class + "." + f.Method
	if f.Method == "" {
		name = f.Text
	}
	system := name
	if module != "" {
		system = module + "/" + name
	}
	return frame{name: name, system: system, file: f.File, line: int64(f.Line)}
}

// SetProcessCPU says what the process used over the whole time, where more is
// known than from sample to sample.
func (b *Builder) SetProcessCPU(d time.Duration) { b.process = max(b.process, d) }

// Samples is how many were folded.
func (b *Builder) Samples() int { return b.samples }

// Profile is what was folded so far. It ends the Builder's use. The notes go
// before its own among the comments, the first as the title; only that the shares of methods
// are not reliable is between the title and the other notes.
func (b *Builder) Profile(notes ...string) *profile.Profile {
	if rest := b.rest(); rest > 0 {
		b.add(b.a.under(noStack, special(FrameRest)), labels{}, span{0, b.length}, rest.Nanoseconds())
		b.cpuKnown = true
	}
	p := b.a.profile
	if !b.begin.IsZero() {
		p.TimeNanos = b.begin.UnixNano()
	}
	p.DurationNanos = b.length.Nanoseconds()
	p.PeriodType = &profile.ValueType{Type: Wall, Unit: "nanoseconds"}
	p.Period = p.DurationNanos / int64(max(1, b.samples-1))
	p.Comments = slices.Concat(notes, b.comments(), b.a.comments())
	if warning := b.unreliable(); warning != "" {
		p.Comments = slices.Insert(p.Comments, min(1, len(notes)), warning)
	}
	if !b.wallKnown {
		b.dropType(atWall)
	}
	if !b.cpuKnown {
		b.dropType(atCPU)
	}
	p.DefaultSampleType = p.SampleType[0].Type
	return p
}

// comments describe how accurate the figures are.
func (b *Builder) comments() []string {
	out := []string{dumpError(b.samples)}
	if share := float64(b.unseen) / float64(max(1, b.shown)); share >= muchUnseen &&
		!strings.Contains(b.unreliable(), FrameUnseen) {
		out = append(out, fmt.Sprintf("%.0f %% of the threads' CPU time was used between samples that found the "+
			"thread waiting: it is in %s. A flight recording (--engine jfr) shows what ran then.",
			100*share, FrameUnseen))
	}
	if !b.cpuKnown {
		why := "the dumps have no CPU times"
		if b.samples == 1 {
			why = "one dump"
		}
		out = append(out, "CPU time unknown: "+why+". A sample is one thread in one dump, whether it used CPU or not. "+
			"So the shares of the JVM's own threads ([GC], [JIT], [VM]) only count these threads.")
	}
	unseen := "Native code, the kernel, and threads that live between two dumps are not seen."
	if b.cpuKnown {
		unseen += " The CPU time of each thread is the kernel's figure."
	}
	if b.noSafepoints {
		return append(out, unseen)
	}
	return append(out, "Thread dumps show a thread at its next safepoint. This adds an unknown error to the shares of "+
		"methods, and the line within a method is biased. "+unseen)
}

// WithoutSafepoints says that no thread was brought to a safepoint for the dumps.
func (b *Builder) WithoutSafepoints() { b.noSafepoints = true }

// unreliable is the warning that the profile does not tell the shares of methods, empty if there is no reason for it.
func (b *Builder) unreliable() string {
	all := max(1, float64(b.shown+b.rest()))
	unseen, rest := float64(b.unseen)/all, float64(b.rest())/all
	why := ""
	switch {
	case max(unseen, rest) <= tooMuchUnseen:
		return ""
	case unseen >= rest:
		why = fmt.Sprintf("%.0f %% of the CPU time was used between two samples that found the thread waiting (%s)",
			100*unseen, FrameUnseen)
	default:
		why = fmt.Sprintf("%.0f %% of the CPU time was used by threads that ended before a sample found them, or by "+
			"native threads (%s)", 100*rest, FrameRest)
	}
	warning := "Warning: the shares of methods are not reliable: " + why + "."
	if b.options.Better != "" {
		warning += " Use " + b.options.Better + "."
	}
	return warning
}

// rest is the CPU time of the process beyond its threads; 0 where only some are wanted.
func (b *Builder) rest() time.Duration {
	if b.options.Thread != nil {
		return 0
	}
	return max(0, b.process-b.threads)
}

const (
	// muchUnseen is the share of the CPU time from which on it is said that it was not seen.
	muchUnseen = 0.1
	// tooMuchUnseen is the share above which the rest does not tell where the time went.
	tooMuchUnseen = 0.2
)

// sampleError says what the number of samples means: the standard error of a share
// of one half, the worst there is.
func sampleError(n int, thing string) string {
	if n == 0 {
		return finding.Counted(n, thing) + "."
	}
	return fmt.Sprintf("%s; method shares are accurate to ±%.2g points.", finding.Counted(n, thing), pointsOf(n))
}

// dumpError is sampleError for samples that are biased. The bias is an error in addition to that of their number.
func dumpError(n int) string {
	if n == 0 {
		return sampleError(n, "dump")
	}
	return fmt.Sprintf("%s; the margin of error of method shares is at least ±%.2g points.",
		finding.Counted(n, "dump"), pointsOf(n))
}

func pointsOf(n int) float64 { return 50 / math.Sqrt(float64(n)) }

// dropType takes a sample type out that nothing is known of.
func (b *Builder) dropType(at int) {
	p := b.a.profile
	b.options.Timeline.dropType(at)
	p.SampleType = append(p.SampleType[:at:at], p.SampleType[at+1:]...)
	for _, s := range p.Sample {
		s.Value = append(s.Value[:at:at], s.Value[at+1:]...)
	}
}
