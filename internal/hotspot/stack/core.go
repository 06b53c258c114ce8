package stack

import (
	"context"
	"debug/elf"
	"encoding/binary"

	"github.com/jstall/jstall/internal/hotspot/vm"
)

// CoreRegisters are those of the threads of a core file.
type CoreRegisters struct {
	core    *vm.Core
	numbers registerNumbers
}

// NewCoreRegisters are those of a core file of a processor.
func NewCoreRegisters(c *vm.Core, machine elf.Machine) *CoreRegisters {
	return &CoreRegisters{c, frameLayouts[machine](0).saved}
}

// Sample returns the one moment that there is, of threads by the ids that the process had for itself.
func (r *CoreRegisters) Sample(ctx context.Context, tids []int) (map[int]Snapshot, error) {
	const most, mostOfAll = 1 << 20, 64 << 20 // of a stack, and of all stacks, in bytes
	copied := min(most, mostOfAll/max(1, len(tids)))
	snapshots := map[int]Snapshot{}
	for _, tid := range tids {
		if ctx.Err() != nil {
			break
		}
		b := r.core.Registers[tid]
		at := func(number int) uint64 {
			if (number+1)*vm.WordSize > len(b) {
				return 0
			}
			return binary.LittleEndian.Uint64(b[number*vm.WordSize:])
		}
		n := r.numbers
		s := Snapshot{PC: at(n.pc), SP: at(n.sp), FP: at(n.fp), BCP: at(n.bcp), Thread: at(n.thread)}
		s.Stack = readMost(r.core, s.SP, copied)
		snapshots[tid] = s
	}
	return snapshots, nil
}

// readMost reads as much memory from an address on as there is, by halves.
func readMost(m vm.Memory, addr uint64, most int) []byte {
	b := make([]byte, most)
	for len(b) > 0 && m.ReadAt(addr, b) != nil {
		b = b[:len(b)/2]
	}
	return b
}
