package hotspot

import (
	"context"
	"debug/elf"
	"fmt"
	"slices"
	"sync/atomic"
)

// vmJVM is a HotSpot JVM whose tables were read.
type vmJVM struct {
	memory  Memory
	layout  *layout
	machine elf.Machine
	// loaded is nil where the tables lack what a list of classes needs, and loadedErr names it.
	loaded    *loadedLayout
	loadedErr error
	// clock is System.nanoTime() of the process; nil: unknown, as in a core file.
	clock func() (now int64, ok bool)
	// isStopped reports that no thread of the process can run; nil: none can, as in a core file.
	isStopped func() bool
	// progress, if set, counts the bytes of virtual threads that were read: there may be a million of them.
	progress *atomic.Int64
}

// machines are the processors whose stacks are known.
var machines = []elf.Machine{elf.EM_X86_64, elf.EM_AARCH64}

// openVM reads the tables of a JVM whose libjvm.so begins at an address. An error names each entry that is needed and
// that the tables lack.
func openVM(ctx context.Context, memory Memory, libjvm uint64) (*vmJVM, error) {
	v := newView(ctx, memory)
	lib, err := openLibrary(v, libjvm)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(machines, lib.machine) {
		return nil, fmt.Errorf("stacks of %v are not known, those of x86-64 and aarch64 are", lib.machine)
	}
	types, err := readTypes(v, lib)
	if err != nil {
		return nil, err
	}
	layout, err := bind(types)
	if err != nil {
		return nil, err
	}
	j := &vmJVM{memory: memory, layout: layout, machine: lib.machine}
	j.loaded, j.loadedErr = bindLoaded(types)
	return j, nil
}

func (j *vmJVM) stopped() bool { return j.isStopped == nil || j.isStopped() }
