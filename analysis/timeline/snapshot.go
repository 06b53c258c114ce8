package timeline

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"jstall/analysis/stack"
	"jstall/threaddump"
)

// Snapshot is one dump with all that was taken beside it, reduced.
type Snapshot struct {
	Index      int    // of the dump in the order given, from 0
	Source     string // the file it is from, empty for none
	at         Opt[time.Duration]
	time       time.Time
	JVM        string
	Version    string
	startTime  uint64
	cores      float64
	processCPU Opt[time.Duration]
	Counters   *Counters
	Machine    *Machine
	CodeCache  *CodeCache
	Loaders    *ClassLoaders
	Samples    []Sample
	Tasks      map[int64]Task
	Deadlocks  []threaddump.Deadlock
	// missing counts the Java threads that the JVM listed and the dump lacks; cut
	// tells that the dump ends before its end.
	Missing int
	Cut     bool
	// fragment tells a part that somebody cut out of a dump: it has no header and none of
	// the threads that every JVM has.
	Fragment bool
	// complete tells that the JVM's list of its threads (JDK 11 and newer) proves
	// that none is missing.
	Complete bool
	// instant is false for dumps that are no single moment: those that the JVM
	// writes as JSON, thread by thread.
	Instant bool
	// noLocks tells a dump of a form that has no locks.
	NoLocks bool
	// carriers tells that it shows what virtual threads run on; see ShowsCarriers.
	carriers bool
	// addresses tells a dump that HotSpot printed, with locks by address; others have
	// them by identity hash, and lines of another form.
	Addresses bool
}

func NewSnapshot(o Observation, index int, in *interner) *Snapshot {
	d := o.Dump
	in.nextDump(len(d.Threads))
	s := &Snapshot{
		Index: index, at: o.At, time: d.Time, startTime: o.StartTime, cores: o.Cores,
		JVM: in.string(d.JVM), Version: in.string(d.Version), processCPU: o.ProcessCPU,
		Tasks: o.Tasks, Deadlocks: d.Deadlocks,
		Counters: o.Counters, Machine: o.Machine, CodeCache: o.CodeCache, Loaders: o.Loaders,
		Instant: d.Instant, NoLocks: d.NoLocks,
	}
	if !o.At.Known { // else we took it ourselves
		s.Source = o.Source
	}
	if s.cores == 0 {
		s.cores = o.Machine.Cores()
	}
	s.Samples = make([]Sample, len(d.Threads))
	arena := make([]Lock, 0, countLocks(d.Threads))
	for i, t := range d.Threads {
		arena = s.Samples[i].fill(withState(t), in, arena)
		s.Samples[i].addTask(o.Tasks)
		s.Addresses = s.Addresses || t.TID != 0
	}
	s.Instant = s.Instant || s.Addresses
	s.carriers = MajorOf(d.Version) >= 21 && ShowsCarriers(d)
	s.forgetSharedLine()
	s.Missing, s.Cut = d.Missing(), d.Cut
	s.Complete = d.SMR != nil && s.Missing == 0
	s.Fragment = d.JVM == "" && d.Time.IsZero() && !slices.ContainsFunc(s.Samples, func(t Sample) bool {
		return t.Thread.Role != threaddump.Application
	})
	if s.Cut && s.Addresses {
		s.doubtLast()
	}
	return s
}

// doubtLast forgets what the last thread of a dump that is cut seems to be in: its stack
// may lack the frame that tells.
func (s *Snapshot) doubtLast() {
	last := &s.Samples[0]
	for i := range s.Samples {
		if s.Samples[i].Line > last.Line {
			last = &s.Samples[i]
		}
	}
	frames := *last.Stack
	frames.Op = stack.Operation{Index: -1}
	last.Stack = &frames
}

// Label is what a reader calls the dump, counting from 1.
func (s *Snapshot) Label() string {
	name := "dump " + strconv.Itoa(s.Index+1)
	if s.Source == "" {
		return name
	}
	return name + " (" + s.Source + ")"
}

// forgetSharedLine drops the lines of threads that all stand in one, as those of a
// dump within a JSON text do: those of their frames cannot be counted from it.
func (s *Snapshot) forgetSharedLine() {
	if len(s.Samples) < 2 || s.Samples[0].Line != s.Samples[1].Line {
		return
	}
	for i := range s.Samples {
		s.Samples[i].Line = 0
	}
}

func countLocks(threads []*threaddump.Thread) int {
	n := 0
	for _, t := range threads {
		n += len(t.Locks) + len(t.MountedLocks)
	}
	return n
}

// fill reduces a thread; its locks go to the end of the arena.
func (s *Sample) fill(t *threaddump.Thread, in *interner, arena []Lock) []Lock {
	start := len(arena)
	for _, l := range t.MountedLocks {
		arena = append(arena, shortLock(l, 0, in))
	}
	for _, l := range t.Locks {
		arena = append(arena, shortLock(l, len(t.MountedStack), in))
	}
	// Field by field: a literal would be built elsewhere and copied.
	s.Thread = in.thread(Thread{
		ID: t.ID, TID: t.TID, NativeID: t.NativeID, Name: t.Name,
		Role: t.Role(), Daemon: t.Daemon, Virtual: t.Virtual, Unnumbered: t.Unnumbered, ScopeOwner: t.ScopeOwner,
		PerTask: strings.HasPrefix(t.Container, PerTask),
	})
	s.Stack, s.State = in.stack(CallStack(t)), t.State
	s.Locks = arena[start:len(arena):len(arena)]
	s.CPUTime, s.Age, s.Allocated = known(t.CPU), known(t.Elapsed), known(t.Allocated)
	s.Classes, s.runQueue, s.Turns = known(t.DefinedClasses), Unknown, Unknown
	s.Carrier = max(t.Carrying, t.Carrier)
	s.Line, s.stackLine, s.alike = int32(t.Line), int32(t.StackLine), int32(t.Alike)
	kind, at := classify(t, s.Stack, s.Locks)
	s.Wait, s.waitLock = kind, int16(at)
	s.inWait = t.Condition == stack.InObjectWait && kind != stack.WaitClassInit || kind == stack.WaitNotify
	return arena
}

