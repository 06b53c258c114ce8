package hotspot

import (
	"context"
	"debug/elf"
	"sync/atomic"

	"github.com/jstall/jstall/internal/hotspot/classes"
	"github.com/jstall/jstall/internal/hotspot/facts"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// JVM is a HotSpot JVM whose tables were read.
type JVM struct {
	*vm.JVM
	// registers are those of its threads; nil: unknown, as in a core file.
	registers stack.Registers
	// carriersAlone has no other threads sampled than carriers of virtual threads.
	carriersAlone bool
	boot          *virtual.BootClasses
}

// CountProgress has the bytes counted that are read of virtual threads, for those who wait for a reading.
func (j *JVM) CountProgress(counter *atomic.Int64) { j.Progress = counter }

// Open reads the tables of a JVM whose libjvm.so begins at an address. An error names each entry
// that this package needs and the tables lack.
func Open(ctx context.Context, memory vm.Memory, libjvm uint64) (*JVM, error) {
	j, err := vm.Open(ctx, memory, libjvm)
	if err != nil {
		return nil, err
	}
	return &JVM{JVM: j, boot: &virtual.BootClasses{}}, nil
}

// Untested is the processor of a JVM which no test reads, as "aarch64": its frames are known from HotSpot's sources
// alone. Empty for x86-64.
func (j *JVM) Untested() string {
	if j.Machine == elf.EM_AARCH64 {
		return "aarch64"
	}
	return ""
}

func (j *JVM) reader(ctx context.Context) (*thread.Reader, error) {
	r := &thread.Reader{}
	if err := r.Begin(ctx, j.JVM, facts.KeepsSelf); err != nil {
		return nil, err
	}
	return r, nil
}

// Classes reads what is loaded.
func (j *JVM) Classes(ctx context.Context, o classes.Options) (*classes.List, error) {
	if j.LoadedErr != nil {
		return nil, j.LoadedErr
	}
	r, err := j.reader(ctx)
	if err != nil {
		return nil, err
	}
	return classes.Read(&r.Reader, j.Loaded, o)
}
