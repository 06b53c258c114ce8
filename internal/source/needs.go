package source

import (
	"slices"

	"github.com/jstall/jstall/analysis/finding"
)

// Needs are the facts that a capture takes in addition to dumps, counters and the CPU time of the process.
type Needs struct {
	// Tasks asks for the kernel's facts about the threads: CPU, wait for a CPU, state, wait channel.
	Tasks bool
	// Machine asks for limits, control groups, pressure and neighbours.
	Machine bool
	// CodeCache asks once for the free space for compiled code, in a separate request to the JVM.
	CodeCache bool
	// Loaders asks for the class loaders, once and only if the number of classes has grown.
	Loaders bool
	// Owners asks for the owners of java.util.concurrent locks beyond those in the JVM's own deadlock report.
	Owners bool
	// Objects asks for what threads wait for and work on, from the JVM's memory.
	Objects ObjectsNeed
	// Virtual asks for the virtual threads, which any kind of finding may need.
	Virtual bool
	// Java reports that Java code may be run in the target on request. It is false if a fast answer is needed.
	Java bool
}

// ObjectsNeed says when the objects that threads wait for are read from the JVM's memory.
type ObjectsNeed int

// ObjectsOfTasks is for pool deadlocks: it reads nothing unless a thread waits for the result of a task, as reading
// takes longer than the dump. AllObjects always reads them.
const (
	NoObjects ObjectsNeed = iota
	ObjectsOfTasks
	AllObjects
)

// fromDumpsAlone are the kinds of findings that need only stacks and locks.
var fromDumpsAlone = [...]finding.Kind{
	finding.KindDeadlock, finding.KindPoolDeadlock, finding.KindJVMUnresponsive,
}

// NeedsOf returns what the wanted kinds of findings need; nil means all kinds.
func NeedsOf(kinds []finding.Kind) Needs {
	if kinds == nil {
		return Needs{Tasks: true, Machine: true, CodeCache: true, Loaders: true, Owners: true, Virtual: true,
			Java: true, Objects: AllObjects}
	}
	n := Needs{Virtual: true}
	for _, k := range kinds {
		if !slices.Contains(fromDumpsAlone[:], k) {
			n.Tasks, n.Machine, n.Owners, n.Java, n.Objects = true, true, true, true, AllObjects
		}
		if k == finding.KindPoolDeadlock {
			n.Objects = max(n.Objects, ObjectsOfTasks)
		}
		n.CodeCache = n.CodeCache || k == finding.KindJITPressure
		n.Loaders = n.Loaders || k == finding.KindMetaspaceGrowth
	}
	return n
}
