package resources

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// HolderEvidence is the evidence that a thread holds a permit or pooled object.
type HolderEvidence uint8

const (
	// NoHolder: nothing shows that the thread holds one.
	NoHolder HolderEvidence = iota
	// InIO: it makes no progress in I/O, in a class that also acquires from the pool.
	InIO
	// InTransaction: it is inside a transaction, which most likely has a connection.
	InTransaction
	// usesPooled: it is in a call on a pooled object.
	usesPooled
	// PastAcquire: it is in the method in which others wait, past the acquire.
	PastAcquire
)

// HoldersOf returns the threads that hold what others wait for, by the frames between acquire and release, and the
// strongest evidence for any of them. Transactions count only if there is no stronger evidence.
func HoldersOf(f *timeline.Timeline, at int, waiters []*timeline.Sample) ([]*timeline.Sample, HolderEvidence) {
	asking, key := locks.StacksOf(waiters), ResourceKey(waiters[0])
	known, found := map[*stack.Stack]HolderEvidence{}, map[HolderEvidence][]*timeline.Sample{}
	for i := range f.Snaps[at].Samples {
		s := &f.Snaps[at].Samples[i]
		if !IsBusy(s) || slices.Contains(waiters, s) || key != "" && ResourceKey(s) == key {
			continue
		}
		evidence, seen := known[s.Stack]
		if !seen {
			evidence = borrowed(s.Stack, asking)
			known[s.Stack] = evidence
		}
		if !betweenRounds(f, at, s, asking) {
			found[evidence] = append(found[evidence], s)
		}
	}
	sure := append(found[PastAcquire], found[usesPooled]...)
	switch {
	case len(found[PastAcquire]) > 0:
		return timeline.InNameOrder(sure), PastAcquire
	case len(sure) > 0:
		return timeline.InNameOrder(sure), usesPooled
	case len(found[InTransaction]) > 0:
		return timeline.InNameOrder(found[InTransaction]), InTransaction
	}
	return nil, NoHolder
}

// IsBusy reports whether a thread of the application has something to do.
func IsBusy(s *timeline.Sample) bool {
	return s.Thread.Role == threaddump.Application && len(s.Stack.Frames) > 0 &&
		(s.IdleRule() == nil || s.Stack.Op.Kind == stack.OpSleep)
}

// borrowed is the strongest evidence that a thread with this stack holds what the waiters wait for.
func borrowed(s *stack.Stack, asking []*stack.Stack) HolderEvidence {
	best := NoHolder
	for _, w := range asking {
		switch {
		case IsPast(s, w):
			return PastAcquire
		case usesPooledThingOf(s, w):
			best = usesPooled
		case best == NoHolder && asksForConnection(w) && inTransaction(s):
			best = InTransaction
		}
	}
	return best
}

// IsPast reports whether the stack is in a method in which a waiter acquires, past the acquire.
func IsPast(s *stack.Stack, waiter *stack.Stack) bool { return pastSite(s, waiter) >= 0 }

// pastSite is the index of that method's frame, or -1 if the stack has no such frame. The frame is past the acquire if
// it is at a later line with a call below it, or at the same line in a call that hands nothing out. For a permit that
// call may be one of the JDK, such as Thread.sleep, because a line that also acquires may hold several statements.
func pastSite(s *stack.Stack, waiter *stack.Stack) int {
	sites := acquireSites(waiter)
	for i := 1; i < len(s.Frames); i++ {
		fr, called := s.Frames[i], s.Frames[i-1]
		sameLine := !returnsResource(called) && (!stack.IsJDK(called) || leavesSemaphore(waiter, called))
		if slices.ContainsFunc(sites, func(a *threaddump.Frame) bool {
			return sameMethod(a, fr) && a.Line > 0 && (a.Line < fr.Line || a.Line == fr.Line && sameLine)
		}) {
			return i
		}
	}
	return -1
}

