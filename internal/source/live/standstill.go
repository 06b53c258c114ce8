package live

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/source/target"
)

const (
	// longStandstill is how long the VM thread must work without a pause for a standstill: then no answer is near.
	longStandstill = 300 * time.Millisecond
	// firstLook is how long to wait for an answer before the VM thread is read: most JVMs answer sooner.
	firstLook = 80 * time.Millisecond
)

// standstill is why the JVM is not asked now: it waits for a safepoint, or works at one, and would leave a request
// unanswered. It is nil if the JVM can be asked, if that is unknown, and if asking is the only way left. A JVM whose VM
// thread is idle costs a few readings of that thread.
func (a *Asker) standstill(ctx context.Context) error {
	if !a.auto {
		return nil
	}
	if err := a.heapFull(ctx); err != nil {
		return err
	}
	tid := a.VMThreadID()
	if tid == 0 {
		return nil
	}
	v := target.VMWork{Target: a.JVM, TID: tid}
	begin := time.Now()
	rests := func() bool { return v.Rests() || a.inGC() } // holdDuringGC waits for GCs
	if target.NeverWithin(ctx, longStandstill, rests) != nil || !v.IsOneSafepoint() || !a.memory.MayRead(ctx) {
		return nil
	}
	return &attach.Error{
		Phase: attach.PhaseCheck, PID: a.Process.PID, Code: attach.CodeTimeout,
		At: time.Now(), Sent: slices.Clone(a.sent),
		Cause: fmt.Sprintf("not asked: its VM thread has been at or waiting for a safepoint for %d ms",
			time.Since(begin).Milliseconds()),
		Remedy: "to attach anyway: --via attach --timeout 30s",
	}
}

const (
	// fullShare is the used share of the old generation from which on the JVM may fail to start its attach listener: it
	// makes a java.lang.Thread for it, and logs an OutOfMemoryError if it cannot.
	fullShare = 0.97
)

// heapFull is why a JVM with a full heap and without an attach listener is not asked, if its memory may be read.
func (a *Asker) heapFull(ctx context.Context) error {
	data, err := jvm.ParsePerfData(a.Counters().Bytes)
	if err != nil {
		return nil
	}
	old := data.OldGeneration()
	full := old.Used.Known && old.Max.Known && float64(old.Used.Value) >= fullShare*float64(old.Max.Value)
	if !full || a.Listens() || !a.memory.MayRead(ctx) {
		return nil
	}
	const mb = 1 << 20
	return &attach.Error{
		Phase: attach.PhaseCheck, PID: a.Process.PID, Code: attach.CodeHeapFull,
		At: time.Now(), Sent: slices.Clone(a.sent),
		Cause: fmt.Sprintf("its old generation is full (%d of %d MB), and starting its attach listener takes heap",
			old.Used.Value/mb, old.Max.Value/mb),
		Remedy: "to attach nevertheless: --via attach",
	}
}

// noAnswerNear reports whether a JVM that was asked has been at one safepoint or in GCs, or has waited for a safepoint,
// for so long that its memory shows more, and sooner. It is false if the VM thread is idle meanwhile or waits for a
// CPU, and if a part of the answer has come: a JVM sends it once it has the whole.
func (a *Asker) noAnswerNear(ctx context.Context) bool {
	if !a.auto || !target.Pause(ctx, firstLook) {
		return false
	}
	v := target.VMWork{Target: a.JVM, TID: a.VMThreadID()}
	collected := false
	rests := func() bool {
		data, err := jvm.ParsePerfData(a.Counters().Bytes)
		in := err == nil && data.InGC()
		collected = collected || in
		return a.answering.Load() || v.Rests() && !in
	}
	if v.TID == 0 || target.NeverWithin(ctx, longStandstill, rests) != nil {
		return false
	}
	starved := !v.Naps() && v.Worked() < longStandstill/2
	if !collected && (starved || !v.IsOneSafepoint()) {
		return false
	}
	_, err := hotspot.OpenProcess(ctx, a.Kernel, a.Process.PID) // a separate one, as the request runs at the same time
	return err == nil && !a.answering.Load()
}
