package analysis

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"jstall/threaddump"
)

// snapshot is one dump with all that was taken beside it, reduced.
type snapshot struct {
	index      int    // of the dump in the order given, from 0
	source     string // the file it is from, empty for none
	at         Opt[time.Duration]
	time       time.Time
	jvm        string
	version    string
	startTime  uint64
	cores      float64
	processCPU Opt[time.Duration]
	counters   *Counters
	machine    *Machine
	codeCache  *CodeCache
	loaders    *ClassLoaders
	samples    []Sample
	tasks      map[int64]Task
	deadlocks  []threaddump.Deadlock
	// missing counts the Java threads that the JVM listed and the dump lacks; cut
	// tells that the dump ends before its end.
	missing int
	cut     bool
	// fragment tells a part that somebody cut out of a dump: it has no header and none of
	// the threads that every JVM has.
	fragment bool
	// complete tells that the JVM's list of its threads (JDK 11 and newer) proves
	// that none is missing.
	complete bool
	// instant is false for dumps that are no single moment: those that the JVM
	// writes as JSON, thread by thread.
	instant bool
	// noLocks tells a dump of a form that has no locks.
	noLocks bool
	// carriers tells that it shows what virtual threads run on; see ShowsCarriers.
	carriers bool
	// addresses tells a dump that HotSpot printed, with locks by address; others have
	// them by identity hash, and lines of another form.
	addresses bool
}

func newSnapshot(o Observation, index int, in *interner) *snapshot {
	d := o.Dump
	in.nextDump(len(d.Threads))
	s := &snapshot{
		index: index, at: o.At, time: d.Time, startTime: o.StartTime, cores: o.Cores,
		jvm: in.string(d.JVM), version: in.string(d.Version), processCPU: o.ProcessCPU,
		tasks: o.Tasks, deadlocks: d.Deadlocks,
		counters: o.Counters, machine: o.Machine, codeCache: o.CodeCache, loaders: o.Loaders,
		instant: d.Instant, noLocks: d.NoLocks,
	}
	if !o.At.Known { // else we took it ourselves
		s.source = o.Source
	}
	if s.cores == 0 {
		s.cores = o.Machine.cores()
	}
	s.samples = make([]Sample, len(d.Threads))
	arena := make([]lock, 0, countLocks(d.Threads))
	for i, t := range d.Threads {
		arena = s.samples[i].fill(withState(t), in, arena)
		s.samples[i].addTask(o.Tasks)
		s.addresses = s.addresses || t.TID != 0
	}
	s.instant = s.instant || s.addresses
	s.carriers = majorOf(d.Version) >= 21 && ShowsCarriers(d)
	s.forgetSharedLine()
	s.missing, s.cut = d.Missing(), d.Cut
	s.complete = d.SMR != nil && s.missing == 0
	s.fragment = d.JVM == "" && d.Time.IsZero() && !slices.ContainsFunc(s.samples, func(t Sample) bool {
		return t.Thread.Role != threaddump.Application
	})
	if s.cut && s.addresses {
		s.doubtLast()
	}
	return s
}

// doubtLast forgets what the last thread of a dump that is cut seems to be in: its stack
// may lack the frame that tells.
func (s *snapshot) doubtLast() {
	last := &s.samples[0]
	for i := range s.samples {
		if s.samples[i].line > last.line {
			last = &s.samples[i]
		}
	}
	frames := *last.Stack
	frames.op = operation{index: -1}
	last.Stack = &frames
}

// label is what a reader calls the dump, counting from 1.
func (s *snapshot) label() string {
	name := "dump " + strconv.Itoa(s.index+1)
	if s.source == "" {
		return name
	}
	return name + " (" + s.source + ")"
}

// forgetSharedLine drops the lines of threads that all stand in one, as those of a
// dump within a JSON text do: those of their frames cannot be counted from it.
func (s *snapshot) forgetSharedLine() {
	if len(s.samples) < 2 || s.samples[0].line != s.samples[1].line {
		return
	}
	for i := range s.samples {
		s.samples[i].line = 0
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
func (s *Sample) fill(t *threaddump.Thread, in *interner, arena []lock) []lock {
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
		PerTask: strings.HasPrefix(t.Container, perTask),
	})
	s.Stack, s.State = in.stack(callStack(t)), t.State
	s.locks = arena[start:len(arena):len(arena)]
	s.cpu, s.elapsed, s.allocated = known(t.CPU), known(t.Elapsed), known(t.Allocated)
	s.classes, s.runQueue, s.turns = known(t.DefinedClasses), unknown, unknown
	s.carrier = max(t.Carrying, t.Carrier)
	s.line, s.stackLine, s.alike = int32(t.Line), int32(t.StackLine), int32(t.Alike)
	kind, at := classify(t, s.Stack, s.locks)
	s.wait, s.waitLock = kind, int16(at)
	s.inWait = t.Condition == inObjectWait && kind != waitClassInit || kind == waitNotify
	return arena
}

// callStack is the stack a reader wants to see: that of the virtual thread which
// a carrier runs, on top of the carrier's own.
func callStack(t *threaddump.Thread) []*threaddump.Frame {
	if len(t.MountedStack) == 0 {
		return t.Stack
	}
	all := make([]*threaddump.Frame, 0, len(t.MountedStack)+len(t.Stack))
	return append(append(all, t.MountedStack...), t.Stack...)
}

func shortLock(l threaddump.Lock, below int, in *interner) lock {
	depth := l.Depth
	if depth >= 0 {
		depth += below
	}
	return lock{
		class: in.string(l.Class), address: l.Address, owner: l.Owner,
		line: int32(l.Line), depth: int16(depth), op: l.Op, blocks: int32(l.Blocks),
	}
}

func known[T ~int64](o Opt[T]) int64 {
	if !o.Known {
		return unknown
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
	s.runQueue, s.turns = known(task.RunQueue), known(task.Turns)
	if s.cpu == unknown {
		s.cpu = int64(task.CPU)
	}
}

// places finds the samples of a dump by identity. A key that occurs twice is a
// forged or repeated header: the first one counts.
func (s *snapshot) places() map[key]int {
	m := make(map[key]int, len(s.samples))
	for i := range s.samples {
		k := s.samples[i].Thread.key()
		if _, ok := m[k]; !ok {
			m[k] = i
		}
	}
	return m
}
