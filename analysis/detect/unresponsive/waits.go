package unresponsive

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
)

// The reasons that only several readings of /proc show.

// throttledShare is the share of periods from which throttling is the reason.
const throttledShare = 0.5

func throttled(u *unanswered.JVM) *reason {
	a, b := u.First().Machine, u.Last().Machine
	if a == nil || b == nil || len(u.Moments) < 2 {
		return nil
	}
	periods, held := growth(a.Periods, b.Periods), growth(a.ThrottledPeriods, b.ThrottledPeriods)
	if periods <= 0 || float64(held) < throttledShare*float64(periods) {
		return nil
	}
	return &reason{
		why: fmt.Sprintf("its control group is throttled to %.2g cores, in %d of %d periods", b.Quota.Value,
			held, periods),
		advice:     "Raise the CPU limit of its container, or wait longer with --timeout.",
		confidence: finding.Likely,
		culprits:   firstFew(u.BusiestWhere(func(t *unanswered.Thread) bool { return t.Mostly(t.Running) })),
		evidence: []string{fmt.Sprintf("nr_throttled of its cgroup has grown by %d over %s", held,
			finding.Seconds(u.Wall()))},
	}
}

// manyFaults is how many pages a second read from a device make a JVM crawl.
const manyFaults = 50

func swapped(u *unanswered.JVM) *reason {
	p := u.Process()
	faults := growth(u.First().Process.MajorFaults, p.MajorFaults)
	const some = 32 << 20
	if !p.Swapped.Known || p.Swapped.Value < some || u.Wall() <= 0 || float64(faults) < manyFaults*u.Wall().Seconds() {
		return nil
	}
	return &reason{
		why: fmt.Sprintf("it is swapped out: %d MB of it are in swap, and it is reading them back",
			p.Swapped.Value>>20),
		advice: "Give the machine more memory, or lower -Xmx; keep the JVM out of swap (swapoff, vm.swappiness, " +
			"memory.swap.max).",
		confidence: finding.Likely,
		evidence:   []string{fmt.Sprintf("%d major faults in %s", faults, finding.Seconds(u.Wall()))},
	}
}

func stuckInKernel(u *unanswered.JVM) *reason {
	if !u.HasCode("timeout") {
		return nil
	}
	stuck := u.BusiestWhere(func(t *unanswered.Thread) bool { return t.Seen > 1 && t.Mostly(t.Stuck) })
	if len(stuck) == 0 {
		return nil
	}
	r := &reason{
		why: isAre(len(stuck)) + " in " + waitOf(stuck[0].Last.State) + " in the kernel",
		advice: "Check the disk or network file system that it waits for (dmesg, mount). Such a process cannot " +
			"be killed.",
		confidence: finding.Likely,
		culprits:   firstFew(stuck),
	}
	if ch := stuck[0].Channel; ch != "" {
		r.why += "'s " + ch
	}
	for _, t := range r.culprits {
		r.evidence = append(r.evidence,
			fmt.Sprintf("%s: state %s in %d of %d samples, in %s", finding.QuoteName(t.Name), t.Last.State, t.Stuck,
				t.Seen, cmp.Or(t.Channel, "an unknown function")))
	}
	return r
}

func isAre(n int) string {
	if n == 1 {
		return "1 thread is"
	}
	return fmt.Sprintf("%s threads are", finding.Thousands(n))
}

func waitOf(state string) string {
	if state == "D" {
		return "uninterruptible sleep (state D)"
	}
	return "a wait for a page of a file"
}

// shuttingDown is a JVM that has ended some of its threads so that it can end itself: the thread that takes our
// signal, which may be held up at the last safepoint, and before that the thread for periodic tasks.
func shuttingDown(u *unanswered.JVM) *reason {
	if !u.HasCode("timeout") || u.Named("VM Thread") == nil {
		return nil
	}
	r := &reason{
		why: "it is shutting down", confidence: finding.Likely,
		advice: "If it stays so, it waits for a thread in native code, for one of its libraries or for its " +
			"compiler. The threads that are left are below.",
	}
	switch {
	case u.Process().CatchesQuit && u.Named("Signal Dispatcher") == nil: // with -Xrs there is none
		r.evidence = []string{"its Signal Dispatcher has ended, which happens after the shutdown hooks"}
	case hasPeriodicTask(u) && u.Named("VM Periodic Task Thread") == nil:
		r.evidence = []string{"its VM Periodic Task Thread has ended, which happens after the shutdown hooks"}
	default:
		return nil
	}
	return r
}

