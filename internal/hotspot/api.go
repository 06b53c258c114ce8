package hotspot

import (
	"github.com/jstall/jstall/internal/hotspot/classes"
	"github.com/jstall/jstall/internal/hotspot/facts"
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
	Facts         = facts.Facts
	ClassList     = classes.List
	ClassOptions  = classes.Options
	Class         = classes.Class
	ClassState    = classes.ClassState
	Loader        = classes.Loader
	Method        = classes.Method
	MethodCount   = classes.MethodCount
)

// How threads wait.
const (
	ToLock = thread.ToLock
	InWait = thread.InWait
	Parked = thread.Parked
)

// How far the initialisation of a class has come.
const (
	Loaded       = classes.Loaded
	Initialising = classes.Initialising
	Initialised  = classes.Initialised
	Failed       = classes.Failed
)
