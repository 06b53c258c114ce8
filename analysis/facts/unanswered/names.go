package unanswered

import (
	"github.com/jstall/jstall/internal/jvmthread"
	"github.com/jstall/jstall/threaddump"
)

// nameThreads finds by their names which threads have which job. The java program's own thread only starts the one that
// runs main and then waits for it.
func nameThreads(threads []*Thread) {
	for i, t := range threads {
		t.Name = t.Last.Name
		t.Kind, t.Role = kindOfComm(t.Name)
		switch {
		case i == 0 && t.Name == "java":
			t.Kind, t.Role = "vm", threaddump.VM
		case i == 1 && t.Name == "java" && threads[0].Name == "java":
			t.Name = "main"
		}
	}
}

// kindOfComm is the kind of a thread by the kernel's name for it. A thread that is not the JVM's own counts as one of
// the application, though a native library may have made it.
func kindOfComm(comm string) (kind string, role threaddump.Role) {
	switch jvmthread.JobOf(comm) {
	case jvmthread.GC:
		return "vm", threaddump.GC
	case jvmthread.VM:
		return "vm", threaddump.VM
	case jvmthread.JIT:
		return "java", threaddump.JIT
	case jvmthread.Hidden, jvmthread.Java:
		return "java", threaddump.JVM
	}
	return "java", threaddump.Application
}
