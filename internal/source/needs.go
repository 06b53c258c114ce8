package source

import (
	"slices"

	"github.com/jstall/jstall/analysis/finding"
)

// Needs are the facts that a capture takes in addition to dumps, counters and the CPU time of the process.
type Needs struct {
	// Tasks asks for what the kernel says of the threads: CPU, wait for a CPU,
	// state, wait channel.
	Tasks bool
	// Machine asks for limits, control groups, pressure and neighbours.
	Machine bool
	// CodeCache asks once for the free space for compiled code, in a separate request to the JVM.
	CodeCache bool
	// Loaders asks, once and only if classes have become more, for the class loaders.
	Loaders bool
	// Owners is true if owners of java.util.concurrent locks are of use beyond
	// what the JVM's own deadlock report says of them.
	Owners bool
	// Objects asks for what threads wait for and work for, from the JVM's memory.
	Objects ObjectsNeed
	// Virtual asks for the virtual threads: any kind of finding may be of them.
	Virtual bool
	// Java is true if Java code may be run in the target where that was asked for: not where an answer is wanted at
	// once.
	Java bool
}

// ObjectsNeed says when the objects that threads wait for are read from the JVM's memory.
type ObjectsNeed int

// ObjectsOfTasks is for pool deadlocks: where no thread waits for the result of a task nothing is read, as it takes
// longer than the dump. AllObjects reads them always.
const (
	NoObjects ObjectsNeed = iota
	ObjectsOfTasks
	AllObjects
)

// fromDumpsAlone are the kinds of findings that rest on stacks and locks.
var fromDumpsAlone = [...]finding.Kind{
	finding.KindDeadlock, finding.KindPoolDeadlock, finding.KindJVMUnresponsive,
}

// NeedsOf are what the wanted kinds of findings rest on; nil is all kinds.
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
