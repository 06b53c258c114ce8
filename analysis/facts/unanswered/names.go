package unanswered

import (
	"strings"

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

// knownThreads are the JVM's own threads by the beginnings of their names, on 8 to 28, and what they are.
var knownThreads = [...]struct {
	name string
	kind string
	role threaddump.Role
}{
	{"VM Thread", "vm", threaddump.VM}, {"VM Periodic Task Thread", "vm", threaddump.VM},
	{"GC Thread#", "vm", threaddump.GC}, {"GC task thread#", "vm", threaddump.GC}, {"ParGC Thread#", "vm",
		threaddump.GC},
	{"Gang worker#", "vm", threaddump.GC}, {"G1 Main", "vm", threaddump.GC}, {"G1 Conc", "vm", threaddump.GC},
	{"G1 Refine", "vm", threaddump.GC}, {"G1 Service", "vm", threaddump.GC}, {"G1 Young", "vm", threaddump.GC},
	{"Concurrent Mark-Sweep", "vm", threaddump.GC}, {"CMS ", "vm", threaddump.GC},
	{"ZDirector", "vm", threaddump.GC}, {"ZDriver", "vm", threaddump.GC}, {"ZStat", "vm", threaddump.GC},
	{"ZWorker", "vm", threaddump.GC}, {"ZUncommitter", "vm", threaddump.GC}, {"ZUnmapper", "vm", threaddump.GC},
	{"RuntimeWorker#", "vm", threaddump.GC}, {"XDirector", "vm", threaddump.GC}, {"XDriver", "vm", threaddump.GC},
	{"XStat", "vm", threaddump.GC}, {"XWorker", "vm", threaddump.GC}, {"XUncommitter", "vm", threaddump.GC},
	{"XUnmapper", "vm", threaddump.GC}, {"Shenandoah", "vm", threaddump.GC}, {"ShenWorker", "vm", threaddump.GC},
	{"ShenControl", "vm", threaddump.GC}, {"ShenUncommit", "vm", threaddump.GC}, {"ShenRegulator", "vm", threaddump.GC},
	{"StringDedup", "vm", threaddump.GC},
	{"C1 CompilerThread", "java", threaddump.JIT}, {"C2 CompilerThread", "java",
		threaddump.JIT}, {"JVMCI CompilerThread", "java", threaddump.JIT},
	{"Reference Handler", "java", threaddump.JVM}, {"Finalizer", "java", threaddump.JVM},
	{"Signal Dispatcher", "java", threaddump.JVM}, {"Service Thread", "java", threaddump.JVM},
	{"Monitor Deflation Thread", "java", threaddump.JVM}, {"Notification Thread", "java", threaddump.JVM},
	{"Common-Cleaner", "java", threaddump.JVM}, {"Attach Listener", "java", threaddump.JVM},
	{"Sweeper thread", "java", threaddump.JVM}, {"DestroyJavaVM", "java", threaddump.JVM},
	{"VirtualThread-unblocker", "java", threaddump.JVM}, {"Surrogate Locker Thread", "java", threaddump.JVM},
}

// kindOfComm is the kind of a thread by the kernel's name for it. A thread that is not the JVM's own counts as one of
// the application, though a native library may have made it.
func kindOfComm(comm string) (kind string, role threaddump.Role) {
	for _, k := range knownThreads {
		if isComm(comm, k.name) {
			return k.kind, k.role
		}
	}
	return "java", threaddump.Application
}

// commLimit is the length of the longest name that the kernel keeps.
const commLimit = 15

// isComm reports whether a kernel's name may be that of a thread whose name begins so. The JVM cuts what is too long,
// or, from 27 on, takes out its middle: "G1 Refi..ontrol".
func isComm(comm, begin string) bool {
	const kept = 7
	if len(comm) == commLimit && len(begin) >= kept && comm[:kept] == begin[:kept] && comm[kept:kept+2] == ".." {
		return true
	}
	return strings.HasPrefix(comm, begin[:min(len(begin), commLimit)])
}
