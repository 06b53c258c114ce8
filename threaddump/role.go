package threaddump

import (
	"strings"

	"github.com/jstall/jstall/internal/jvmthread"
)

// Role is whose work a thread does.
type Role uint8

const (
	// Application: the program's own threads, and those of libraries it uses.
	Application Role = iota
	// GC: threads of the garbage collector.
	GC
	// JIT: compiler threads.
	JIT
	// VM: other threads of the JVM without a Java id.
	VM
	// JVM: Java threads that the JVM makes for itself.
	JVM
)

// String is "application", "gc", "jit", "vm" or "jvm".
func (r Role) String() string {
	return [...]string{"application", "gc", "jit", "vm", "jvm"}[r]
}

// Role returns whose work the thread does. A name alone never takes a thread away
// from the application, which may call its threads what it likes: threads that
// the JVM makes are also known by what an application thread cannot have, no
// Java id, no stack address, or the JDK's own class at the root of the stack.
func (t *Thread) Role() Role {
	switch {
	case t.ID == 0 && !t.Virtual && !t.Unnumbered:
		return t.vmRole()
	case t.Compiler:
		return JIT
	case t.Virtual:
		return Application
	case len(t.Stack) > 0:
		return t.rootRole()
	case !t.Stackless && t.TID != 0:
		return Application
	}
	switch job := jvmthread.JobOf(t.Name); {
	case job == jvmthread.JIT && t.Daemon: // JDK 8 prints nothing else that identifies a compiler thread
		return JIT
	case job == jvmthread.Hidden:
		return JVM
	}
	return Application
}

// vmRole is the role of a thread without Java id.
func (t *Thread) vmRole() Role {
	if jvmthread.JobOf(t.Name) == jvmthread.GC {
		return GC
	}
	return VM
}

// rootRole is the role of a Java thread by the outermost frame of its stack.
func (t *Thread) rootRole() Role {
	root := t.Stack[len(t.Stack)-1]
	switch root.Class {
	case "java.lang.ref.Reference$ReferenceHandler", "java.lang.ref.Finalizer$FinalizerThread":
		return JVM
	case "jdk.internal.misc.InnocuousThread", "sun.misc.InnocuousThread":
		// Cleaners that the application makes run its code on such a thread.
		if !strings.HasPrefix(t.Name, "Cleaner-") {
			return JVM
		}
	case "jdk.internal.vm.ThreadDumper", "sun.management.Agent", "jdk.internal.agent.Agent":
		if t.Name == "Attach Listener" {
			return JVM
		}
	}
	return Application
}
