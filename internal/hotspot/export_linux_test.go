package hotspot

import (
	"github.com/jstall/jstall/internal/hotspot/vm"
	"github.com/jstall/jstall/internal/kernel"
)

// ProcessMemory and Libraries are for tests that record what is read.
func ProcessMemory(pid int) vm.Memory { return vm.ProcessMemory(pid) }

// Libraries are where libjvm.so begins.
func Libraries(pid int) ([]uint64, error) { return vm.Libraries(kernel.New("/proc"), pid) }

// NoRegisters lets a process be read as where sampling is not allowed.
func (p *Process) NoRegisters() { p.registers = nil }
