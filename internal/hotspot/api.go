package hotspot

import (
	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/thread"
	"github.com/jstall/jstall/internal/hotspot/virtual"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// What callers of this package use of those below it.
type (
	Memory        = vm.Memory
	Object        = object.ID
	SampledFrame  = stack.SampledFrame
	SampledStack  = stack.SampledStack
	Snapshot      = stack.Snapshot
	Thread        = thread.Thread
	Frame         = thread.Frame
	Lock          = thread.Lock
	Wait          = thread.Wait
	WaitKind      = thread.WaitKind
	Task          = thread.Task
	Tasks         = thread.Tasks
	VirtualThread = virtual.Thread
)

// How threads wait.
const (
	ToLock = thread.ToLock
	InWait = thread.InWait
	Parked = thread.Parked
)