// leavesSemaphore reports whether a call of the JDK is none of the semaphore for whose permit the waiter waits.
func leavesSemaphore(waiter *stack.Stack, called *threaddump.Frame) bool {
	return waiter.Op.Kind == stack.OpPermit && called.Class != waiter.Op.Frame.Class
}

func sameMethod(a, b *threaddump.Frame) bool { return a.Class == b.Class && a.Method == b.Method }

// acquireSites are the frames of a waiter whose methods have acquired the resource when they continue: the one that
// acquires, and the callers of methods that only return it.
func acquireSites(s *stack.Stack) []*threaddump.Frame {
	var sites []*threaddump.Frame
	start := slices.Index(s.Frames, s.Op.Caller)
	if start < 0 {
		return nil
	}
	for _, fr := range s.Frames[start:] {
		if stack.IsJDK(fr) {
			continue
		}
		if i := slices.IndexFunc(sites, func(a *threaddump.Frame) bool { return sameMethod(a, fr) }); i < 0 {
			sites = append(sites, fr)
		} else if fr.Line > sites[i].Line {
			sites[i] = fr // overloads of one name call each other
		}
		if !returnsResource(fr) {
			break
		}
	}
	return sites
}

// returnsResource reports whether a method returns the acquired resource to its caller, by its name. For methods of
// libraries more names count, because they are known to be called on a pool.
func returnsResource(fr *threaddump.Frame) bool {
	method := strings.ToLower(fr.Method)
	begins := func(word string) bool { return strings.HasPrefix(method, word) }
	if stack.OriginOf(fr) == stack.OfLibrary {
		method = strings.TrimPrefix(strings.TrimPrefix(method, "do"), "internal")
		return slices.ContainsFunc(libraryGrantingMethods[:], begins)
	}
	return slices.ContainsFunc(LendingMethods[:], begins) || slices.ContainsFunc(grantingMethods[:], begins) ||
		slices.ContainsFunc(openingMethods[:], begins)
}

// openingMethods begin the names of the application's methods that pass on a resource, libraryGrantingMethods those of
// libraries.
var (
	openingMethods = [...]string{"open", "begin", "enter", "connection", "connect", "getclient", "getchannel",
		"newconnection", "newsession"}
	libraryGrantingMethods = [...]string{
		"access$", "acquire", "allocate", "await", "begin", "borrow", "checkout", "connect", "create", "datasource",
		"fetch", "get",
		"handler", "lease", "obtain", "open", "poll", "prelim", "start", "take", "wait",
	}
)

// betweenRounds reports whether a thread pauses, or waits for its next job, in the method that it was started with, if
// others acquire in that method. A loop has most likely returned the resource before it pauses. A thread that did not
// move over several dumps still holds it.
func betweenRounds(f *timeline.Timeline, at int, s *timeline.Sample, asking []*stack.Stack) bool {
	switch s.Stack.Op.Kind {
	case stack.OpSleep, stack.OpTake, stack.OpNotify, stack.OpCondition, stack.OpPark:
	default:
		return false
	}
	site := s.Stack.Op.Caller
	if site == nil || site != s.Stack.OutermostProgram() || !slices.ContainsFunc(asking, func(w *stack.Stack) bool {
		i := pastSite(s.Stack, w)
		return i >= 0 && s.Stack.Frames[i] == site
	}) {
		return false
	}
	return locks.OneMoment(f) || locks.SleepsRepeatedly(f, at, s) || !f.IsUnchanged(f.History(s))
}

// NameThreads names threads; more than three of one pool are given by their number and the name of the pool.
func NameThreads(threads []*timeline.Sample) string {
	const named = 3
	pool := stack.PoolName(threads[0].Thread.Name)
	other := func(s *timeline.Sample) bool { return stack.PoolName(s.Thread.Name) != pool }
	if len(threads) <= named || pool == "" || slices.ContainsFunc(threads, other) {
		return timeline.QuoteThreads(threads)
	}
	return fmt.Sprintf("%s × %s", finding.Thousands(len(threads)), finding.QuoteName(pool))
}