// hasPeriodicTask reports whether all JVMs of this release have a VM Periodic Task Thread.
func hasPeriodicTask(u *unanswered.JVM) bool {
	release := u.Process().Release
	return release > 0 && release < 26
}

func listenerHeld(u *unanswered.JVM) *reason {
	others := 0
	for _, m := range u.Moments {
		others = max(others, m.Process.Clients)
	}
	if u.HasCode("timeout") && u.Attempt.Phase == "read" {
		others-- // one of them is ours
	}
	if !u.HasCode("timeout") || others < 1 || u.Named("Attach Listener") == nil {
		return nil
	}
	if vm := u.Named("VM Thread"); vm != nil && (atWork(u, vm) || vm.Share() > 0.5 || seenCollecting(u)) {
		return nil // it is at work, and the client may have gone since
	}
	return &reason{
		why:        "another client holds its attach listener, which serves one at a time",
		advice:     "Find it with: ss -xp | grep java_pid; end it, or wait for it.",
		confidence: finding.Likely,
		evidence:   []string{fmt.Sprintf("/proc/net/unix has %d other connections to the listener's socket", others)},
	}
}

// inOperation is a JVM whose VM Thread runs all the time, while no other thread does.
func inOperation(u *unanswered.JVM) *reason {
	vm := u.Named("VM Thread")
	if !u.HasCode("timeout") || vm == nil || !vm.Works() || vm.Share() < 0.5 {
		return nil
	}
	return &reason{
		why: "its VM Thread runs an operation that stops the application", confidence: finding.Likely,
		advice: "A heap dump, a walk of the heap (jstack -l, a class histogram) or a collection takes so long; " +
			"wait longer with --timeout.",
		culprits: []*unanswered.Thread{vm}, evidence: useOf([]*unanswered.Thread{vm}),
	}
}

// starved is a JVM whose threads wait for a CPU and get none.
func starved(u *unanswered.JVM) *reason {
	var starved []*unanswered.Thread
	for _, name := range []string{"Signal Dispatcher", "Attach Listener", "VM Thread"} {
		if t := u.Named(name); t != nil && t.WaitsForCPU() {
			starved = append(starved, t)
		}
	}
	if len(starved) == 0 { // a safepoint waits for these
		starved = firstFew(slices.DeleteFunc(runners(u), func(t *unanswered.Thread) bool { return !t.WaitsForCPU() }))
	}
	if len(starved) == 0 || !u.HasCode("timeout") {
		return nil
	}
	return &reason{
		why: finding.QuoteName(starved[0].Name) +
			" waits for a CPU and gets little or none", confidence: finding.Likely,
		advice:   starvedAdvice,
		culprits: starved,
		evidence: []string{fmt.Sprintf("it waited %s of %s in the run queue",
			finding.Seconds(starved[0].RunQueue().Value), finding.Seconds(starved[0].Wall))},
	}
}

// unexplained is what is certain where no reason fits.
func unexplained(u *unanswered.JVM) *reason {
	r := &reason{
		why: "the cause is unknown: " +
			u.Attempt.Message, confidence: finding.Possible, severity: finding.Warning,
		advice: "Try again with a longer --timeout. jstall doctor PID checks what an attach needs.",
	}
	if busy := u.BusiestWhere(func(t *unanswered.Thread) bool { return t.Share() > 0.1 }); len(busy) > 0 {
		r.culprits, r.evidence = firstFew(busy), useOf(busy)
	}
	return r
}

const starvedAdvice = "Check the machine with top, and the limits and priority of the JVM: " +
	"other processes use the CPUs."
