package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"jstall/threaddump"
)

// Thresholds of cpu-starved, in shares of the time of the capture.
const (
	// starvedWait is how long a thread must have been ready and without a CPU. Three
	// busy threads on two cores wait a third of the time each: that is a full machine
	// and no more. starvedHeld is the same where a quota holds the process back.
	starvedWait = 0.4
	starvedHeld = 0.25
	// starvedLeast is what a thread must have run that no dump shows at work: one that only
	// slept and is said to have waited for a CPU all the while was woken when the kernel's
	// figure leapt.
	starvedLeast = 0.01
	// starvedByOthers is the same where other processes have the cores: next to one
	// busy neighbour a thread waits half of the time, and what it computes is the
	// better story. To one that waits for longer others leave but a third of a core, and
	// what it computes is the lesser one.
	starvedByOthers = 0.65
	// starvedWish is the part of the capture in which it must have been ready: one that
	// wakes up to look at the clock and waits for that is none to worry about, nor is
	// one that lives for a moment.
	starvedWish = 0.5
	// starvedProgram is how many cores the process must have wanted as a whole for the
	// others to matter: a program with little to do is late, and that is all.
	starvedProgram = 0.8
	// othersShare is the part of the cores we may use that others must have taken to
	// be the cause; the same for the hypervisor.
	othersShare = 0.25
	// othersMost is the part of them that others must have taken, and left the process no more than
	// the rest, to be the cause whatever the process would have wanted beside.
	othersMost = 0.7
	// starvedCrowd is how many times as many cores as there are threads at the same work must
	// want for that to be told beside it: somewhat more threads than cores only keep these busy.
	starvedCrowd = 3
	// heldPeriods is the part of the quota's periods that ended early to be the cause.
	heldPeriods = 0.2
)

const (
	// starvedFair is the part of what it wants from which a thread gets on, if slowly, and
	// starvedDumps how many dumps must show it in one method: then that is the story.
	starvedFair  = 0.25
	starvedDumps = 3
)

// starveCause is who has the CPU that threads wait for.
type starveCause uint8

const (
	causeUnknown starveCause = iota
	causeOwn
	causeOthers
	causeQuota
	causeStolen
)

// starvation is the threads of the program that wanted a CPU and had none.
type starvation struct {
	threads []*history
	cause   starveCause
	// crowded tells that they want many more cores than there are.
	crowded bool
	// own, others and stolen are what was used in cores, wanted what the process
	// would have used of as many as it likes, held the part of the quota's periods
	// that ended early.
	own, wanted, others, stolen, held float64
	// measured tells that others are known.
	measured  bool
	machine   *Machine
	neighbour string
}

// detectStarved reports threads that want CPU and do not get it.
//
// Rule: a thread of the program was ready for half of the capture, and the kernel
// counted it as waiting for a CPU for at least 40 % of its time, a quarter where the
// control group's quota was used up, two thirds where others have the cores; a dump
// shows it at work or it ran at all. The
// cause is the quota if periods of it ended early, the hypervisor or other
// processes if they took a quarter of the cores that we may use and more than what
// the process's own threads want beyond these cores, or if others took seven tenths of them and the
// process no more than the rest, else the program's own threads:
// these are then to blame, unless they all do the same work, which is a hot-thread
// finding if they get enough to be one. Three times as many threads as there are cores, or
// more, are starved then, too. Threads that others leave a third of a core
// are starved first, and hot because they would like to be, unless all of them are at one
// work, in one method in every dump, and get a quarter of what they want. A process that
// wants less than most of a core does not suffer from others.
func detectStarved(f *facts) []candidate {
	s := f.starvation()
	if s == nil || f.isOneHotWork(s) && !f.crowds(s) {
		return nil
	}
	s.crowded = f.crowds(s)
	result := Finding{
		Severity: Warning, Confidence: Proven,
		Title: s.title(), Advice: s.advice(),
	}
	refs, quotes := f.atWork(s.threads)
	result.Culprits = refs
	for _, h := range s.threads[:min(3, len(s.threads))] {
		result.Evidence = append(result.Evidence, figure(fmt.Sprintf("%s ran %s of the time and waited for a CPU %s of it",
			h.thread.called(), percent(h.share().Value), percent(h.starved()))))
	}
	result.Evidence = append(append(result.Evidence, s.evidence()...), quotes...)
	return []candidate{{Finding: result, behind: s.isBehind}}
}

