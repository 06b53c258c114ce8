package unanswered

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/jvmthread"
	"github.com/jstall/jstall/threaddump"
)

// Thread is a thread as the kernel alone knows it, over the moments.
type Thread struct {
	NativeID int64
	Name     string
	// Kind is "java" or "vm".
	Kind string
	Role threaddump.Role
	// First and Last are its first moment and its last, Wall the time between the two.
	First, Last timeline.Task
	Wall        time.Duration
	// Seen counts its moments: Running those on a CPU or waiting for one, Stuck those in a wait for a device or file
	// system, Napping those in a sleep for a short time.
	Seen, Running, Stuck, Napping int
	// Channel is the kernel function of the last moment that counts as Stuck; empty if there is none.
	Channel string
}

func (t *Thread) add(task timeline.Task) {
	t.Last = task
	t.Seen++
	switch task.State {
	case "R":
		t.Running++
	case "D":
		t.Stuck++
		t.Channel = cmp.Or(task.WaitChannel, t.Channel)
	case "S":
		if strings.Contains(task.WaitChannel, "nanosleep") || strings.Contains(task.WaitChannel, "yield") {
			t.Napping++
		}
		if slices.Contains(pageFaultWaits[:], task.WaitChannel) {
			t.Stuck++
			t.Channel = task.WaitChannel
		}
	}
}

// pageFaultWaits are where the kernel waits in state S for the server of a page: a file system in user space, a handler
// of page faults.
var pageFaultWaits = [...]string{"request_wait_answer", "handle_userfault"}

// leastWall is the shortest time over which CPU is reported.
const leastWall = 50 * time.Millisecond

// Measurable reports whether the moments of the thread are far enough apart for figures of its CPU.
func (t *Thread) Measurable() bool { return t.Wall >= leastWall }

// CPU is what the thread used over the moments; unknown for a single one.
func (t *Thread) CPU() timeline.Opt[time.Duration] {
	return timeline.Opt[time.Duration]{Value: t.Last.CPU - t.First.CPU, Known: t.Measurable() &&
		t.Last.CPU >= t.First.CPU}
}

// RunQueue is how long it was runnable and waited for a CPU. The kernel records a wait when it ends, and the wait may
// have begun before the first moment.
func (t *Thread) RunQueue() timeline.Opt[time.Duration] {
	a, b := t.First.RunQueue, t.Last.RunQueue
	return timeline.Opt[time.Duration]{Value: min(b.Value-a.Value, t.Wall), Known: t.Measurable() && a.Known &&
		b.Known && b.Value >= a.Value}
}

// WaitsForCPU reports whether the thread waited for a CPU for more than half of the time.
func (t *Thread) WaitsForCPU() bool {
	q := t.RunQueue()
	return q.Known && t.Wall > 0 && float64(q.Value) > 0.5*float64(t.Wall)
}

// LacksCPU reports whether the thread waited for a CPU for more than half of the time and used so little that it may
// not have reached the next safepoint poll of any code that has polls.
func (t *Thread) LacksCPU() bool {
	const enough = 200 * time.Millisecond
	cpu := t.CPU()
	return t.WaitsForCPU() && (!cpu.Known || cpu.Value < enough)
}

// Share is its CPU as a share of a core, 0 where it is unknown.
func (t *Thread) Share() float64 {
	if cpu := t.CPU(); cpu.Known {
		return float64(cpu.Value) / float64(t.Wall)
	}
	return 0
}

// Mostly reports whether a count of moments is more than half of them.
func (t *Thread) Mostly(count int) bool { return 2*count > t.Seen }

// Works reports whether the thread was on a CPU, or waited for one, at every moment.
func (t *Thread) Works() bool { return t.Running == t.Seen && t.Seen > 1 }

// HasName reports whether the kernel's name of the thread may be that of a thread whose name begins so.
func (t *Thread) HasName(begin string) bool { return jvmthread.Begins(t.Name, begin) }

// Ref names the thread in a finding.
func (t *Thread) Ref() finding.ThreadRef {
	r := finding.ThreadRef{Name: t.Name, NativeID: t.NativeID}
	if cpu := t.CPU(); cpu.Known {
		r.CPUPercent = finding.Rounded(t.Share()*100, 10)
	}
	return r
}
