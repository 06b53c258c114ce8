package capture

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"jstall/attach"
	"jstall/internal/kernel"
)

const (
	// longStandstill is how long the VM thread must work without a rest for a standstill: an answer that comes
	// after it is not near.
	longStandstill = 300 * time.Millisecond
	// standstillPoll is how often it is looked at meanwhile.
	standstillPoll = 10 * time.Millisecond
	// longCollection is how long a collection is waited for before the memory is read instead.
	longCollection = time.Second
	// firstThreads is among how many threads the VM thread is looked for: only main and the collector's
	// workers start before it.
	firstThreads = 300
)

// standstill is why the JVM is not asked now: it waits for a safepoint, or works at one, and what it is sent
// stays with it unanswered. It is nil where the JVM can be asked, where that cannot be told, and where
// nothing but asking is left. A JVM whose VM thread rests costs one look at that thread.
func (l *Live) standstill(ctx context.Context) error {
	if l.Via != ViaAuto {
		return nil
	}
	tid := l.vmThreadID()
	if tid == 0 {
		return nil
	}
	begin := time.Now()
	first, works := l.vmThreadNow(tid)
	if !works {
		return nil
	}
	last, naps := first, 0
	for time.Since(begin) < longStandstill {
		if !pause(ctx, standstillPoll) {
			return nil
		}
		if last, works = l.vmThreadNow(tid); !works || l.inGC() {
			return nil // collections are waited for by holdDuringGC
		}
		if isNap(last) {
			naps++
		}
	}
	took := time.Since(begin)
	busy := naps > 0 || last.CPU-first.CPU > took/2 // else it only has no CPU
	if !busy || !l.mayReadMemory(ctx) {
		return nil
	}
	return &attach.Error{
		Phase: attach.PhaseCheck, PID: l.Process.PID, Code: attach.CodeTimeout, At: time.Now(), Sent: slices.Clone(l.sent),
		Cause:  fmt.Sprintf("not asked: its VM thread has been at or waiting for a safepoint for %d ms", took.Milliseconds()),
		Remedy: "ask it nevertheless with --via attach --timeout 30s",
	}
}

// vmThreadID is the VM thread's id in our pid namespace, 0 if it is not found.
func (l *Live) vmThreadID() int {
	tids, err := l.Kernel.TIDs(l.Process.PID)
	if err != nil {
		return 0
	}
	slices.Sort(tids)
	tids = tids[:min(len(tids), firstThreads)]
	tasks, err := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{Comm: true, Only: notNil(tids)})
	if err != nil {
		return 0
	}
	for tid, t := range tasks {
		if t.Comm == vmThread {
			return tid
		}
	}
	return 0
}

// vmThreadNow is what the VM thread does, and whether that is work: it runs, or naps between two checks
// whether all threads have stopped. Without work it waits for some.
func (l *Live) vmThreadNow(tid int) (task kernel.Task, works bool) {
	options := kernel.TaskOptions{CPU: true, State: true, WaitChannel: true, Only: []int{tid}}
	tasks, err := l.Kernel.Tasks(l.Process.PID, options)
	if err != nil {
		return task, false
	}
	task = tasks[tid]
	return task, task.State == "R" || isNap(task)
}

func isNap(t kernel.Task) bool { return t.State == "S" && strings.Contains(t.WaitChannel, "nanosleep") }

// pause waits; it is false once ctx is done.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
