package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// The reasons for a silence that only several samples tell: nil where one does not fit.

// throttledShare is the share of periods from which throttling explains a silence.
const throttledShare = 0.5

func throttled(q *silence) *reason {
	a, b := q.first().Machine, q.last().Machine
	if a == nil || b == nil || len(q.moments) < 2 {
		return nil
	}
	periods, held := growthOf(a.Periods, b.Periods), growthOf(a.ThrottledPeriods, b.ThrottledPeriods)
	if periods <= 0 || float64(held) < throttledShare*float64(periods) {
		return nil
	}
	return &reason{
		why: fmt.Sprintf("its control group is throttled to %.2g cores, in %d of %d periods", b.Quota.Value,
			held, periods),
		advice:     "Raise the CPU limit of its container, or wait longer with --timeout.",
		confidence: finding.Likely,
		culprits:   firstFew(q.those(func(t *silentThread) bool { return t.mostly(t.running) })),
		evidence: []string{fmt.Sprintf("nr_throttled of its cgroup has grown by %d over %s", held,
			finding.Seconds(q.wall()))},
	}
}

// manyFaults is how many pages a second read from a device make a JVM crawl.
const manyFaults = 50

func swapped(q *silence) *reason {
	p := q.process()
	faults := growthOf(q.first().Process.MajorFaults, p.MajorFaults)
	const some = 32 << 20
	if !p.Swapped.Known || p.Swapped.Value < some || q.wall() <= 0 || float64(faults) < manyFaults*q.wall().Seconds() {
		return nil
	}
	return &reason{
		why: fmt.Sprintf("it is swapped out: %d MB of it are in swap, and it is reading them back",
			p.Swapped.Value>>20),
		advice: "Give the machine more memory, or lower -Xmx; keep the JVM out of swap (swapoff, vm.swappiness, " +
			"memory.swap.max).",
		confidence: finding.Likely,
		evidence:   []string{fmt.Sprintf("%d major faults in %s", faults, finding.Seconds(q.wall()))},
	}
}

