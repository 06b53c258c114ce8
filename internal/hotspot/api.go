package hotspot

import (
	"github.com/jstall/jstall/internal/hotspot/classes"
	"github.com/jstall/jstall/internal/hotspot/dump"
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
	SampledStack  = stack.SampledStack
	Snapshot      = stack.Snapshot
	Thread        = thread.Thread
	Frame         = thread.Frame
	Wait          = thread.Wait
	Task          = thread.Task
	Dump          = dump.Dump
	VirtualThread = virtual.Thread
	Facts         = facts.Facts
	ClassList     = classes.List
	ClassOptions  = classes.Options
	Class         = classes.Class
	Loader        = classes.Loader
	MethodCount   = classes.MethodCount
)

// Parked is how a thread waits in LockSupport.park.
const Parked = thread.Parked

// How far the initialisation of a class has come.
const (
	Loaded      = classes.Loaded
	Initialised = classes.Initialised
)
