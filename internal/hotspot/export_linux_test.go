package hotspot

import (
	"time"

	"jstall/internal/kernel"
)

// ProcessMemory and Libraries are for tests that record what is read.
func ProcessMemory(pid int) Memory { return processMemory(pid) }

// Libraries are where libjvm.so begins.
func Libraries(pid int) ([]uint64, error) { return libraries(kernel.New("/proc"), pid) }

// OnlyStops lets a process be read as where sampling is not allowed.
func (p *Process) OnlyStops() {
	p.stops = newStopper(p)
	p.JVM.registers = p.stops
}

// NoRegisters lets a process be read as where neither sampling nor stopping is allowed.
func (p *Process) NoRegisters() { p.JVM.registers = nil }

// Hold stops a thread and keeps it so.
func Hold(tid int) error {
	if err := seize(tid); err != nil {
		return err
	}
	_, err := stop(tid, time.Now().Add(time.Minute))
	return err
}
