package hotspot

import (
	"context"

	"github.com/jstall/jstall/internal/hotspot/classes"
	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// What tests use of the packages below this one.
type (
	Memory        = vm.Memory
	Object        = object.ID
	SampledStack  = stack.SampledStack
	Snapshot      = stack.Snapshot
	Thread        = thread.Thread
	Frame         = thread.Frame
	Wait          = thread.Wait
	Task          = thread.Task
	VirtualThread = virtual.Thread
)

const (
	Parked = thread.Parked
	Loaded = classes.Loaded
)

// ReadSnapshot reads a thread, by its place in the list, as one that ran at the moment of a snapshot. The snapshot is
// made from the address of the thread and of its frames.
func (j *JVM) ReadSnapshot(ctx context.Context, thread int,
	make func(address, stack uint64) stack.Snapshot) (*thread.Thread, error) {
	r, err := j.reader(ctx)
	if err != nil {
		return nil, err
	}
	addresses, _ := r.ThreadList()
	if len(addresses) == 0 {
		return nil, nil
	}
	t := r.ReadThread(addresses[thread%len(addresses)])
	snapshot := make(t.Address, t.StackAddress)
	t.Frames, t.Mounted, t.Cut = nil, nil, ""
	r.ReadSnapshot(t, snapshot, r.Epoch())
	return t, nil
}

// ForgetBoot lets a JVM be read as if its classes had not been looked up before.
func (j *JVM) ForgetBoot() { j.boot = &virtual.BootClasses{} }
