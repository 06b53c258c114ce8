package timeline

import (
	"cmp"
	"slices"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

// VirtualThreads is what is known of a JVM's virtual threads, which are too many to
// list.
type VirtualThreads struct {
	// Count is all that have started and not ended, Mounted those on a carrier; both
	// at one moment, which the JVM takes its time for.
	Count   int  `json:"count"`
	Mounted *int `json:"mounted,omitempty"`
	// States counts by java.lang.Thread.State, "" where the dump does not tell.
	States map[string]int `json:"states"`
	// Groups are threads in one state at one stack, the largest first; Others counts
	// the threads of the groups that are left out.
	Groups []VirtualGroup `json:"groups"`
	Others int            `json:"others,omitempty"`
}

// VirtualGroup is virtual threads that stand alike.
type VirtualGroup struct {
	Count int    `json:"count"`
	State string `json:"state,omitempty"`
	// Name and ID are of one of them.
	Name string `json:"name"`
	ID   int64  `json:"id"`
	// WaitType is what they wait for, as Wait.Type; empty for those that run.
	WaitType string `json:"waitType,omitempty"`
	// Frame is the first application frame, "Class.method"; Stack innermost first.
	Frame string   `json:"frame,omitempty"`
	Stack []string `json:"stack"`
}

const (
	// mostGroups is how many groups a report has.
	mostGroups = 50
	// FewVirtual is how many virtual threads a report lists one by one; of more only
	// those that findings name.
	FewVirtual = 100
)

// VirtualUnseen reports that there seem to be virtual threads that no dump lists.
func VirtualUnseen(f *Timeline) bool {
	return VirtualView(f) == nil && slices.ContainsFunc(f.Snaps, func(s *Snapshot) bool { return s.carriers })
}

// NeedsConfirmation reports that a dump which is no single moment shows virtual
// threads in waits for locks or permits, or subtasks of a scope in I/O: whether they are
// stuck, another dump tells.
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
		case t.IsSubtaskInIO():
			subtasks++
		}
	}
	return locks > 0 || permits > 1 || subtasks > 0
}

// Split parts the dumps that Java code wrote, thread by thread, from those that the
// JVM took in one moment, where both are there of one JVM. The former are a series
// of their own: they tell of virtual threads, and nothing of CPU.
func (s *Series) Split() (moments, written []*Snapshot) {
	for _, snap := range s.Snaps {
		if snap.Instant || len(snap.Samples) == 0 {
			moments = append(moments, snap)
		} else {
			written = append(written, snap)
		}
	}
	if len(moments) == 0 || len(written) == 0 {
		return s.Snaps, nil
	}
	last, live := moments[len(moments)-1], written[0].at.Known
	if !live && differentJVM(last, written[0]) != "" {
		return s.Snaps, nil
	}
	return moments, written
}

// VirtualView is the facts that tell of virtual threads: those from what Java code
// wrote, else f's own; nil if no dump lists any.
func VirtualView(f *Timeline) *Timeline {
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

// placeOf is the frame that stands for a thread: the application's, else a library's. For a
// carrier whose virtual thread is listed elsewhere it is the frame of that virtual thread.
func placeOf(f *Timeline, s *Sample) *threaddump.Frame {
	if s.Stack.Application != nil {
		return s.Stack.Application
	}
	if s.Carrier == 0 || s.Thread.Virtual {
		return s.Stack.Lead()
	}
	if v := ByCarried(f)[s.Carrier]; v != nil {
		return v.Stack.Application
	}
	return nil
}

// Size is how many threads a sample stands for.
func (s *Sample) Size() int { return 1 + int(s.alike) }

// SizeOf is how many threads some samples stand for.
func SizeOf(samples []*Sample) int {
	n := 0
	for _, s := range samples {
		n += s.Size()
	}
	return n
}

func ListOf[K comparable](groups map[K]*VirtualGroup) []VirtualGroup {
	list := make([]VirtualGroup, 0, len(groups))
	for _, g := range groups {
		list = append(list, *g)
	}
	return list
}

// AddGroups keeps the largest groups in a total order.
func (t *VirtualThreads) AddGroups(groups []VirtualGroup) {
	slices.SortFunc(groups, func(a, b VirtualGroup) int {
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

// Mounted counts the virtual threads that are on a carrier; nil where no dump tells.
// Of what Java code writes only JSON does, from 25 on.
func Mounted(f *Timeline) *int {
	n := 0
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		n += finding.One(!s.Thread.Virtual && s.Carrier != 0)
	}
	if n == 0 && !f.Last().Instant {
		return nil
	}
	return &n
}
