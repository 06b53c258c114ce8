package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/threaddump"
)

// VirtualThreads is what is known of a JVM's virtual threads, which are too many to list.
type VirtualThreads struct {
	// Count is the number of threads that have started and not ended, Mounted the number of those on a carrier. Both
	// are from one dump, which the JVM may write over some time.
	Count   int  `json:"count"`
	Mounted *int `json:"mounted,omitempty"`
	// Platform counts the Java threads of the same dump that are not virtual.
	Platform int `json:"platform"`
	// States counts by java.lang.Thread.State, "" if the dump does not show it.
	States map[string]int `json:"states"`
	// Groups are threads in one state at one stack, the largest first. Others counts the threads of the groups that are
	// left out.
	Groups []VirtualGroup `json:"groups"`
	Others int            `json:"others,omitempty"`
	// Unlisted counts the threads that no row of the report represents.
	Unlisted int `json:"unlisted,omitempty"`
}

// VirtualGroup is virtual threads with the same stack and state.
type VirtualGroup struct {
	Count int    `json:"count"`
	State string `json:"state,omitempty"`
	// Name and ID are those of one of the threads.
	Name string `json:"name"`
	ID   int64  `json:"id"`
	// WaitType is what they wait for, as Wait.Type; empty for threads that run.
	WaitType string `json:"waitType,omitempty"`
	// Frame is the innermost application frame, "Class.method". Stack is innermost first.
	Frame string   `json:"frame,omitempty"`
	Stack []string `json:"stack"`
	// StackUnknown is true if their stacks could not be read. If Stack is empty otherwise, they have not run yet.
	StackUnknown bool `json:"stackUnknown,omitempty"`
}

const (
	// mostGroups is the largest number of groups of a report.
	mostGroups = 50
	// FewVirtual is the largest number of virtual threads that a report lists one by one. If there are more, it lists
	// those that findings name.
	FewVirtual = 100
)

// NeedsConfirmation reports whether a dump that was not taken at one instant shows virtual threads in waits for locks
// or permits, or subtasks of a scope in I/O. Another dump shows whether they are stuck.
func NeedsConfirmation(d *threaddump.Dump) bool {
	s := NewSnapshot(Observation{Dump: d}, 0, NewInterner())
	locks, permits, subtasks := 0, 0, 0
	for i := range s.Samples {
		t := &s.Samples[i]
		if !t.Thread.Virtual {
			continue
		}
		switch op := t.Stack.Op.Kind; {
		case t.Wait.ForLock(), op == stack.OpLock, op == stack.OpReadLock:
			locks++
		case op == stack.OpPermit, t.Wait == stack.WaitPermit:
			permits++
		case t.isSubtaskInIO():
			subtasks++
		}
	}
	return locks > 0 || permits > 1 || subtasks > 0
}

// WithVirtualThreads is the timeline with virtual threads: that of the dumps that Java code wrote, else f itself; nil
// if no dump lists any.
func WithVirtualThreads(f *Timeline) *Timeline {
	v := f
	if f.Written != nil {
		v = f.Written
	}
	for i := range v.Last().Samples {
		if v.Last().Samples[i].Thread.Virtual {
			return v
		}
	}
	return nil
}

// ListOf returns the groups of a map, in no order.
func ListOf[K comparable](groups map[K]*VirtualGroup) []VirtualGroup {
	list := make([]VirtualGroup, 0, len(groups))
	for _, g := range groups {
		list = append(list, *g)
	}
	return list
}

// AddGroups keeps the largest groups in a total order.
func (t *VirtualThreads) AddGroups(groups []VirtualGroup) {
	order.Sort(groups, func(a, b VirtualGroup) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.ID, b.ID))
	})
	for i, g := range groups {
		if i < mostGroups {
			t.Groups = append(t.Groups, g)
		} else {
			t.Others += g.Count
		}
	}
}

// Carries reports whether a platform thread runs a virtual thread, even if the dump does not name that one.
func Carries(s *Sample) bool {
	return s.Carrier != 0 || slices.ContainsFunc(s.Stack.Frames, runsContinuation)
}

// Carried is the virtual thread that a carrier runs, from the last dump that lists virtual threads; nil if it is not
// listed there.
func Carried(f *Timeline, carrier *Sample) *Sample {
	v := WithVirtualThreads(f)
	if v == nil || carrier.Carrier == 0 {
		return nil
	}
	h := v.ByKey.Of(Key{ID: carrier.Carrier})
	if h == nil || !h.Thread.Virtual || h.LastAt() != len(v.Snaps)-1 {
		return nil
	}
	return h.Last()
}

// CarriersUnused reports whether the capture is long enough and no possible carrier used CPU in it: then no virtual
// thread made progress.
func CarriersUnused(f *Timeline) bool {
	if wall := f.Wall(); !wall.Known || wall.Value < stack.IOLeast {
		return false
	}
	return !slices.ContainsFunc(f.Alive(), func(h *History) bool {
		worker := strings.HasPrefix(h.Thread.Name, "ForkJoinPool-") && strings.Contains(h.Thread.Name, "-worker-")
		return (worker || Carries(h.Last())) && (!h.CPU.Known || h.WokeUp())
	})
}

// Mounted counts the virtual threads that are on a carrier; nil if no dump shows it. Of the dumps that Java code writes
// only JSON shows it, from JDK 25 on.
func Mounted(f *Timeline) *int {
	n := 0
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		n += finding.CountIf(!s.Thread.Virtual && s.Carrier != 0)
	}
	if n == 0 && !f.Last().Instant {
		return nil
	}
	return &n
}
