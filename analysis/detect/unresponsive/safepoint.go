package unresponsive

import (
	"fmt"
	"slices"

	"github.com/jstall/jstall/analysis/facts/unanswered"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// runners are the threads of Java code that were on a CPU, or waited for one, at every moment.
func runners(u *unanswered.JVM) []*unanswered.Thread {
	return u.BusiestWhere(func(t *unanswered.Thread) bool {
		return t.Works() && (t.Role == threaddump.Application || t.Role == threaddump.JVM)
	})
}

// awaitsSafepoint is a JVM whose VM Thread waits for threads to stop: it sleeps between its checks of them, and one of
// them runs.
func awaitsSafepoint(u *unanswered.JVM) *reason {
	vm := u.Named("VM Thread")
	runners := slices.DeleteFunc(runners(u), (*unanswered.Thread).LacksCPU)
	if !u.HasCode("timeout") || vm == nil || len(runners) == 0 || !atWork(u, vm) {
		return nil
	}
	if a, b := u.First().Counters, u.Last().Counters; a != nil && b != nil && growth(a.Safepoints, b.Safepoints) > 1 {
		return nil // it comes to safepoints all the time
	}
	r := &reason{
		why:        "it waits for a safepoint that " + finding.QuoteName(runners[0].Name) + " does not reach",
		advice:     pollsAdvice(u.Last().Counters),
		confidence: finding.Likely,
		culprits:   firstFew(runners),
		evidence: []string{fmt.Sprintf("\"VM Thread\" only checks whether all threads have stopped (%s), while %s "+
			"runs in all %d samples, %s of a core",
			betweenChecks(vm), finding.QuoteName(runners[0].Name), vm.Seen, finding.Percent(runners[0].Share()))},
	}
	if vm.Napping == 0 && vm.Share() > 0.6 {
		r.confidence = finding.Possible // it may as well work, while the other one is in native code
	}
	if len(runners) > 1 {
		r.why = fmt.Sprintf("it waits for a safepoint, while %s threads run: %s", finding.Thousands(len(runners)),
			finding.QuoteNames(threadNames(runners)))
		r.confidence = finding.Possible
	}
	return r
}

// betweenChecks is what a VM Thread does between its checks of the other threads.
func betweenChecks(t *unanswered.Thread) string {
	if t.Napping > 0 {
		return fmt.Sprintf("asleep for a moment in between, in %d of %d samples", t.Napping, t.Seen)
	}
	return finding.Percent(t.Share()) + " of a core"
}

// pollsAdvice is how to get safepoint polls into the loops of a thread. Since JDK 10 the option is on by default with
// all collectors but two.
func pollsAdvice(c *timeline.Counters) string {
	option := "start the JVM with -XX:+UseCountedLoopSafepoints"
	if c != nil && (c.Collector == "Parallel" || c.Collector == "Serial") {
		option += ", which the " + c.Collector + " collector is without unless it is asked for"
	}
	return "The thread runs a loop without safepoint polls: " + option +
		"; or make the loop's counter a long, or call a method in it. " +
		"-XX:+SafepointTimeout names it in the JVM's own log."
}

// atWork reports whether the VM Thread does one operation all the time: it sleeps in between, runs, or, where it waits
// for a handshake, checks every millisecond.
func atWork(u *unanswered.JVM, vm *unanswered.Thread) bool {
	const checks = 0.005 // of a core
	a, b := u.First().Counters, u.Last().Counters
	same := a != nil && b != nil && a.Safepoints.Known && b.Safepoints.Known && a.Safepoints.Value == b.Safepoints.Value
	return vm.Mostly(vm.Napping+vm.Running) || same && vm.Share() > checks
}

func threadNames(threads []*unanswered.Thread) []string {
	var names []string
	for _, t := range threads {
		names = append(names, t.Name)
	}
	return names
}
