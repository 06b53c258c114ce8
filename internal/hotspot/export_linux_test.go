package hotspot

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sys/unix"

	"jstall/internal/kernel"
)

// ProcessMemory and Libraries are for tests that record what is read.
func ProcessMemory(pid int) Memory { return processMemory(pid) }

// Libraries are where libjvm.so begins.
func Libraries(pid int) ([]uint64, error) { return libraries(kernel.New("/proc"), pid) }

// OnlyStops lets a process be read as where sampling is not allowed.
func (p *Process) OnlyStops() {
	p.registers = fakeDenial{}
	p.AllowStops()
}

// fakeDenial is what sampling is where perf events are not allowed.
type fakeDenial struct{}

func (fakeDenial) Sample(context.Context, []int) (map[int]Snapshot, error) {
	return nil, fmt.Errorf("perf_event_open: %w", unix.EACCES)
}

// NoRegisters lets a process be read as where neither sampling nor stopping is allowed.
func (p *Process) NoRegisters() { p.registers = nil }

// Hold stops a thread and keeps it so.
func Hold(tid int) error {
	if err := seize(tid); err != nil {
		return err
	}
	_, err := stop(tid, time.Now().Add(time.Minute))
	return err
}
