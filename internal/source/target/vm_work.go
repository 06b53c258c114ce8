package target

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
)

// standstillPoll is how often the VM thread is read.
const standstillPoll = 10 * time.Millisecond

var errRests = errors.New("it rests")

// NeverWithin checks for that long whether something happens, and returns nil if it does not.
func NeverWithin(ctx context.Context, long time.Duration, happens func() bool) error {
	for begin := time.Now(); time.Since(begin) < long; {
		if happens() {
			return errRests
		}
		if !Pause(ctx, standstillPoll) {
			return ctx.Err()
		}
	}
	return nil
}

// VMWork is the activity of the VM thread over a time.
type VMWork struct {
	Target      *JVM
	TID         int
	first, last kernel.Task
	// looks counts the readings of it. naps counts those that found it asleep between two checks whether all threads
	// have stopped.
	looks, naps int
	// safepoints is the number of safepoints at the first reading.
	safepoints jvm.Opt[int64]
}

// waitsInPark is the newest JDK whose VM thread parks between two checks, so that it appears idle.
const waitsInPark = 8

// Rests reports whether the VM thread waits for something to do.
func (v *VMWork) Rests() bool {
	options := kernel.TaskOptions{CPU: true, State: true, WaitChannel: true, Only: []int{v.TID}}
	tasks, err := v.Target.Kernel.Tasks(v.Target.Process.PID, options)
	if err != nil {
		return true
	}
	before, now := v.last, tasks[v.TID]
	v.last = now
	if v.looks++; v.looks == 1 {
		v.first, v.safepoints = now, v.Target.safepoints()
	}
	switch {
	case now.State == "S" && strings.Contains(now.WaitChannel, "nanosleep"):
		v.naps++
		return false
	case now.State == "R":
		return false
	case v.looks == 1: // without a wait channel it may have run when that was read
		return v.Target.Process.Major > waitsInPark && now.WaitChannel != ""
	}
	return now.Turns == before.Turns // otherwise it has worked in between
}

// IsOneSafepoint reports whether the VM thread was busy with one safepoint, not only waiting for a CPU.
func (v *VMWork) IsOneSafepoint() bool {
	now := v.Target.safepoints()
	if v.safepoints.Known && now.Known {
		return now.Value <= v.safepoints.Value+1 && (v.naps > 0 || v.last.CPU > v.first.CPU)
	}
	return v.naps > v.looks/2
}

// Worked is how long the VM thread ran between the first reading and the last. One that is runnable and does not run
// waits for a CPU.
func (v *VMWork) Worked() time.Duration { return v.last.CPU - v.first.CPU }

// Naps reports whether it slept between two checks whether all threads have stopped.
func (v *VMWork) Naps() bool { return v.naps > 0 }

// Pause waits; it is false once ctx is done.
func Pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
