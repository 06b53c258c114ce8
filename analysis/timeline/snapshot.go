package timeline

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Snapshot is one dump with all that was taken with it, reduced.
type Snapshot struct {
	Index      int    // of the dump in the given order, from 0
	Source     string // the file it is from, empty for none
	at         Opt[time.Duration]
	time       time.Time
	logged     bool // time is that of a log line above the dump
	JVM        string
	Version    string
	startTime  uint64
	cores      float64
	processCPU Opt[time.Duration]
	Counters   *Counters
	Heap       *HeapSection
	Machine    *Machine
	CodeCache  *CodeCache
	Loaders    *ClassLoaders
	Objects    *object.Set
	Samples    []Sample
	Tasks      map[int64]Task
	Deadlocks  []threaddump.Deadlock
	// Missing counts the Java threads that the JVM listed and the dump lacks. Cut reports whether the end of the dump
	// is missing.
	Missing int
	// CutWaits counts the waiting threads whose stack is incomplete.
	CutWaits int
	// HiddenWaits counts the waiting threads whose stack or lock the dump leaves out. CutAt is the width in columns at
	// which its headers are cut, or zero.
	HiddenWaits, CutAt int
	Cut                bool
	// Fragment reports whether the text is a part that was cut out of a dump: it has no header and none of the threads
	// that every JVM has.
	Fragment bool
	// OwnersListed reports whether the dump lists the owned synchronizers of each thread (-l), also of threads without
	// any.
	OwnersListed bool
	// Complete reports whether the JVM's list of its threads (JDK 11 and newer) proves that no thread is missing.
	Complete bool
	// Listed reports whether the dump is a list of all threads of the management interface; see threaddump.Dump.
	Listed bool
	// Instant is false for dumps that were not taken at one instant: those that the JVM writes as JSON, thread by
	// thread.
	Instant bool
	// NoLocks reports whether the dump has a form without locks.
	NoLocks bool
	// VirtualListed is true if the virtual threads are among the samples, as far as they could be read. VirtualFound is
	// their number, and VirtualMissing the reason why some, or all, are missing. See threaddump.Dump.
	VirtualListed  bool
	VirtualFound   int
	VirtualMissing string
	virtual        virtualSight
	// OwnersNamed are the names of owners of locks that have no stack in the dump, by the index of the thread that
	// waits. StuckFor is what servers and watchdogs reported about threads; see threaddump.Thread.Stuck.
	OwnersNamed, StuckFor map[int]string
	// Addresses reports whether HotSpot printed the dump, with locks by address. Other dumps have locks by identity
	// hash, and lines of another form.
	Addresses bool
}

// NewSnapshot reduces a dump to what the analyses need. index is its number in the given order, from 0.
func NewSnapshot(o Observation, index int, in *interner) *Snapshot {
	d := o.Dump
	in.nextDump(len(d.Threads))
	s := &Snapshot{
		Index: index, at: o.At, time: d.Time, startTime: o.StartTime, cores: o.Cores,
		JVM: in.string(d.JVM), Version: in.string(d.Version), processCPU: o.ProcessCPU,
		Tasks: o.Tasks, Deadlocks: d.Deadlocks,
		Counters: o.Counters, Heap: o.Heap, Machine: o.Machine, CodeCache: o.CodeCache, Loaders: o.Loaders,
		Objects: o.Objects,
		Instant: d.Instant, NoLocks: d.NoLocks,
		VirtualListed: d.VirtualListed, VirtualFound: d.VirtualFound, VirtualMissing: d.VirtualMissing,
	}
	if !o.At.Known { // else we took it ourselves
		s.Source = o.Source
	}
	if s.cores == 0 {
		s.cores = o.Machine.Cores()
	}
	s.Samples = make([]Sample, len(d.Threads))
	p := partCarried(d)
	arena := make([]Lock, 0, countLocks(p.threads))
	for i, t := range p.threads {
		arena = s.Samples[i].fill(withState(t), in, arena)
		s.Samples[i].addTask(o.Tasks)
		if m := p.mounted[i]; m != nil {
			s.Samples[i].mounted = &Sample{}
			arena = s.Samples[i].mounted.fill(m, in, arena)
			s.Samples[i].mounted.addTask(o.Tasks)
		}
		s.Addresses = s.Addresses || t.TID != 0
	}
	s.noteSubtasks()
	s.nameOwners(d)
	s.Instant = s.Instant || s.Addresses
	s.virtual = sightOf(d, s.Instant)
	s.forgetSharedLine()
	s.OwnersListed, s.Listed = d.OwnersListed, d.Listed
	s.Missing, s.Cut, s.CutWaits = d.Missing(), d.Cut, d.CutWaits()
	s.HiddenWaits, s.CutAt = d.HiddenWaits(), d.CutAt
	s.Complete = d.SMR != nil && s.Missing == 0
	s.Fragment = d.JVM == "" && d.Time.IsZero() && !slices.ContainsFunc(s.Samples, func(t Sample) bool {
		return t.Thread.Role != threaddump.Application
	})
	if s.time.IsZero() {
		s.time, s.logged = d.Logged, !d.Logged.IsZero()
	}
	if s.Cut && s.Addresses {
		s.forgetCutOperation()
	}
	return s
}

