package capture

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/source"
)

const (
	// longStandstill is how long the VM thread must work without a rest for a standstill: an answer that comes
	// after it is not near.
	longStandstill = 300 * time.Millisecond
	// standstillPoll is how often it is looked at meanwhile.
	standstillPoll = 10 * time.Millisecond
	// firstLook is how long an answer is waited for before the VM thread is looked at: most JVMs answer sooner.
	firstLook = 80 * time.Millisecond
	// firstThreads is among how many threads the VM thread is looked for: only main and the collector's
	// workers start before it.
	firstThreads = 300
)

// standstill is why the JVM is not asked now: it waits for a safepoint, or works at one, and what it is sent
// stays with it unanswered. It is nil where the JVM can be asked, where that cannot be told, and where
// nothing but asking is left. A JVM whose VM thread rests costs a look or two at that thread.
func (l *Live) standstill(ctx context.Context) error {
	if l.Via != source.ViaAuto {
		return nil
	}
	if err := l.heapFull(ctx); err != nil {
		return err
	}
	tid := l.vmThreadID()
	if tid == 0 {
		return nil
	}
	v := vmWork{live: l, tid: tid}
	begin := time.Now()
	rests := func() bool { return v.rests() || l.inGC() } // collections are waited for by holdDuringGC
	if neverWithin(ctx, longStandstill, rests) != nil || !v.isOneSafepoint() || !l.mayReadMemory(ctx) {
		return nil
	}
	return &attach.Error{
		Phase: attach.PhaseCheck, PID: l.Process.PID, Code: attach.CodeTimeout,
		At: time.Now(), Sent: slices.Clone(l.sent),
		Cause: fmt.Sprintf("not asked: its VM thread has been at or waiting for a safepoint for %d ms",
			time.Since(begin).Milliseconds()),
		Remedy: "to attach anyway: --via attach --timeout 30s",
	}
}

const (
	// fullShare is the share of the old generation in use from which the JVM may fail to start its attach listener: it
	// makes a java.lang.Thread for it, and logs an OutOfMemoryError if it cannot.
	fullShare = 0.97
	// listenerThread is the name of the thread that answers.
	listenerThread = "Attach Listener"
)

// heapFull is why a JVM whose heap is full, and that has no attach listener yet, is not asked where its memory may be
// read.
func (l *Live) heapFull(ctx context.Context) error {
	data, err := jvm.ParsePerfData(l.counters().Bytes)
	if err != nil {
		return nil
	}
	old := data.OldGeneration()
	full := old.Used.Known && old.Max.Known && float64(old.Used.Value) >= fullShare*float64(old.Max.Value)
	if !full || l.listens() || !l.mayReadMemory(ctx) {
		return nil
	}
	const mb = 1 << 20
	return &attach.Error{
		Phase: attach.PhaseCheck, PID: l.Process.PID, Code: attach.CodeHeapFull,
		At: time.Now(), Sent: slices.Clone(l.sent),
		Cause: fmt.Sprintf("its old generation is full (%d of %d MB), and starting its attach listener takes heap",
			old.Used.Value/mb, old.Max.Value/mb),
		Remedy: "to attach nevertheless: --via attach",
	}
}

// listens reports whether the JVM has started its attach listener.
func (l *Live) listens() bool {
	tasks, err := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{Comm: true})
	if err != nil {
		return true
	}
	for _, t := range tasks {
		if t.Comm == listenerThread {
			return true
		}
	}
	return false
}

var errRests = errors.New("it rests")

// neverWithin looks for so long whether something happens, and returns nil if it does not.
func neverWithin(ctx context.Context, long time.Duration, happens func() bool) error {
	for begin := time.Now(); time.Since(begin) < long; {
		if happens() {
			return errRests
		}
		if !pause(ctx, standstillPoll) {
			return ctx.Err()
		}
	}
	return nil
}

// noAnswerNear is true once a JVM that was asked has been at one safepoint or in collections, or has waited for a
// safepoint, for so long that its memory tells more, and sooner. It is false if the JVM rests meanwhile.
func (l *Live) noAnswerNear(ctx context.Context) bool {
	if l.Via != source.ViaAuto || !pause(ctx, firstLook) {
		return false
	}
	v := vmWork{live: l, tid: l.vmThreadID()}
	collected := false
	rests := func() bool {
		data, err := jvm.ParsePerfData(l.counters().Bytes)
		in := err == nil && data.InGC()
		collected = collected || in
		return v.rests() && !in
	}
	if v.tid == 0 || neverWithin(ctx, longStandstill, rests) != nil {
		return false
	}
	if !collected && !v.isOneSafepoint() {
		return false
	}
	_, err := hotspot.OpenProcess(ctx, l.Kernel, l.Process.PID) // of its own: it runs beside the request
	return err == nil
}

// vmWork is what the VM thread does over a time.
type vmWork struct {
	live        *Live
	tid         int
	first, last kernel.Task
	// looks counts the looks at it, naps those that found it in a sleep between two checks whether all threads
	// have stopped.
	looks, naps int
	// safepoints is how many there were at the first look.
	safepoints jvm.Opt[int64]
}

// waitsInPark is the newest JDK whose VM thread parks between two checks, which looks like rest.
const waitsInPark = 8

// rests looks at the VM thread and tells whether it waits for something to do.
func (v *vmWork) rests() bool {
	options := kernel.TaskOptions{CPU: true, State: true, WaitChannel: true, Only: []int{v.tid}}
	tasks, err := v.live.Kernel.Tasks(v.live.Process.PID, options)
	if err != nil {
		return true
	}
	before, now := v.last, tasks[v.tid]
	v.last = now
	if v.looks++; v.looks == 1 {
		v.first, v.safepoints = now, v.live.safepoints()
	}
	switch {
	case now.State == "S" && strings.Contains(now.WaitChannel, "nanosleep"):
		v.naps++
		return false
	case now.State == "R":
		return false
	case v.looks == 1:
		return v.live.Process.Major > waitsInPark
	}
	return now.Turns == before.Turns // else it has worked in between
}

// isOneSafepoint tells that the VM thread was busy with one safepoint, and did not only wait for a CPU.
func (v *vmWork) isOneSafepoint() bool {
	now := v.live.safepoints()
	if v.safepoints.Known && now.Known {
		return now.Value <= v.safepoints.Value+1 && (v.naps > 0 || v.last.CPU > v.first.CPU)
	}
	return v.naps > v.looks/2
}

// safepoints is how many the JVM has begun, unknown without counters.
func (l *Live) safepoints() jvm.Opt[int64] {
	data, err := jvm.ParsePerfData(l.counters().Bytes)
	if err != nil {
		return jvm.Opt[int64]{}
	}
	return data.Safepoints()
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
