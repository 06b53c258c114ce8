// Package virtual reports which virtual threads carriers run, and what pins them.
package virtual

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Carrier is a platform thread that runs a virtual thread at the end of the capture.
type Carrier struct {
	thread *timeline.Sample // nil if the dump does not show which carrier it is
	// virtual is the thread that it runs, nil if the dump does not list it.
	virtual *timeline.Sample
	// Stack is the virtual thread's if it is known, else the carrier's.
	Stack *stack.Stack
	// SameVirtual reports whether the carrier ran the same virtual thread in all dumps. Pinned and computes report
	// whether that virtual thread was pinned, and whether it used the CPU.
	SameVirtual, Pinned, computes bool
}

// carriers are the carriers of the last dump, in its order.
func carriers(f *timeline.Timeline) []Carrier {
	var all []Carrier
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		if s.Thread.Virtual || !timeline.Carries(s) {
			continue
		}
		c := Carrier{thread: s, virtual: timeline.Carried(f, s), Stack: s.Stack}
		if c.virtual != nil && s.Stack.Application == nil {
			c.Stack = lastStack(f, c.virtual)
		}
		judge(f, &c)
		all = append(all, c)
	}
	return withUnplaced(f, all)
}

// lastStack is the stack of a mounted virtual thread from the last dump in which it could be read.
func lastStack(f *timeline.Timeline, s *timeline.Sample) *stack.Stack {
	h := timeline.WithVirtualThreads(f).History(s)
	for _, before := range slices.Backward(h.Samples) {
		if before.Carrier != s.Carrier {
			break
		}
		if len(before.Stack.Frames) > 0 {
			return before.Stack
		}
	}
	return s.Stack
}

// judge finds out what a virtual thread does on its carrier.
func judge(f *timeline.Timeline, c *Carrier) {
	h := f.History(c.thread)
	changed := func(s *timeline.Sample) bool { return s.Carrier != c.thread.Carrier }
	c.SameVirtual = c.thread.Carrier != 0 && len(h.Samples) == len(f.Snaps) && !slices.ContainsFunc(h.Samples, changed)
	switch {
	case parkedOnCarrier(c.Stack):
		c.Pinned = true
	case !c.SameVirtual || len(h.Samples) < timeline.LeastDumps || !f.Measurable():
	default:
		c.Pinned = timeline.ProgressOf(f, h) == timeline.NoProgress
		wanted := h.Wanted()
		c.computes = wanted.Known && wanted.Value >= timeline.BurningShare
	}
}

// withUnplaced adds the virtual threads that park on their carriers if the dump does not show which carrier runs which
// virtual thread.
func withUnplaced(f *timeline.Timeline, all []Carrier) []Carrier {
	var unplaced []int
	for i := range all {
		if all[i].virtual == nil && all[i].thread.Carrier == 0 {
			unplaced = append(unplaced, i)
		}
	}
	v := timeline.WithVirtualThreads(f)
	if v == nil || len(unplaced) == 0 {
		return all
	}
	for i := range v.Last().Samples {
		s := &v.Last().Samples[i]
		if s.Thread.Virtual && len(unplaced) > 0 && parkedOnCarrier(s.Stack) {
			c := &all[unplaced[0]]
			c.virtual, c.Stack, c.Pinned = s, s.Stack, true
			unplaced = unplaced[1:]
		}
	}
	return all
}

// parkedOnCarrier reports whether a virtual thread waits and could not unmount from its carrier.
func parkedOnCarrier(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames[:min(4, len(s.Frames))], func(f *threaddump.Frame) bool {
		return f.Class == "java.lang.VirtualThread" && f.Method == "parkOnCarrierThread"
	})
}

// hasIdleCarrier reports whether the scheduler has a worker that runs nothing.
func hasIdleCarrier(f *timeline.Timeline, all []Carrier) bool {
	pool := poolName(all[0].thread.Thread.Name)
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		if !s.Thread.Virtual && !timeline.Carries(s) && poolName(s.Thread.Name) == pool {
			return true
		}
	}
	return false
}

// poolName is a worker's name without its number.
func poolName(name string) string { return strings.TrimRight(name, "0123456789") }

// readyVirtual returns the virtual threads that are runnable and have no carrier.
func readyVirtual(f *timeline.Timeline, all []Carrier) []*timeline.Sample {
	v := timeline.WithVirtualThreads(f)
	if v == nil {
		return nil
	}
	on := map[int64]bool{}
	for _, c := range all {
		if c.virtual != nil {
			on[c.virtual.Thread.ID] = true
		}
	}
	var ready []*timeline.Sample
	for i := range v.Last().Samples {
		s := &v.Last().Samples[i]
		if s.Thread.Virtual && s.State == threaddump.Runnable && s.Carrier == 0 && !on[s.Thread.ID] {
			ready = append(ready, s)
		}
	}
	return ready
}

// CarrierUse lists the carriers in use, and the virtual threads that wait for one.
type CarrierUse struct {
	Pinned, Busy []Carrier
	// Ready are the virtual threads that wait for a carrier. Full reports whether no carrier is free.
	Ready []*timeline.Sample
	Full  bool
	// Crowded are all carriers if dumps taken at one instant show that each runs a virtual thread and that per carrier
	// leastReady or more virtual threads are ready, none of which ever ran. Otherwise it is empty.
	Crowded []Carrier
}

// leastReady is the number of virtual threads per carrier that must be ready for one instant to show that the scheduler
// does not keep up: far more than the requests that arrive together. Hundreds of threads that ran before may be ready
// briefly, as when many timers expire together on a busy machine.
const leastReady = 32

// NoneFree reports whether virtual threads wait for a carrier and none is free.
func (t *CarrierUse) NoneFree() bool { return t.Full && timeline.SizeOf(t.Ready) > 0 }

// TakenCarriers finds the carriers in use at the end of the capture.
func TakenCarriers(f *timeline.Timeline) CarrierUse {
	all := carriers(f)
	t := CarrierUse{Ready: readyVirtual(f, all)}
	for _, c := range all {
		switch {
		case c.Pinned:
			t.Pinned = append(t.Pinned, c)
		case c.computes:
			t.Busy = append(t.Busy, c)
		}
	}
	t.Full = takeAll(f, all, t.Pinned, t.Busy, t.Ready)
	if !f.Measurable() && len(t.Pinned) == 0 && takeAll(f, all, nil, running(all), t.Ready) &&
		timeline.SizeOf(t.Ready) >= leastReady*len(all) && !slices.ContainsFunc(t.Ready, ranBefore) {
		t.Crowded = all
	}
	return t
}

// ranBefore reports whether a virtual thread may have run before.
func ranBefore(s *timeline.Sample) bool { return len(s.Stack.Frames) > 0 || s.Unread }

// running are the carriers whose virtual thread is known.
func running(all []Carrier) []Carrier {
	return slices.DeleteFunc(slices.Clone(all), func(c Carrier) bool { return c.virtual == nil })
}

// takeAll reports whether no carrier is free: none is idle, and there are as many as cores or some virtual thread waits
// for one. The scheduler starts carriers as they are needed.
func takeAll(f *timeline.Timeline, all, pinned, busy []Carrier, ready []*timeline.Sample) bool {
	if f.Last().Cut { // a free carrier may be in the missing part
		return false
	}
	if len(all) == 0 || len(pinned)+len(busy) < len(all) || hasIdleCarrier(f, all) {
		return false
	}
	return len(ready) > 0 || f.Cores() > 0 && float64(len(all)) >= f.Cores()
}