// noteSubtasks sets the subtasks of each thread that owns a structured scope, if all virtual threads were read.
func (s *Snapshot) noteSubtasks() {
	if !s.VirtualListed || s.VirtualMissing != "" {
		return
	}
	byOwner := map[int64][]int64{}
	for i := range s.Samples {
		if t := s.Samples[i].Thread; t.ScopeOwner != 0 {
			byOwner[t.ScopeOwner] = append(byOwner[t.ScopeOwner], t.ID)
		}
	}
	for i := range s.Samples {
		if s.Samples[i].subtasks = byOwner[s.Samples[i].Thread.ID]; s.Samples[i].subtasks == nil {
			s.Samples[i].subtasks = []int64{}
		}
	}
}

// nameOwners keeps the names of owners that are not in the dump, and why threads were written.
func (s *Snapshot) nameOwners(d *threaddump.Dump) {
	var there map[string]bool
	for i, t := range d.Threads {
		if words := t.StuckWords(); words != "" {
			if s.StuckFor == nil {
				s.StuckFor = map[int]string{}
			}
			s.StuckFor[i] = words
		}
		for _, l := range t.Locks {
			if l.OwnerName == "" || l.OwnerName == t.Name {
				continue
			}
			if there == nil {
				there, s.OwnersNamed = namesOf(d), map[int]string{}
			}
			if !there[l.OwnerName] {
				s.OwnersNamed[i] = l.OwnerName
			}
		}
	}
}

func namesOf(d *threaddump.Dump) map[string]bool {
	names := make(map[string]bool, len(d.Threads))
	for _, t := range d.Threads {
		names[t.Name] = true
	}
	return names
}

// indexOf is the index of a sample of the dump, -1 for any other sample.
func (s *Snapshot) indexOf(sample *Sample) int {
	for i := range s.Samples {
		if &s.Samples[i] == sample {
			return i
		}
	}
	return -1
}

// OwnerNamed is the name of the owner of what a thread of the dump waits for, if the owner's stack is not in the dump;
// else empty.
func (s *Snapshot) OwnerNamed(waiter *Sample) string {
	if len(s.OwnersNamed) == 0 {
		return ""
	}
	return s.OwnersNamed[s.indexOf(waiter)]
}

// Stuck is how long a thread of the dump was at one task, in the words of the server or watchdog that reported it; else
// empty.
func (s *Snapshot) Stuck(of *Sample) string {
	if len(s.StuckFor) == 0 {
		return ""
	}
	return s.StuckFor[s.indexOf(of)]
}

// forgetCutOperation removes the operation of the last thread of a dump that is cut: its stack may lack the frame that
// shows the operation.
func (s *Snapshot) forgetCutOperation() {
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

// Label is the reader's name of the dump, counted from 1.
func (s *Snapshot) Label() string {
	name := "dump " + strconv.Itoa(s.Index+1)
	if s.Source == "" {
		return name
	}
	return name + " (" + s.Source + ")"
}

// forgetSharedLine drops the lines of threads that all have the same one, such as in a dump within a JSON text: the
// lines of their frames cannot be counted from it.
func (s *Snapshot) forgetSharedLine() {
	if len(s.Samples) < 2 || s.Samples[0].Line != s.Samples[1].Line {
		return
	}
	for i := range s.Samples {
		s.Samples[i].Line = 0
	}
}

// VirtualWhole reports whether all virtual threads are among the samples.
func (s *Snapshot) VirtualWhole() bool { return s.VirtualListed && s.VirtualMissing == "" }

// Places maps the identities of threads to the indexes of their samples. If a key occurs twice, a header is forged or
// repeated: the first one counts.
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

// CountJava counts the Java threads of a dump.
func CountJava(s *Snapshot) int {
	n := 0
	for i := range s.Samples {
		if s.Samples[i].Thread.Java() {
			n++
		}
	}
	return n
}

// CountPlatform counts the Java threads of a dump that are not virtual.
func CountPlatform(s *Snapshot) int {
	n := 0
	for i := range s.Samples {
		if t := s.Samples[i].Thread; t.Java() && !t.Virtual {
			n++
		}
	}
	return n
}

// MajorOf is the feature release of a build such as "21.0.13+9". It is 8 for "25.504-b01", which is the version of the
// virtual machine; 0 if unknown.
func MajorOf(version string) int {
	digits := version[:len(version)-len(strings.TrimLeft(version, "0123456789"))]
	major, _ := strconv.Atoi(digits)
	if rest := version[len(digits):]; major == 25 && !strings.Contains(version, "+") && strings.Contains(rest, "-b") {
		return 8
	}
	return major
}
