// Package missedsignal finds threads that wait for a signal of an unknown thread.
package missedsignal

import (
	"cmp"
	"slices"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/threaddump"
)

// Detector reports threads of the application that wait without a limit and that no other finding names.
var Detector = detect.Detector{
	Kind:    finding.KindMissedSignal,
	Doc:     "threads of the application that wait without a limit and that no other finding names",
	RunLast: func(f *facts.Facts, found []finding.Candidate) []finding.Candidate { return run(f.Locks, found) },
}

// run reports threads with work in hand that wait for a signal, and that no other finding names. It is a hint, because
// no dump shows which thread should give the signal.
//
// Rule: threads of the application wait without a time limit for a latch, a barrier, a partner, a result, a condition,
// a notify or an unpark, in a method called by the one that their thread or task was started with (see isMidway), or
// while another thread is known to wait for them. Virtual threads also count if they wait for an item of a queue that
// no other thread takes from. All dumps must show them in the same place. Idle threads do not count, nor do threads
// that wait for their next item, for the end of the program or for a known thread. Threads that wait for one object are
// one finding, and so are those that wait in one method for different objects. If a library waits, at least two threads
// must wait in the same call of it from the same method of the application (see waitsInLibrary). Threads that wait to
// put and threads that wait to take at one object show a lost signal (see bothSides).
//
// In one dump a thread at a barrier does not count while another thread runs below the method that waits: it may be on
// its way to the barrier.
//
// From: transactions of Ignite that wait for each other's keys, each in IgniteCache.put.
func run(l *locks.Locks, reported []finding.Candidate) []finding.Candidate {
	f := l.Timeline
	waiters := signalWaiters(f)
	if v := f.Written; v != nil && timeline.CarriersUnused(f) {
		for _, s := range signalWaiters(v) {
			if s.Thread.Virtual {
				waiters = append(waiters, s)
			}
		}
	}
	reported = slices.DeleteFunc(slices.Clone(reported), func(c finding.Candidate) bool {
		return isPinnedOnly(&c.Finding)
	})
	known, awaiting := finding.NamedIn(reported), l.Awaiting()
	for _, w := range awaiting {
		known[w.Waiter.Thread.FindingID()] = true
	}
	found := bothSides(f)
	for id := range finding.NamedIn(found) {
		known[id] = true
	}
	waiters = slices.DeleteFunc(waiters, func(s *timeline.Sample) bool {
		return known[s.Thread.FindingID()] || l.Objects.Released(f.History(s)) || meetsPeers(f, s)
	})
	for _, g := range bySignal(waiters) {
		if victims := behind(awaiting, g); !sharesQueue(g) && (len(victims) > 0 || showsMiss(g)) {
			found = append(found, missedSignal(l, g, victims))
		}
	}
	return found
}

// showsMiss reports whether threads that wait for one signal are, by where they wait, no threads that wait for work.
func showsMiss(g []*timeline.Sample) bool {
	if inLibrary(g[0]) {
		return timeline.SizeOf(g) > 1
	}
	return slices.ContainsFunc(g, isMidway) || meetOnce(g)
}

// signalWaiters returns the threads of the last dump that have work in hand and wait for a signal.
func signalWaiters(f *timeline.Timeline) []*timeline.Sample {
	var waiters []*timeline.Sample
	tasks := lambdaTasks(f)
	for _, h := range f.Alive() {
		s := h.Last()
		if s.Thread.Role == threaddump.Application && (waitsForSignal(s) || waitsInLibrary(f, s)) &&
			s.IdleRule() == nil &&
			f.Unchanged(h).Dumps == len(f.Snaps) && !runsOwnTask(s, tasks) {
			waiters = append(waiters, s)
		}
	}
	return waiters
}

// bySignal groups threads by the object that several of them wait for, else by the method that waits. Threads that wait
// in a library are grouped by the library's method and its caller.
func bySignal(waiters []*timeline.Sample) [][]*timeline.Sample {
	at := map[string]int{}
	for _, s := range waiters {
		at[s.Object()]++
	}
	groups := map[string][]*timeline.Sample{}
	for _, s := range timeline.InNameOrder(waiters) {
		key := s.Object()
		switch {
		case inLibrary(s):
			key = libraryCall(s)
		case at[key] < 2:
			key = s.Stack.Op.Caller.Name()
		}
		groups[key] = append(groups[key], s)
	}
	ordered := make([][]*timeline.Sample, 0, len(groups))
	for _, g := range groups {
		ordered = append(ordered, g)
	}
	order.Sort(ordered, func(a, b []*timeline.Sample) int {
		return cmp.Or(cmp.Compare(a[0].Thread.Name, b[0].Thread.Name), cmp.Compare(a[0].Thread.ID, b[0].Thread.ID))
	})
	return ordered
}

func missedSignal(l *locks.Locks, waiters, behind []*timeline.Sample) finding.Candidate {
	view, first := l.Timeline, waiters[0]
	if first.Thread.Virtual && l.Timeline.Written != nil {
		view = l.Timeline.Written
	}
	return finding.Candidate{Finding: finding.Finding{
		Kind: finding.KindMissedSignal, Severity: finding.Info, Confidence: finding.Possible,
		Title: title(l, waiters), Advice: adviceFor(waiters, tasksOf(view, waiters)),
		Culprits: view.Refs(waiters), Victims: l.Timeline.Refs(behind),
		Resource: facts.WaitedResource(first.Stack.Op.Kind.Awaited(), first),
		Evidence: view.WaitEvidence(len(view.Snaps)-1, waiters),
	}, Unlisted: timeline.SizeOf(waiters) - len(waiters), Behind: keepsCarriers(waiters)}
}

// isPinnedOnly reports whether a finding is about pinned carriers while other carriers are free. Such a finding is an
// effect of the wait, not its cause.
func isPinnedOnly(f *finding.Finding) bool {
	return f.Kind == finding.KindVirtualThreadPinned && f.Severity == finding.Info
}

// keepsCarriers returns a function that reports whether a finding is only about carriers that these threads pin.
func keepsCarriers(waiters []*timeline.Sample) func(effect *finding.Finding) bool {
	ids := map[finding.ThreadID]bool{}
	for _, s := range waiters {
		ids[s.Thread.FindingID()] = true
	}
	return func(effect *finding.Finding) bool {
		return isPinnedOnly(effect) && finding.AllAmong(effect.Culprits, ids)
	}
}
