package threaddump

import (
	"slices"
	"strings"
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
	case t.Daemon && isCompilerName(t.Name):
		return JIT
	case isStacklessName(t.Name):
		return JVM
	}
	return Application
}

// vmRole is the role of a thread without Java id.
func (t *Thread) vmRole() Role {
	for _, begin := range gcNames {
		if strings.HasPrefix(t.Name, begin) {
			return GC
		}
	}
	return VM
}

// vmNames are the names of HotSpot's own threads that run no Java code and do not collect.
var vmNames = [...]string{
	"VM Thread", "VM Periodic Task Thread", "VM Dump Thread", "AsyncLog Thread", "JFR Sampler Thread",
	"JFR Thread Sampler", "JFR CPU Sampler Thread", "C1 CompilerThread", "C2 CompilerThread",
}

// mostOfComm is how much of a thread's name the kernel keeps.
const mostOfComm = 15

// IsVMThread reports a thread of HotSpot's own by its name, of which the kernel may have the beginning alone. A
// compiler's has a number.
func IsVMThread(name string) bool {
	return slices.ContainsFunc(vmNames[:], func(vm string) bool {
		return strings.TrimRight(name, "0123456789") == vm || len(name) == mostOfComm && strings.HasPrefix(vm, name)
	})
}

// gcNames are the beginnings of the names of collector threads, by collector.
var gcNames = [...]string{
	"GC Thread#", "GC task thread#", "ParGC Thread#", "Gang worker#", "StringDedup", // all
	"G1 ",                                     // G1
	"Concurrent Mark-Sweep GC Thread", "CMS ", // CMS, to 13
	"ZDirector", "ZDriver", "ZStat", "ZWorker", "ZUncommitter", "ZUnmapper", "RuntimeWorker#", // ZGC
	"XDirector", "XDriver", "XStat", "XWorker", "XUncommitter", "XUnmapper", // ZGC without generations, 21 to 23
	"Shenandoah ", "ShenWorker#", "ShenControl", "ShenUncommit", "ShenRegulator",
}

// isCompilerName knows "C2 CompilerThread0"; JDK 8 prints nothing else that
// identifies a compiler thread.
func isCompilerName(name string) bool {
	for _, begin := range [...]string{"C1 CompilerThread", "C2 CompilerThread", "JVMCI CompilerThread",
		"CompilerThread"} {
		if rest, ok := strings.CutPrefix(name, begin); ok {
			_, number := atoi(rest)
			return number || rest == ""
		}
	}
	return false
}

// isStacklessName knows Java threads of the JVM that run no Java code as a rule.
func isStacklessName(name string) bool {
	switch name {
	case "Signal Dispatcher", "Attach Listener", "Service Thread", "DestroyJavaVM",
		"Monitor Deflation Thread", "Notification Thread", "Sweeper thread",
		"Surrogate Locker Thread (Concurrent GC)", "JFR Recorder Thread",
		// up to 7
		"Surrogate Locker Thread (CMS)", "Low Memory Detector", "AdapterThread", "Suspend Checker Thread":
		return true
	}
	return false
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
