package vm

import (
	"context"
	"debug/elf"
	"fmt"
	"slices"
	"sync/atomic"
)

// JVM is a HotSpot JVM whose tables were read.
type JVM struct {
	memory  Memory
	layout  *Layout
	Machine elf.Machine
	// Loaded is nil where the tables lack what a list of classes needs, and loadedErr names it.
	Loaded    *LoadedLayout
	LoadedErr error
	// Clock is System.nanoTime() of the process; nil: unknown, as in a core file.
	Clock func() (now int64, ok bool)
	// IsStopped reports that no thread of the process can run; nil: none can, as in a core file.
	IsStopped func() bool
	// Progress, if set, counts the bytes of virtual threads that were read: there may be a million of them.
	Progress *atomic.Int64
}

// Machines are the processors whose stacks are known.
var Machines = []elf.Machine{elf.EM_X86_64, elf.EM_AARCH64}

// Open reads the tables of a JVM whose libjvm.so begins at an address. An error names each entry that is needed and
// that the tables lack.
func Open(ctx context.Context, memory Memory, libjvm uint64) (*JVM, error) {
	v := newView(ctx, memory)
	lib, err := openLibrary(v, libjvm)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(Machines, lib.machine) {
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
	j := &JVM{memory: memory, layout: layout, Machine: lib.machine}
	j.Loaded, j.LoadedErr = bindLoaded(types)
	return j, nil
}

func (j *JVM) Stopped() bool { return j.IsStopped == nil || j.IsStopped() }
