package capture

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
)

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

// vmWork is what the VM thread does over a time.
type vmWork struct {
	target      *target
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
	tasks, err := v.target.Kernel.Tasks(v.target.Process.PID, options)
	if err != nil {
		return true
	}
	before, now := v.last, tasks[v.tid]
	v.last = now
	if v.looks++; v.looks == 1 {
		v.first, v.safepoints = now, v.target.safepoints()
	}
	switch {
	case now.State == "S" && strings.Contains(now.WaitChannel, "nanosleep"):
		v.naps++
		return false
	case now.State == "R":
		return false
	case v.looks == 1:
		return v.target.Process.Major > waitsInPark
	}
	return now.Turns == before.Turns // else it has worked in between
}

// isOneSafepoint tells that the VM thread was busy with one safepoint, and did not only wait for a CPU.
func (v *vmWork) isOneSafepoint() bool {
	now := v.target.safepoints()
	if v.safepoints.Known && now.Known {
		return now.Value <= v.safepoints.Value+1 && (v.naps > 0 || v.last.CPU > v.first.CPU)
	}
	return v.naps > v.looks/2
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
