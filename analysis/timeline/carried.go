package timeline

import (
	"slices"

	"github.com/jstall/jstall/threaddump"
)

// parted are the threads of a dump that lists its virtual threads, with each frame and lock at one thread only: what a
// virtual thread does on its carrier belongs to the virtual thread.
type parted struct {
	threads []*threaddump.Thread
	// mounted are the carriers with the virtual thread's frames on top, as HotSpot prints them from JDK 25 on, by their
	// index in threads. Findings about CPU time use them, because only the carrier has CPU time.
	mounted map[int]*threaddump.Thread
}

// partCarried separates the carriers of a dump from the virtual threads that they run. The dump does not change. A
// virtual thread that runs on the same carrier in the dump and when the memory was read has the frames of the dump,
// which were taken at the same time as the other threads. A virtual thread that waits there keeps its own frames.
func partCarried(d *threaddump.Dump) parted {
	p := parted{threads: d.Threads}
	if !d.VirtualListed {
		return p
	}
	carriers := carriersOf(d)
	if len(carriers) == 0 {
		return p
	}
	p.threads, p.mounted = slices.Clone(d.Threads), map[int]*threaddump.Thread{}
	for _, c := range carriers {
		p.part(c.carrier, c.virtual)
	}
	return p
}

// carries are the indexes of a carrier and its virtual thread in a dump.
type carries struct{ carrier, virtual int }

// carriersOf returns the carriers whose virtual thread is listed. In a dump that was read from memory, the virtual
// thread names its carrier and not the reverse.
func carriersOf(d *threaddump.Dump) []carries {
	// Indexes of carriers, by the ids of their virtual threads and by their own.
	named, unnamed := map[int64]int{}, map[int64]int{}
	for i, t := range d.Threads {
		switch {
		case t.Virtual:
		case t.Carrying != 0:
			named[t.Carrying] = i
		case slices.ContainsFunc(t.Stack, runsContinuation):
			unnamed[t.ID] = i
		}
	}
	var found []carries
	for i, t := range d.Threads {
		if !t.Virtual {
			continue
		}
		if at, is := named[t.ID]; is {
			found = append(found, carries{at, i})
		} else if at, is := unnamed[t.Carrier]; is && t.Carrier != 0 {
			found = append(found, carries{at, i})
		}
	}
	return found
}

// runsContinuation reports whether a carrier runs a virtual thread in the frame.
func runsContinuation(f *threaddump.Frame) bool {
	return f.Class == "java.lang.VirtualThread" && f.Method == "runContinuation"
}

func (p *parted) part(carrier, virtual int) {
	c, v := p.threads[carrier], p.threads[virtual]
	alone, whole := *c, *c
	alone.Carrying, alone.MountedStack, alone.MountedLocks = v.ID, nil, nil
	whole.Carrying, whole.MountedLocks = v.ID, nil
	waits, others := partWaits(c.Locks)
	alone.Locks, whole.Locks = others, others
	stays := v.Carrier == c.ID
	switch {
	case !stays:
	case len(c.MountedStack) == 0:
		whole.MountedStack = v.Stack
		if len(waits) > 0 && len(v.Stack) > 0 {
			p.threads[virtual] = waitingFor(v, waits[0])
		}
	case len(v.Stack) == 0 || v.State == threaddump.Runnable:
		p.threads[virtual] = shownBy(c, v)
	}
	p.threads[carrier] = &alone
	if len(whole.MountedStack) > 0 {
		p.mounted[carrier] = &whole
	}
}

// partWaits separates the waits among the lock lines below a carrier's own frames. HotSpot prints them there up to JDK
// 24 although the virtual thread waits: a carrier does not wait while it runs a virtual thread.
func partWaits(locks []threaddump.Lock) (waits, others []threaddump.Lock) {
	for _, l := range locks {
		switch l.Op {
		case threaddump.WaitingForClassInit, threaddump.WaitingToLock, threaddump.WaitingOn, threaddump.WaitingToRelock:
			waits = append(waits, l)
		default:
			others = append(others, l)
		}
	}
	return waits, others
}

// waitingFor adds the wait of its carrier to a virtual thread, unless the thread is known to wait for something.
func waitingFor(v *threaddump.Thread, wait threaddump.Lock) *threaddump.Thread {
	known := func(l threaddump.Lock) bool { return l.Op == threaddump.Parking || l.Op == wait.Op }
	if slices.ContainsFunc(v.Locks, known) || v.State != threaddump.Runnable && v.State != threaddump.Blocked {
		return v
	}
	waits := *v
	wait.Depth = 0
	waits.Locks = append([]threaddump.Lock{wait}, v.Locks...)
	return &waits
}

// shownBy is a virtual thread as the dump shows it on its carrier.
func shownBy(c, v *threaddump.Thread) *threaddump.Thread {
	shown := *v
	shown.Stack, shown.StackLine, shown.Unread, shown.Cut = c.MountedStack, 0, "", false
	shown.State, shown.Locks = threaddump.Runnable, slices.Clone(c.MountedLocks)
	for i := range shown.Locks {
		l := &shown.Locks[i]
		switch l.Op {
		case threaddump.WaitingToLock:
			shown.State = threaddump.Blocked
		case threaddump.Parking, threaddump.WaitingOn, threaddump.WaitingToRelock:
			shown.State = threaddump.Waiting
		}
	}
	for _, l := range v.Locks {
		at := slices.IndexFunc(shown.Locks, func(s threaddump.Lock) bool { return s.Address == l.Address })
		switch {
		case at < 0 && l.Depth < 0:
			shown.Locks = append(shown.Locks, l)
		case at >= 0 && shown.Locks[at].Op == l.Op:
			shown.Locks[at].Owner = l.Owner
		}
	}
	return &shown
}