// CallStack is the stack a reader wants to see: that of the virtual thread which
// a carrier runs, on top of the carrier's own.
func CallStack(t *threaddump.Thread) []*threaddump.Frame {
	if len(t.MountedStack) == 0 {
		return t.Stack
	}
	all := make([]*threaddump.Frame, 0, len(t.MountedStack)+len(t.Stack))
	return append(append(all, t.MountedStack...), t.Stack...)
}

func shortLock(l threaddump.Lock, below int, in *interner) Lock {
	depth := l.Depth
	if depth >= 0 {
		depth += below
	}
	return Lock{
		Class: in.string(l.Class), Address: l.Address, Owner: l.Owner,
		line: int32(l.Line), Depth: int16(depth), Op: l.Op, Blocks: int32(l.Blocks),
	}
}

func known[T ~int64](o Opt[T]) int64 {
	if !o.Known {
		return Unknown
	}
	return int64(o.Value)
}

// addTask fills in what the kernel says of the thread where the dump is silent.
func (s *Sample) addTask(tasks map[int64]Task) {
	if len(tasks) == 0 || s.Thread.NativeID == 0 {
		return
	}
	task, ok := tasks[s.Thread.NativeID]
	if !ok {
		return
	}
	s.runQueue, s.Turns = known(task.RunQueue), known(task.Turns)
	if s.CPUTime == Unknown {
		s.CPUTime = int64(task.CPU)
	}
}

// Places finds the samples of a dump by identity. A key that occurs twice is a
// forged or repeated header: the first one counts.
func (s *Snapshot) Places() map[Key]int {
	m := make(map[Key]int, len(s.Samples))
	for i := range s.Samples {
		k := s.Samples[i].Thread.Key()
		if _, ok := m[k]; !ok {
			m[k] = i
		}
	}
	return m
}

// ShowsCarriers reports that a text dump shows virtual threads, or what the JVM
// runs them with: a carrier, the threads that wake them, a thread that waits for
// one, and up to 24, where an idle carrier looks like any idle worker, the first
// fork-join pool.
func ShowsCarriers(d *threaddump.Dump) bool {
	major := MajorOf(d.Version)
	if major > 0 && major < 21 {
		return false
	}
	for _, t := range d.Threads {
		switch {
		case t.Carrying != 0, t.Virtual, strings.HasPrefix(t.Name, "VirtualThread-un"), slices.ContainsFunc(t.Stack, servesVirtual):
			return true
		case major < 25 && strings.HasPrefix(t.Name, "ForkJoinPool-1-worker-") && stack.ApplicationFrame(t.Stack) == nil:
			return true
		}
	}
	return false
}

// servesVirtual tells frames of threads that run virtual threads or wait for them.
func servesVirtual(f *threaddump.Frame) bool {
	return f.Class == "java.lang.VirtualThread" || f.Class == stack.JUC+"ThreadPerTaskExecutor" ||
		f.Class == "jdk.internal.misc.ThreadFlock"
}

// MajorOf is the feature release of a build such as "21.0.13+9", 8 of "25.504-b01",
// which is the virtual machine's own; 0 if unknown.
func MajorOf(version string) int {
	digits := version[:len(version)-len(strings.TrimLeft(version, "0123456789"))]
	major, _ := strconv.Atoi(digits)
	if rest := version[len(digits):]; major == 25 && !strings.Contains(version, "+") && strings.Contains(rest, "-b") {
		return 8
	}
	return major
}

// inferredState is the state of a virtual thread where the dump tells none (21 to 24):
// by the method that it gave up its carrier in, or would have if it could. Unknown
// for one that runs or enters a monitor.
func inferredState(frames []*threaddump.Frame) threaddump.State {
	if len(frames) == 0 {
		return threaddump.Runnable // it has not run yet
	}
	state := threaddump.StateUnknown
	for _, f := range frames[:min(6, len(frames))] {
		switch {
		case f.Class == "java.lang.Object" && strings.HasPrefix(f.Method, "wait"):
			return threaddump.Waiting
		case f.Class != "java.lang.VirtualThread":
			continue
		case strings.HasSuffix(f.Method, "Nanos"):
			return threaddump.TimedWaiting
		case strings.HasPrefix(f.Method, "park"):
			state = threaddump.Waiting
		case strings.HasPrefix(f.Method, "tryYield"), strings.HasPrefix(f.Method, "runContinuation"):
			return threaddump.Runnable
		}
	}
	return state
}

// withState is the thread with the state that its stack tells, where the dump does
// not.
func withState(t *threaddump.Thread) *threaddump.Thread {
	if !t.Virtual || t.State != threaddump.StateUnknown {
		return t
	}
	inferred := *t
	inferred.State = inferredState(t.Stack)
	return &inferred
}

const PerTask = stack.JUC + "ThreadPerTaskExecutor"
