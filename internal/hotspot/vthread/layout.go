package vthread

import (
	"fmt"
	"slices"
	"strings"
)

// ThreadClass is the class of virtual threads. It is initialised before the first one is made.
const ThreadClass = "java.lang.VirtualThread"

const (
	threadClass       = "java.lang.Thread"
	virtualClass      = ThreadClass
	boundClass        = "java.lang.ThreadBuilders$BoundVirtualThread"
	taskClass         = "java.lang.VirtualThread$VThreadContinuation$1"
	continuationClass = "jdk.internal.vm.Continuation"
	chunkClass        = "jdk.internal.vm.StackChunk"
	stringClass       = "java.lang.String"
	mapClass          = "java.util.concurrent.ConcurrentHashMap"
	containersClass   = "jdk.internal.vm.ThreadContainers"
	trackingClass     = containersClass + "$RootContainer$TrackingRootContainer"
	poolClass         = "java.util.concurrent.ForkJoinPool"
)

// ClassNames are the classes that this package looks up.
func ClassNames() []string {
	return []string{
		threadClass, virtualClass, boundClass, taskClass, continuationClass, chunkClass, stringClass,
		mapClass, mapClass + "$Node", mapClass + "$ForwardingNode", mapClass + "$TreeBin", mapClass + "$TreeNode",
		containersClass, trackingClass, poolClass,
	}
}

// layout is where the JDK keeps what is read: offsets of fields in bytes, addresses of classes.
type layout struct {
	virtual, bound, chunk, task         uint64 // classes
	node, forwarding, treeBin, treeNode uint64
	threadSize, continuationSize        int
	chunkSize, taskSize, stringSize     int
	nodeSize                            int
	// of a thread
	name, id, state, continuation, carrier, blocker, scopes uint64
	waiter, termination                                     uint64 // 0: the release has none
	// of a continuation and its task
	tail, mounted, target, taskThread uint64
	// of a chunk
	parent, size, sp, bottom, owner, flags, pc uint64
	lockCount                                  uint64 // 0: the release has none
	// of strings and maps
	value, coder                   uint64
	table, key, next, first, moved uint64
	// states are the names of VirtualThread's constants by value.
	states     map[int]string
	suspended  int
	terminated int
	tracked    uint64 // address of VTHREADS, 0: threads are not tracked
	registry   uint64 // address of CONTAINER_REGISTRY
	scheduler  uint64 // address of DEFAULT_SCHEDULER
}

// bindings collects what is missing.
type bindings struct {
	jvm     JVM
	missing []string
}

// leastSize and mostSize are of objects that are read, in bytes: the header, and more than any class of the JDK here
// has.
const leastSize, mostSize = 16, 4096

// class is a class whose objects are read.
func (b *bindings) class(name string) *Class {
	if c := b.jvm.Class(name); c != nil && c.Size >= leastSize && c.Size <= mostSize {
		return c
	}
	return b.lacking(name)
}

// holder is a class of which only static fields are read: its objects may be smaller than leastSize, where a header has
// eight bytes.
func (b *bindings) holder(name string) *Class {
	if c := b.jvm.Class(name); c != nil {
		return c
	}
	return b.lacking(name)
}

func (b *bindings) lacking(name string) *Class {
	b.missing = append(b.missing, name)
	return &Class{}
}

// optional is a class that may not be loaded yet; nil if it is not.
func (b *bindings) optional(name string) *Class {
	if b.jvm.Class(name) == nil {
		return nil
	}
	return b.class(name)
}

// Sizes of fields, in bytes. A reference is read as a word at most.
const byteField, intField, wordField = 1, 4, wordSize

// field is a field of so many bytes, which must be within the object.
func (b *bindings) field(class *Class, of, name string, size uint64) uint64 {
	at, ok := class.Fields[name]
	if !ok || at+size > class.Size || at > class.Size {
		b.missing = append(b.missing, of+"."+name)
	}
	return at
}

// reference is a field that refers to an object.
func (b *bindings) reference(class *Class, of, name string) uint64 {
	return b.field(class, of, name, b.jvm.ReferenceSize())
}

// optionalField is 0 if the class has no such field.
func (b *bindings) optionalField(class *Class, of, name string, size uint64) uint64 {
	if _, ok := class.Fields[name]; !ok {
		return 0
	}
	return b.field(class, of, name, size)
}

// Used reports whether the JVM has ever had a virtual thread.
func Used(jvm JVM) bool {
	c := jvm.Class(virtualClass)
	return c != nil && c.Initialised
}