// starvation measures, nil if no thread is starved.
func (f *timeline) starvation() *starvation {
	if !f.measurable() {
		return nil
	}
	s := &starvation{}
	s.blame(f)
	least := starvedWait
	switch s.cause {
	case causeQuota:
		least = starvedHeld
	case causeOthers, causeStolen:
		least = starvedByOthers
	}
	if (s.cause == causeOthers || s.cause == causeStolen) && s.wanted < starvedProgram {
		return nil
	}
	if s.hadCPU(least) {
		return nil
	}
	for _, h := range f.alive() {
		if h.thread.program() && f.readyShare(h) >= starvedWish && h.starved() >= least &&
			(h.running() > 0 || h.share().Value >= starvedLeast) {
			s.threads = append(s.threads, h)
		}
	}
	if len(s.threads) == 0 {
		return nil
	}
	slices.SortStableFunc(s.threads, func(a, b *history) int {
		return cmp.Or(cmp.Compare(b.starved(), a.starved()), cmp.Compare(a.thread.Name, b.thread.Name), cmp.Compare(a.thread.ID, b.thread.ID))
	})
	return s
}

// hadCPU tells a machine so idle that no thread can have waited that part of the capture for a
// CPU, whatever the kernel's figure says: who waits for one waits until it is done with another.
func (s *starvation) hadCPU(waited float64) bool {
	return s.measured && s.cause != causeQuota && s.own+s.others+s.stolen < waited
}

// starved is the part of the capture in which the thread was ready and did not run.
// The kernel's figures are taken beside the dump's: together they are no more than
// the time there was.
func (h *history) starved() float64 {
	if !h.runQueue.Known || !h.elapsed.Known || h.elapsed.Value < shortestMeasure {
		return 0
	}
	waited := float64(h.runQueue.Value) / float64(h.elapsed.Value)
	return min(waited, max(0, 1-h.share().Value))
}

// readyShare is the part of the whole capture in which the thread ran or waited for a
// CPU; that of one that lives for a moment is small.
func (f *timeline) readyShare(h *history) float64 {
	w := h.wanted()
	if !w.Known {
		return 0
	}
	return f.shareOf(threaddump.Known(time.Duration(w.Value * float64(h.elapsed.Value)))).Value
}

// demand is how many cores the process's threads would have used together.
func (f *timeline) demand() float64 {
	sum := 0.0
	for _, h := range f.threads {
		sum += f.readyShare(h)
	}
	return sum
}

// programDemand is that of the program's threads alone.
func (f *timeline) programDemand() float64 {
	sum := 0.0
	for _, h := range f.threads {
		if h.thread.program() {
			sum += f.readyShare(h)
		}
	}
	return sum
}

// blame finds who had the CPU.
func (s *starvation) blame(f *timeline) {
	s.own, s.wanted = f.shareOf(f.cpu()).Value, f.demand()
	first, last, ok := f.machines()
	if !ok {
		return
	}
	s.machine = last
	busy := gained(first.Busy, last.Busy)
	s.others, s.measured = max(0, f.shareOf(busy).Value-s.own), busy.Known
	s.stolen = f.shareOf(gained(first.Stolen, last.Stolen)).Value
	if held, all := gained(first.ThrottledPeriods, last.ThrottledPeriods), gained(first.Periods, last.Periods); held.Known && all.Value > 0 {
		s.held = float64(held.Value) / float64(all.Value)
	}
	cores := 1.0
	if last.Allowed.Known {
		cores = float64(last.Allowed.Value)
	}
	// What the process wants beyond all that it may use, it would lack without others.
	lacking := s.wanted - cores
	switch {
	case s.held >= heldPeriods:
		s.cause = causeQuota
	case s.stolen >= max(othersShare*cores, lacking):
		s.cause = causeStolen
	case s.others >= max(othersShare*cores, lacking), s.others >= othersMost*cores && s.own <= (1-othersMost)*cores:
		s.cause = causeOthers
		s.neighbour = busiest(first.Others, last.Others)
	default:
		s.cause = causeOwn
	}
}

// isBehind reports that threads are hot only because they want a core of which others
// leave them a third, and are not seen at a work that may never end; or that they are parts of
// a computation of which there are too many.
func (s *starvation) isBehind(effect *Finding) bool {
	if effect.Kind == KindHotThread && effect.Severity == Info && s.crowded && s.tellsOf(effect) {
		return true
	}
	most, stuck := map[threadID]bool{}, 0
	for _, h := range s.threads {
		id := threadID{id: h.thread.ID}
		most[id] = h.starved() >= starvedByOthers
		if slices.ContainsFunc(effect.Culprits, func(r ThreadRef) bool { return threadIDOf(r) == id }) && h.staysAtWork() {
			stuck++
		}
	}
	return effect.Kind == KindHotThread && !s.homemade() && stuck < len(s.threads) && !slices.ContainsFunc(effect.Culprits, func(r ThreadRef) bool {
		return !most[threadIDOf(r)]
	})
}