func stuckInKernel(q *silence) *reason {
	if !q.code("timeout") {
		return nil
	}
	stuck := q.those(func(t *silentThread) bool { return t.seen > 1 && t.mostly(t.stuck) })
	if len(stuck) == 0 {
		return nil
	}
	r := &reason{
		why: isAre(len(stuck)) + " in " + waitOf(stuck[0].last.State) + " in the kernel",
		advice: "Check the disk or network file system that it waits for (dmesg, mount). Such a process cannot " +
			"be killed.",
		confidence: finding.Likely,
		culprits:   firstFew(stuck),
	}
	if ch := stuck[0].channel; ch != "" {
		r.why += "'s " + ch
	}
	for _, t := range r.culprits {
		r.evidence = append(r.evidence,
			fmt.Sprintf("%s: state %s in %d of %d samples, in %s", finding.QuoteName(t.name), t.last.State, t.stuck,
				t.seen, cmp.Or(t.channel, "an unknown function")))
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

// collecting is a JVM in a garbage collection: by its counters, else by its threads.
func collecting(q *silence) *reason {
	if !q.code("timeout") {
		return nil
	}
	in, counted, long, cause := q.collections()
	workers := q.those(func(t *silentThread) bool {
		return (t.role == threaddump.GC || isComm(t.name, "VM Thread")) && t.share() > 0.1
	})
	switch {
	case counted > 0 && 2*in > counted:
		return inCollection(q, in, counted, long, cause, workers)
	case counted == 0 && len(workers) > 0 && workers[0].share() > 0.5 && workers[0].role == threaddump.GC &&
		q.quietApplication():
		return &reason{
			why: "it is in a garbage collection by its threads: only the collector runs", confidence: finding.Likely,
			advice: collectionAdvice, culprits: firstFew(workers),
			evidence: append([]string{"the JVM has no counters"}, useOf(workers)...),
		}
	}
	return nil
}

// collections counts the samples with counters, those of them in a collection, and those in the same collection
// as the sample before; cause is the last one's.
func (q *silence) collections() (in, counted, long int, cause string) {
	for i := range q.moments {
		c := q.moments[i].Counters
		if c == nil {
			continue
		}
		counted++
		if c.Collecting == "" {
			continue
		}
		in++
		cause = c.GCCause
		if prev := q.moments[max(i-1, 0)].Counters; i > 0 && prev != nil && prev.Collecting == c.Collecting &&
			prev.CollectingSince == c.CollectingSince {
			long++
		}
	}
	return in, counted, long, cause
}

const collectionAdvice = "Increase -Xmx, or find what fills the heap: jstall shows the threads that allocate once " +
	"it answers. Wait longer with --timeout."

func inCollection(q *silence, in, counted, long int, cause string, workers []*silentThread) *reason {
	c := q.moments[len(q.moments)-1].Counters
	for i := len(q.moments) - 1; i >= 0 && (c == nil || c.Collecting == ""); i-- {
		c = q.moments[i].Counters
	}
	r := &reason{why: "it is in a garbage collection (" + c.Collecting + ")", advice: collectionAdvice,
		culprits: firstFew(workers)}
	if cause != "" {
		r.why = "it is in a garbage collection (" + c.Collecting + ", " + cause + ")"
	}
	at := "its start is unknown"
	if c.CollectingSince.Known {
		at = "the last one began " + finding.Seconds(c.CollectingSince.Value) + " after the JVM's start"
	}
	r.evidence = append(r.evidence,
		fmt.Sprintf("counters: a collection had begun and not ended in %d of %d samples over %s; %s", in, counted,
			finding.Seconds(q.wall()), at))
	if long == 0 {
		r.evidence[0] += ", one right after the other"
	}
	r.evidence = append(r.evidence, useOf(workers)...)
	return r
}

func useOf(threads []*silentThread) []string {
	if len(threads) == 0 {
		return nil
	}
	var parts []string
	for _, t := range firstFew(threads) {
		parts = append(parts, fmt.Sprintf("%s %s of a core", finding.QuoteName(t.name), finding.Percent(t.share())))
	}
	return []string{"CPU: " + strings.Join(parts, ", ")}
}

// quietApplication reports whether no thread of the application was always running.
func (q *silence) quietApplication() bool { return len(q.runners()) == 0 }

// runners are the threads of Java code that were on a CPU, or wanted one, all the time.
func (q *silence) runners() []*silentThread {
	return q.those(func(t *silentThread) bool {
		return t.works() && (t.role == threaddump.Application || t.role == threaddump.JVM)
	})
}

// awaitsSafepoint is a JVM whose VM Thread waits for threads to stop: it naps in
// between its looks at them, and one of them runs.
func awaitsSafepoint(q *silence) *reason {
	vm := q.thread("VM Thread")
	runners := slices.DeleteFunc(q.runners(), (*silentThread).mayComeYet)
	if !q.code("timeout") || vm == nil || len(runners) == 0 || !q.atWork(vm) {
		return nil
	}
	if a, b := q.first().Counters, q.last().Counters; a != nil && b != nil && growthOf(a.Safepoints, b.Safepoints) > 1 {
		return nil // it comes to safepoints all the time
	}
	r := &reason{
		why:        "it waits for a safepoint that " + finding.QuoteName(runners[0].name) + " does not reach",
		advice:     pollsAdvice(q.last().Counters),
		confidence: finding.Likely,
		culprits:   firstFew(runners),
		evidence: []string{fmt.Sprintf("\"VM Thread\" only checks whether all threads have stopped (%s), while %s "+
			"runs in all %d samples, %s of a core",
			vm.betweenLooks(), finding.QuoteName(runners[0].name), vm.seen, finding.Percent(runners[0].share()))},
	}
	if vm.napping == 0 && vm.share() > 0.6 {
		r.confidence = finding.Possible // it may as well work, while the other one is in native code
	}
	if len(runners) > 1 {
		r.why = fmt.Sprintf("it waits for a safepoint, while %s threads run: %s", finding.Thousands(len(runners)),
			finding.QuoteNames(threadNames(runners)))
		r.confidence = finding.Possible
	}
	return r
}

// betweenLooks says what a VM Thread does in between its looks at the other threads.
func (t *silentThread) betweenLooks() string {
	if t.napping > 0 {
		return fmt.Sprintf("asleep for a moment in between, in %d of %d samples", t.napping, t.seen)
	}
	return finding.Percent(t.share()) + " of a core"
}

// pollsAdvice says how a thread comes to have safepoint polls in its loops. Since JDK 10 all
// collectors but two have the option on by default, which tells what to set only there.
func pollsAdvice(c *timeline.Counters) string {
	option := "start the JVM with -XX:+UseCountedLoopSafepoints"
	if c != nil && (c.Collector == "Parallel" || c.Collector == "Serial") {
		option += ", which the " + c.Collector + " collector is without unless it is asked for"
	}
	return "The thread runs a loop without safepoint polls: " + option +
		"; or make the loop's counter a long, or call a method in it. " +
		"-XX:+SafepointTimeout names it in the JVM's own log."
}

// atWork reports whether the VM Thread is at one thing all the time: it naps in between,
// runs, or, where it waits for a handshake, looks again every millisecond.
func (q *silence) atWork(vm *silentThread) bool {
	const looks = 0.005 // of a core
	a, b := q.first().Counters, q.last().Counters
	same := a != nil && b != nil && a.Safepoints.Known && b.Safepoints.Known && a.Safepoints.Value == b.Safepoints.Value
	return vm.mostly(vm.napping+vm.running) || same && vm.share() > looks
}

func threadNames(threads []*silentThread) []string {
	var names []string
	for _, t := range threads {
		names = append(names, t.name)
	}
	return names
}

// firstFew bounds who is blamed.
func firstFew(threads []*silentThread) []*silentThread {
	const few = 5
	return threads[:min(len(threads), few)]
}

// shuttingDown is a JVM that has ended some of its own threads so that it can end itself: the thread that takes our
// signal, which may be held up at the last safepoint, and before that the thread for periodic tasks.
func shuttingDown(q *silence) *reason {
	if !q.code("timeout") || q.thread("VM Thread") == nil {
		return nil
	}
	r := &reason{
		why: "it is shutting down", confidence: finding.Likely,
		advice: "If it stays so, it waits for a thread in native code, for one of its libraries or for its " +
			"compiler. The threads that are left are below.",
	}
	switch {
	case q.process().CatchesQuit && q.thread("Signal Dispatcher") == nil: // with -Xrs there is none
		r.evidence = []string{"its Signal Dispatcher has ended, which happens after the shutdown hooks"}
	case q.hasPeriodicTask() && q.thread("VM Periodic Task Thread") == nil:
		r.evidence = []string{"its VM Periodic Task Thread has ended, which happens after the shutdown hooks"}
	default:
		return nil
	}
	return r
}

// hasPeriodicTask reports whether all JVMs of this release have a VM Periodic Task Thread.
func (q *silence) hasPeriodicTask() bool {
	release := q.process().Release
	return release > 0 && release < 26
}

func listenerHeld(q *silence) *reason {
	others := 0
	for _, m := range q.moments {
		others = max(others, m.Process.Clients)
	}
	if q.code("timeout") && q.attempt.Phase == "read" {
		others-- // one of them is ours
	}
	if !q.code("timeout") || others < 1 || q.thread("Attach Listener") == nil {
		return nil
	}
	if vm := q.thread("VM Thread"); vm != nil && (q.atWork(vm) || vm.share() > 0.5 || q.seenCollecting()) {
		return nil // it is at work, and the client may have gone since
	}
	return &reason{
		why:        "another client holds its attach listener, which serves one at a time",
		advice:     "Find it with: ss -xp | grep java_pid; end it, or wait for it.",
		confidence: finding.Likely,
		evidence:   []string{fmt.Sprintf("/proc/net/unix has %d other connections to the listener's socket", others)},
	}
}

// seenCollecting reports whether a garbage collection was under way in some sample.
func (q *silence) seenCollecting() bool {
	return slices.ContainsFunc(q.moments, func(m timeline.Observation) bool {
		return m.Counters != nil && m.Counters.Collecting != ""
	})
}

// inOperation is a JVM whose VM Thread works on and on, with all else at rest.
func inOperation(q *silence) *reason {
	vm := q.thread("VM Thread")
	if !q.code("timeout") || vm == nil || !vm.works() || vm.share() < 0.5 {
		return nil
	}
	return &reason{
		why: "its VM Thread runs an operation that stops the application", confidence: finding.Likely,
		advice: "A heap dump, a walk of the heap (jstack -l, a class histogram) or a collection takes so long; " +
			"wait longer with --timeout.",
		culprits: []*silentThread{vm}, evidence: useOf([]*silentThread{vm}),
	}
}

// starved is a JVM whose threads want a CPU and have none.
func starved(q *silence) *reason {
	var starved []*silentThread
	for _, name := range []string{"Signal Dispatcher", "Attach Listener", "VM Thread"} {
		if t := q.thread(name); t != nil && t.queues() {
			starved = append(starved, t)
		}
	}
	if len(starved) == 0 { // a safepoint waits for these
		starved = firstFew(slices.DeleteFunc(q.runners(), func(t *silentThread) bool { return !t.queues() }))
	}
	if len(starved) == 0 || !q.code("timeout") {
		return nil
	}
	return &reason{
		why: finding.QuoteName(starved[0].name) +
			" waits for a CPU and gets little or none", confidence: finding.Likely,
		advice:   "Check the machine with top, and the limits and priority of the JVM: other processes use the CPUs.",
		culprits: starved,
		evidence: []string{fmt.Sprintf("it waited %s of %s in the run queue",
			finding.Seconds(starved[0].queued().Value), finding.Seconds(starved[0].wall))},
	}
}

// unexplained says what is certain where nothing fits.
func unexplained(q *silence) *reason {
	r := &reason{
		why: "the cause is unknown: " +
			q.attempt.Message, confidence: finding.Possible, severity: finding.Warning,
		advice: "Try again with a longer --timeout. jstall doctor PID checks what an attach needs.",
	}
	if busy := q.those(func(t *silentThread) bool { return t.share() > 0.1 }); len(busy) > 0 {
		r.culprits, r.evidence = firstFew(busy), useOf(busy)
	}
	return r
}