// bind looks all classes and fields up. An error names each that this JDK lacks.
func bind(jvm JVM) (*layout, error) {
	b := &bindings{jvm: jvm}
	l := &layout{}
	l.bindThread(b)
	l.bindFrames(b)
	l.bindMaps(b)
	if len(b.missing) > 0 {
		slices.Sort(b.missing)
		return nil, fmt.Errorf("virtual threads of this JDK cannot be read, it lacks %s",
			strings.Join(slices.Compact(b.missing), ", "))
	}
	return l, nil
}

func (l *layout) bindThread(b *bindings) {
	t := b.class(virtualClass)
	l.virtual, l.threadSize = t.Address, int(t.Size)
	if bound := b.jvm.Class(boundClass); bound != nil {
		l.bound = bound.Address
	}
	l.name, l.id = b.reference(t, threadClass, "name"), b.field(t, threadClass, "tid", wordField)
	l.blocker, l.scopes = b.reference(t, threadClass, "parkBlocker"), b.reference(t, threadClass, "headStackableScopes")
	l.state, l.continuation = b.field(t, virtualClass, "state", intField), b.reference(t, virtualClass, "cont")
	l.carrier = b.reference(t, virtualClass, "carrierThread")
	l.waiter = b.optionalField(t, virtualClass, "objectWaiter", wordField)
	l.termination = b.optionalField(t, virtualClass, "termination", b.jvm.ReferenceSize())
	l.states = map[int]string{}
	for name, at := range t.Static {
		value := b.jvm.Int(at)
		switch {
		case name == "SUSPENDED":
			l.suspended = value
		case isState(name):
			l.states[value] = name
		}
		if name == "TERMINATED" {
			l.terminated = value
		}
	}
	l.scheduler = t.Static["DEFAULT_SCHEDULER"]
	if c := b.jvm.Class(trackingClass); c != nil && c.Initialised {
		l.tracked = c.Static["VTHREADS"]
	}
	l.registry = b.holder(containersClass).Static["CONTAINER_REGISTRY"]
}

func (l *layout) bindFrames(b *bindings) {
	c, k, t := b.class(continuationClass), b.class(chunkClass), b.class(taskClass)
	l.continuationSize, l.chunkSize, l.taskSize = int(c.Size), int(k.Size), int(t.Size)
	l.chunk, l.task = k.Address, t.Address
	l.tail, l.mounted = b.reference(c, continuationClass, "tail"), b.field(c, continuationClass, "mounted", byteField)
	l.target, l.taskThread = b.reference(c, continuationClass, "target"), b.reference(t, taskClass, "val$vthread")
	l.parent = b.reference(k, chunkClass, "parent")
	l.size = b.field(k, chunkClass, "size", intField)
	l.sp = b.field(k, chunkClass, "sp", intField)
	l.bottom = b.field(k, chunkClass, "bottom", intField)
	l.owner, l.flags = b.reference(k, chunkClass, "cont"), b.field(k, chunkClass, "flags", byteField)
	l.pc = b.field(k, chunkClass, "pc", wordField)
	l.lockCount = b.optionalField(k, chunkClass, "lockStackSize", byteField)
}

func (l *layout) bindMaps(b *bindings) {
	s, m, n := b.class(stringClass), b.class(mapClass), b.class(mapClass+"$Node")
	l.stringSize, l.value = int(s.Size), b.reference(s, stringClass, "value")
	l.coder = b.field(s, stringClass, "coder", byteField)
	l.table = b.reference(m, mapClass, "table")
	l.node, l.nodeSize = n.Address, int(n.Size)
	l.key, l.next = b.reference(n, mapClass+"$Node", "key"), b.reference(n, mapClass+"$Node", "next")
	if f := b.optional(mapClass + "$ForwardingNode"); f != nil {
		l.forwarding, l.moved = f.Address, b.reference(f, mapClass+"$ForwardingNode", "nextTable")
		l.nodeSize = max(l.nodeSize, int(f.Size))
	}
	if t := b.optional(mapClass + "$TreeBin"); t != nil {
		l.treeBin, l.first = t.Address, b.reference(t, mapClass+"$TreeBin", "first")
		l.nodeSize = max(l.nodeSize, int(t.Size))
	}
	if t := b.optional(mapClass + "$TreeNode"); t != nil {
		l.treeNode = t.Address
	}
}

// isState finds the constants of VirtualThread that are states.
func isState(name string) bool {
	switch name {
	case "NEW", "STARTED", "RUNNING", "PARKING", "PARKED", "PINNED", "TIMED_PARKING", "TIMED_PARKED", "TIMED_PINNED",
		"UNPARKED", "YIELDING", "YIELDED", "BLOCKING", "BLOCKED", "UNBLOCKED", "WAITING", "WAIT", "TIMED_WAITING",
		"TIMED_WAIT", "TERMINATED":
		return true
	}
	return false
}