// staysAtWork tells a thread that gets a fair part of what it wants, and that three dumps or
// more, and all, show in one method: it does not come to an end there, whoever else has the
// cores.
func (h *history) staysAtWork() bool {
	work := h.last().Stack.Work()
	return len(h.samples) >= starvedDumps && h.share().Value >= starvedFair*h.wanted().Value && !slices.ContainsFunc(h.samples, func(s *Sample) bool {
		return s.Stack.Application == nil || s.Stack.Work() != work
	})
}

// isOneHotWork reports that the threads of the program have the CPU themselves, by
// and large the same work, and so much of a core each that they are a hot-thread
// finding: many threads on few cores get too little each.
func (f *timeline) isOneHotWork(s *starvation) bool {
	if !s.homemade() {
		return false
	}
	groups := map[string][]hotThread{}
	for _, h := range s.threads {
		t := asHot(h)
		if t.share >= groupShare {
			groups[t.work()] = append(groups[t.work()], t)
		}
	}
	for _, g := range groups {
		if least := fullCores * float64(len(s.threads)); float64(len(g)) >= least && float64(len(f.hotOf(g))) >= least {
			return true
		}
	}
	return false
}

// crowds reports that the starved threads want many more cores than there are.
func (f *timeline) crowds(s *starvation) bool {
	if !s.homemade() || s.machine == nil || s.machine.cores() == 0 {
		return false
	}
	sum := 0.0
	for _, h := range s.threads {
		sum += f.readyShare(h)
	}
	return sum >= starvedCrowd*s.machine.cores()
}

// tellsOf reports that a finding blames starved threads most of all.
func (s *starvation) tellsOf(other *Finding) bool {
	starved := map[threadID]bool{}
	for _, h := range s.threads {
		starved[threadID{id: h.thread.ID}] = true
	}
	n := 0
	for _, r := range other.Culprits {
		n += one(starved[threadIDOf(r)])
	}
	return 2*n > len(other.Culprits)
}

// homemade reports that the program's threads have each other's CPU, for all that
// is known.
func (s *starvation) homemade() bool { return s.cause == causeOwn || s.cause == causeUnknown }

func (s *starvation) title() string {
	who := Counted(len(s.threads), "thread") + " want a CPU and wait for one"
	if len(s.threads) == 1 {
		who = s.threads[0].thread.called() + " wants a CPU and waits for one"
	}
	who += " " + percent(s.threads[0].starved()) + " of the time"
	switch s.cause {
	case causeQuota:
		return fmt.Sprintf("%s: the control group may use %s and has used it up", who, coresUsed(s.machine.Quota.Value))
	case causeStolen:
		return fmt.Sprintf("%s: the hypervisor gave %s to other machines", who, coresUsed(s.stolen))
	case causeOthers:
		if s.neighbour != "" {
			return fmt.Sprintf("%s: other processes use %s, most of all %s", who, coresUsed(s.others), s.neighbour)
		}
		return fmt.Sprintf("%s: other processes use %s", who, coresUsed(s.others))
	case causeOwn:
		if s.wanted <= s.machine.cores() {
			return fmt.Sprintf("%s: they share %s", who, s.machine.allowance())
		}
		return fmt.Sprintf("%s: this JVM's threads want %s and share %s", who, coresUsed(s.wanted), s.machine.allowance())
	}
	return who
}

func (s *starvation) advice() string {
	switch s.cause {
	case causeQuota:
		return "Raise the CPU limit of the container, or run fewer threads at once."
	case causeOthers, causeStolen:
		return "The cores belong to somebody else: move the neighbour, or this JVM, or give it more cores."
	}
	if s.cause == causeOwn && s.machine.confined() {
		return "There is more work than the affinity mask has CPUs: allow more of them (taskset, cpuset), or run fewer threads at once."
	}
	return "There is more work than cores: give it more cores, or run fewer threads at once."
}

func (s *starvation) evidence() []Evidence {
	if s.machine == nil {
		return nil
	}
	text := fmt.Sprintf("this JVM used %s, other processes %s", coresUsed(s.own), coresUsed(s.others))
	if a := s.machine.Allowed; a.Known {
		text += fmt.Sprintf(", of the %s that it may use", Counted(a.Value, "CPU"))
	}
	all := []Evidence{figure(text)}
	if s.held > 0 {
		all = append(all, figure(percent(s.held)+" of the quota's periods ended early"))
	}
	return all
}

// running counts the dumps that show the thread at work.
func (h *history) running() int {
	n := 0
	for _, s := range h.samples {
		if s.wait == running && s.resting() == nil {
			n++
		}
	}
	return n
}
