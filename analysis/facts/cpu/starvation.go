package cpu

import (
	"cmp"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Thresholds of cpu-starved, in shares of the time of the capture.
const (
	// starvedWait is the share of the time that a thread must have been ready without a CPU. Three busy threads on two
	// cores each wait a third of the time: that is a full machine, not starvation. starvedHeld is the same where a CPU
	// quota throttles the process.
	starvedWait = 0.4
	starvedHeld = 0.25
	// starvedLeast is the share of a core that a thread must have used if no dump shows it at work. A thread that only
	// slept can be counted as waiting for a CPU because the kernel's figure jumps when it wakes up.
	starvedLeast = 0.01
	// StarvedByOthers is the same where other processes use the cores. Next to one busy process a thread waits half
	// of the time, and what it computes matters more. A thread that waits longer gets a third of a core or less.
	StarvedByOthers = 0.65
	// starvedWanted is the part of the capture in which the thread must have been ready to run. A thread that wakes up
	// now and then, or lives briefly, does not count.
	starvedWanted = 0.5
	// starvedProgram is the number of cores that the process as a whole must have wanted for the CPU use of others to
	// matter. A program with little to do is only late.
	starvedProgram = 0.8
	// othersShare is the part of the available cores that other processes must have used to be the cause; the same for
	// the hypervisor.
	othersShare = 0.25
	// othersMost is the part of the cores that other processes must have used, with no more than the rest left to this
	// process, to be the cause regardless of what this process wanted.
	othersMost = 0.7
	// ownLeast is the part of the cores that the process must have used for its own threads to be the cause. Where it
	// used less, its threads waited for cores that others used.
	ownLeast = 0.4
	// oversubscribedFactor is how many times the number of cores the threads at the same work must want for the finding
	// to say that they are too many. Somewhat more threads than cores only keep the cores busy.
	oversubscribedFactor = 3
	// heldPeriods is the part of the quota's periods that must have been throttled for the quota to be the cause.
	heldPeriods = 0.2
)

// cpuOwner is what uses the CPU that threads wait for.
type cpuOwner uint8

const (
	causeUnknown cpuOwner = iota
	CauseOwn
	CauseOthers
	CauseQuota
	CauseStolen
	// CauseHidden: the process used little of its cores, and what others used is not known.
	CauseHidden
)

// Starvation is the threads of the program that wanted a CPU and had none.
type Starvation struct {
	Threads []*timeline.History
	Cause   cpuOwner
	// Oversubscribed reports that the threads want many more cores than there are.
	Oversubscribed bool
	// Own, Others and Stolen are the cores used by the process, by others and by the hypervisor. Wanted is the number
	// of cores that the process would have used without a limit, Held the part of the quota's periods that were
	// throttled.
	Own, Wanted, Others, Stolen, Held float64
	// measured reports whether the CPU use of other processes is known.
	measured  bool
	Machine   *timeline.Machine
	Neighbour string
}

// FindStarvation returns the starved threads and the cause; nil if no thread is starved.
func FindStarvation(f *timeline.Timeline) *Starvation {
	if !f.Measurable() {
		return nil
	}
	s := &Starvation{}
	s.blame(f)
	least := starvedWait
	switch s.Cause {
	case CauseQuota:
		least = starvedHeld
	case CauseOthers, CauseStolen:
		least = StarvedByOthers
	}
	if (s.Cause == CauseOthers || s.Cause == CauseStolen) && s.Wanted < starvedProgram {
		return nil
	}
	if s.hadCPU(least) {
		return nil
	}
	for _, h := range f.Alive() {
		h = h.OnCPU()
		if h.Thread.Program() && readyShare(f, h) >= starvedWanted && h.Starved() >= least &&
			(running(h) > 0 || h.Share().Value >= starvedLeast) {
			s.Threads = append(s.Threads, h)
		}
	}
	if len(s.Threads) == 0 {
		return nil
	}
	slices.SortStableFunc(s.Threads, func(a, b *timeline.History) int {
		return cmp.Or(cmp.Compare(b.Starved(), a.Starved()), timeline.CompareThreads(a.Thread, b.Thread))
	})
	return s
}

// hadCPU reports whether the machine was so idle that no thread can have waited that part of the capture for a CPU,
// whatever the kernel's figure is: a thread waits for a CPU only while another thread uses it.
func (s *Starvation) hadCPU(waited float64) bool {
	return s.measured && s.Cause != CauseQuota && s.Own+s.Others+s.Stolen < waited
}

// readyShare is the part of the whole capture in which the thread ran or waited for a CPU. It is small for a thread
// that lives briefly.
func readyShare(f *timeline.Timeline, h *timeline.History) float64 {
	w := h.Wanted()
	if !w.Known {
		return 0
	}
	return f.ShareOf(threaddump.Known(time.Duration(w.Value * float64(h.Elapsed.Value)))).Value
}

// Demand is how many cores some of the threads would have used together.
func Demand(f *timeline.Timeline, counts func(*timeline.Thread) bool) float64 {
	sum := 0.0
	for _, h := range f.Threads {
		if counts(h.Thread) {
			sum += readyShare(f, h)
		}
	}
	return sum
}

// blame finds the owner of the CPU.
func (s *Starvation) blame(f *timeline.Timeline) {
	s.Own, s.Wanted = f.ShareOf(f.CPU()).Value, Demand(f, func(*timeline.Thread) bool { return true })
	first, last, ok := f.Machines()
	if !ok {
		return
	}
	s.Machine = last
	busy := timeline.Gained(first.Busy, last.Busy)
	s.Others, s.measured = max(0, f.ShareOf(busy).Value-s.Own), busy.Known
	s.Stolen = f.ShareOf(timeline.Gained(first.Stolen, last.Stolen)).Value
	held := timeline.Gained(first.ThrottledPeriods, last.ThrottledPeriods)
	all := timeline.Gained(first.Periods, last.Periods)
	if held.Known && all.Value > 0 {
		s.Held = float64(held.Value) / float64(all.Value)
	}
	cores := 1.0
	if last.Allowed.Known {
		cores = float64(last.Allowed.Value)
	}
	// What the process wants beyond all that it may use, it would lack without others.
	lacking := s.Wanted - cores
	switch {
	case s.Held >= heldPeriods:
		s.Cause = CauseQuota
	case s.Stolen >= max(othersShare*cores, lacking):
		s.Cause = CauseStolen
	case s.Others >= max(othersShare*cores, lacking), s.Others >= othersMost*cores && s.Own <= (1-othersMost)*cores:
		s.Cause = CauseOthers
		s.Neighbour = Busiest(first.Others, last.Others)
	case s.Own >= ownLeast*cores:
		s.Cause = CauseOwn
	case s.Others >= othersShare*cores:
		s.Cause = CauseOthers
		s.Neighbour = Busiest(first.Others, last.Others)
	case !s.measured:
		s.Cause = CauseHidden
	default:
		s.Cause = CauseOwn
	}
}

// IsOneHotWork reports that the threads of the program have the CPU themselves, by and large the same work, and so
// much of a core each that they are a hot-thread finding: many threads on few cores get too little each.
func IsOneHotWork(f *timeline.Timeline, s *Starvation) bool {
	if !s.ByOwnThreads() {
		return false
	}
	groups := map[string][]HotThread{}
	for _, h := range s.Threads {
		t := AsHot(h)
		if t.Share >= timeline.GroupShare {
			groups[t.Work()] = append(groups[t.Work()], t)
		}
	}
	for _, g := range groups {
		least := fullCores * float64(len(s.Threads))
		if float64(len(g)) >= least && float64(len(HotOf(f, g))) >= least {
			return true
		}
	}
	return false
}

// WantsManyMoreCores reports that the starved threads want many more cores than there are.
func WantsManyMoreCores(f *timeline.Timeline, s *Starvation) bool {
	if !s.ByOwnThreads() || s.Machine == nil || s.Machine.Cores() == 0 {
		return false
	}
	sum := 0.0
	for _, h := range s.Threads {
		sum += readyShare(f, h)
	}
	return sum >= oversubscribedFactor*s.Machine.Cores()
}

// Covers reports that a finding blames starved threads most of all.
func (s *Starvation) Covers(other *finding.Finding) bool {
	starved := map[finding.ThreadID]bool{}
	for _, h := range s.Threads {
		starved[finding.ThreadID{ID: h.Thread.ID}] = true
	}
	n := 0
	for _, r := range other.Culprits {
		n += finding.CountIf(starved[finding.ThreadIDOf(r)])
	}
	return 2*n > len(other.Culprits)
}

// ByOwnThreads reports that the program's threads have each other's CPU, for all that is known.
func (s *Starvation) ByOwnThreads() bool { return s.Cause == CauseOwn || s.Cause == causeUnknown }

// running counts the dumps that show the thread at work.
func running(h *timeline.History) int {
	n := 0
	for _, s := range h.Samples {
		if s.Wait == stack.Running && s.IdleRule() == nil {
			n++
		}
	}
	return n
}
