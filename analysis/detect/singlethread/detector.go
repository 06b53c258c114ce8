// Package singlethread finds blocked event loops and other threads that alone serve others.
package singlethread

import (
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/facts/iowaits"
	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/facts/loops"
	"github.com/jstall/jstall/analysis/facts/pools"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

// Detector reports blocked threads that alone serve others, as event loops and dispatchers do.
var Detector = detect.Detector{
	Kind: finding.KindSingleThreadBlocked,
	Doc:  "blocked threads that alone serve others, as event loops and dispatchers do",
	Run:  run,
}

// run reports blocked threads that others depend on: event loops, timers, schedulers with one worker, the JVM's
// finalizer, cleaner and reference handler, listeners, loaders of a cache and shutdown hooks.
//
// Rule: the loop at the bottom of the thread's stack shows its purpose, and above it the thread was in code of the
// application through the capture, without CPU. Event loops and the finalizer must never block: a warning. A timer or
// scheduler may have one long job: a hint, unless it waits for a lock, others wait for its results, or a repeated task
// was not woken once. One dump is a hint, or a warning if an event loop waits without a time limit (see loopIsBlocked).
// A loop that checks for something in one call for ten seconds is a hint. A thread that a watchdog reported is a
// warning (see stuckThreads). Unread requests while no thread waits for the network are a hint (see unreadRequests).
func run(f *facts.Facts) []finding.Candidate {
	var found []finding.Candidate
	for _, group := range blockedLoops(f.Loops) {
		found = append(found, blockedLoop(f, group))
	}
	found = append(found, stuckThreads(f)...)
	found = append(found, unreadRequests(f)...)
	return append(found, blockedShutdown(f)...)
}

// blockedLoops returns the loops that are blocked in the application's code, grouped by kind and stack.
func blockedLoops(f *loops.Loops) [][]loops.Loop {
	var groups [][]loops.Loop
	for _, l := range f.Serving() {
		s := l.Last()
		if s.Stack.Application == nil || s.IdleRule() != nil || s.Wait == stack.Running && len(f.Timeline.Snaps) < 2 {
			continue
		}
		if len(f.Timeline.Snaps) > 1 && !f.Timeline.IsUnchanged(l.History) && !pollsInOneCall(f.Timeline, l) ||
			stuckWords(f.Timeline, l.History) != "" {
			continue
		}
		at := slices.IndexFunc(groups, func(g []loops.Loop) bool {
			return g[0].Last().Stack == s.Stack && g[0].Serves == l.Serves
		})
		if at < 0 {
			groups = append(groups, []loops.Loop{l})
		} else {
			groups[at] = append(groups[at], l)
		}
	}
	return groups
}

// pollLeast is how long an event loop must check again and again in one call before it is reported: an event is handled
// much sooner.
const pollLeast = 10 * time.Second

// pollsInOneCall reports whether an event loop is in one call of the program from the first dump to the last and checks
// there for something, with short pauses: it uses CPU, and handles no other event.
func pollsInOneCall(f *timeline.Timeline, l loops.Loop) bool {
	wall := f.Wall()
	if l.Kind != stack.RootEvents || l.Only || len(l.Samples) < len(f.Snaps) || !wall.Known || wall.Value < pollLeast {
		return false
	}
	return !slices.ContainsFunc(l.Samples, func(s *timeline.Sample) bool {
		return s.Stack != l.Last().Stack || !s.Timed() || !s.Waits()
	})
}

// dependentsOf returns the threads that wait for the work of these threads of a loop.
func dependentsOf(f *facts.Facts, first loops.Loop, threads []*timeline.History) []*timeline.History {
	dependents := loops.WaitersOn(f.Timeline, threads)
	add := func(h *timeline.History) {
		if !slices.Contains(dependents, h) {
			dependents = append(dependents, h)
		}
	}
	for _, h := range f.IOWaits.LoadsFor(first.History) {
		add(h)
	}
	for _, s := range first.Waiting {
		add(f.Timeline.History(s))
	}
	return dependents
}

func blockedLoop(f *facts.Facts, group []loops.Loop) finding.Candidate {
	first := group[0]
	var threads []*timeline.History
	for _, l := range group {
		threads = append(threads, l.History)
	}
	dependents := dependentsOf(f, first, threads)
	owner := loops.LastOwner(f.Locks, first.Last())
	dependents = slices.DeleteFunc(dependents, func(h *timeline.History) bool {
		return h.Last() == owner || f.Objects.WaitsForOther(f.Timeline, h, first.History)
	})
	c := finding.Candidate{Finding: finding.Finding{
		Severity: finding.Warning, Confidence: finding.Likely,
		Title: blockedTitle(f, group, owner), Advice: loopAdvice(f.IOWaits, first),
		Culprits: f.Timeline.Refs(pools.LastSamples(threads)), Victims: f.Timeline.Refs(pools.LastSamples(dependents)),
		Evidence: f.Timeline.PlaceEvidence(first.History),
	}}
	if owner != nil {
		c.Culprits = append(c.Culprits, f.Timeline.Ref(owner))
		c.Evidence = append(c.Evidence, f.Timeline.QuoteLock(first.LastAt(), first.Last().WaitsOn()))
	}
	longTask := (first.Kind == stack.RootPool || first.Kind == stack.RootTimer) &&
		!holdsUp(f.Timeline, first, dependents)
	if longTask ||
		!pools.LongEnough(f.Timeline) && (!loopIsBlocked(first, owner) || loops.MayBringResult(f.Pools, first.Last())) {
		c.Severity, c.Confidence = finding.Info, finding.Possible
	}
	if len(f.Timeline.Snaps) > 1 && !f.Timeline.IsUnchanged(first.History) {
		c.Severity, c.Confidence = finding.Info, finding.Possible
		c.Title += " again and again, in one call"
	}
	addPending(f, first, &c)
	c.Behind = c.ExplainsSaturation()
	return c
}

// loopIsBlocked reports whether one dump proves that an event loop is blocked: the loop is on the stack, and the
// program that it called waits without a time limit. If it waits for a lock, the owner must do so too.
func loopIsBlocked(l loops.Loop, owner *timeline.Sample) bool {
	s := l.Last()
	root := s.Stack.Root
	if root == nil || root.Kind != stack.RootEvents || s.Timed() || s.Stack.IsInside(blockingLoop, "run") {
		return false
	}
	connections := strings.HasSuffix(root.Serves, "connections")
	switch {
	case !connections && root.Serves != windowEvents:
		return false
	case s.Wait.ForLock():
		return owner != nil && locks.LimitOf(owner) == locks.ByOthers
	case s.Wait == stack.WaitIO:
		return connections && s.Stack.Op.Kind == stack.OpRead && locks.LimitOfIO(s) == locks.ByOthers
	}
	return s.Waits() && locks.LimitOf(s) == locks.ByOthers
}

const (
	// windowEvents is the purpose of the thread of a user interface: AWT, JavaFX or SWT.
	windowEvents = "handles all events of the windows"
	// blockingLoop is Netty's executor for handlers that may block.
	blockingLoop = "io.netty.util.concurrent.DefaultEventExecutor"
)

// holdsUp reports whether a timer's or scheduler's task is more than a long one.
func holdsUp(f *timeline.Timeline, l loops.Loop, dependents []*timeline.History) bool {
	s := l.Last()
	again := l.Kind == stack.RootTimer || s.Stack.IsInside(stack.JUC+"FutureTask", "runAndReset")
	if s.Stack.Op.Kind == stack.OpSleep && f.Woke(l.History) {
		return false // it makes progress, with pauses
	}
	return slices.ContainsFunc(dependents, wantsTask) || s.Wait.ForLock() ||
		again && pools.NeverWoken(f, []*timeline.History{l.History}) && !iowaits.ReadEnds(f, l.History)
}

// wantsTask reports whether a task usually ends the wait, and not input from outside.
func wantsTask(h *timeline.History) bool {
	switch h.Last().Stack.Op.Kind {
	case stack.OpResult, stack.OpLatch, stack.OpBarrier:
		return true
	}
	return false
}
