package timeline

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Thread is what stays the same for a thread from dump to dump.
type Thread struct {
	// ID is the Java thread id, zero for JVM-internal threads. It alone identifies a Java thread, because a JVM never
	// uses an id again.
	ID int64
	// TID is the address of the JVM's thread object, NativeID the kernel's thread id in the JVM's pid namespace; zero
	// if the dump does not show it. The two identify a JVM-internal thread.
	TID      uint64
	NativeID int64
	Name     string
	Role     threaddump.Role
	Daemon   bool
	Virtual  bool
	// Unnumbered reports whether the thread is a Java thread of a dump without Java thread ids.
	Unnumbered bool
	// ScopeOwner is the id of the owner of the structured scope that the thread is a subtask of, else zero.
	ScopeOwner int64
}

// Key identifies a thread over time within one JVM.
type Key struct {
	ID       int64
	tid      uint64
	nativeID int64
}

// Key is the thread's identity over time.
func (t *Thread) Key() Key {
	if t.ID != 0 {
		return Key{ID: t.ID}
	}
	return Key{tid: t.TID, nativeID: t.NativeID}
}

// FindingID is the thread's identity in findings.
func (t *Thread) FindingID() finding.ThreadID {
	return finding.ThreadIDOf(finding.ThreadRef{ID: t.ID, NativeID: t.NativeID, Name: t.Name})
}

// Java reports whether a thread runs Java code, and is not a native thread of the JVM.
func (t *Thread) Java() bool { return t.ID != 0 || t.Unnumbered }

// Program reports whether findings are about the thread: it is the application's, or a Java thread that the JVM made
// (finalizer, cleaner).
func (t *Thread) Program() bool {
	return t.Role == threaddump.Application || t.Role == threaddump.JVM
}

// Called is the thread's name for a sentence: see [finding.ThreadRef.Called].
func (t *Thread) Called() string {
	if t.Name == "" && !t.Virtual {
		return finding.QuoteName(t.Name)
	}
	return finding.ThreadRef{Name: t.Name, ID: t.ID, NativeID: t.NativeID}.Called()
}

// Sample is one thread in one dump, reduced to what analyses need.
type Sample struct {
	Thread *Thread
	Stack  *stack.Stack
	State  threaddump.State

	Locks []Lock
	// CPUTime and Age are nanoseconds, Allocated is bytes, since the thread started; Unknown if the dump does not show
	// them.
	CPUTime, Age, Allocated, runQueue int64
	Classes                           int64   // number of classes that it has defined
	Turns                             int64   // number of times that it got a CPU
	Carrier                           int64   // id of the other half of carrier and virtual thread
	Line                              int32   // of the header in the dump's input
	stackLine                         int32   // of its first frame, in dumps that Java code wrote
	subtasks                          []int64 // ids of the threads in its structured scope; nil if not all are known
	alike                             int32   // further virtual threads like this one, not listed
	mounted                           *Sample // a carrier with its virtual thread's frames; nil if it has them itself
	Wait                              stack.WaitKind
	waitLock                          int16 // index in locks of what it waits for, -1 if not printed
	inWait                            bool  // in Object.wait(), its monitor given up
	Unread                            bool  // its stack could not be read
	timeUp                            bool  // printed RUNNABLE at the end of a timed wait: see settle
	renewed                           bool  // in another wait than in the dump before: see noteRenewals
}

// Unknown is a figure that the dump does not show; no real one is negative.
const Unknown = math.MinInt64

// Duration is a figure in nanoseconds, where Unknown means that the dump does not show it.
func Duration(v int64) Opt[time.Duration] {
	if v == Unknown {
		return Opt[time.Duration]{}
	}
	return threaddump.Known(time.Duration(v))
}

// CPU is the CPU time since the thread started: the dump's, else the kernel's.
func (s *Sample) CPU() Opt[time.Duration] { return Duration(s.CPUTime) }

// Elapsed is the thread's age.
func (s *Sample) Elapsed() Opt[time.Duration] { return Duration(s.Age) }

// Timed reports whether a wait ends by itself.
func (s *Sample) Timed() bool { return s.State == threaddump.TimedWaiting }

// Shown is the state that the dump prints.
func (s *Sample) Shown() threaddump.State {
	if s.timeUp {
		return threaddump.Runnable
	}
	return s.State
}

// Size is the number of threads that a sample represents.
func (s *Sample) Size() int { return 1 + int(s.alike) }

// SizeOf is the number of threads that some samples represent.
func SizeOf(samples []*Sample) int {
	n := 0
	for _, s := range samples {
		n += s.Size()
	}
	return n
}

// InNameOrder returns the threads sorted by name, then by id.
func InNameOrder(threads []*Sample) []*Sample {
	ordered := slices.Clone(threads)
	slices.SortStableFunc(ordered, func(a, b *Sample) int {
		return CompareThreads(a.Thread, b.Thread)
	})
	return ordered
}

// Without returns the samples of all that are not in some.
func Without(all, some []*Sample) []*Sample {
	return slices.DeleteFunc(slices.Clone(all), func(s *Sample) bool { return slices.Contains(some, s) })
}

// QuoteThreads lists the names of threads, as QuoteNames does.
func QuoteThreads(samples []*Sample) string {
	quoted := make([]string, len(samples))
	for i, s := range samples {
		quoted[i] = s.Thread.Called()
	}
	return finding.Listed(quoted)
}

// CompareThreads orders threads by name, then by id.
func CompareThreads(a, b *Thread) int {
	return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
}
