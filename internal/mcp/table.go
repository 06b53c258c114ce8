package mcp

import (
	"errors"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// addTools adds all tools. What all captures cost is in the instructions of the server.
func (s *server) addTools(to *sdk.Server) error {
	return errors.Join(
		add(s, to, tool[ListInput]{
			name: "list", title: "List JVMs",
			description: "Running JVMs, and files in the server's folder. Sends nothing to a JVM.",
			bounds:      func(in ListInput) Bounds { return in.Bounds }, run: s.list,
		}),
		add(s, to, tool[DiagnoseInput]{
			name: "diagnose", title: "Diagnose a JVM",
			description: "Whether a JVM hangs or is slow, which threads cause it and in which line: deadlocks, " +
				"contention, exhausted pools, hot threads, memory. Start here.",
			bounds: func(in DiagnoseInput) Bounds { return in.Bounds }, run: s.diagnose,
		}),
		add(s, to, tool[ThreadsInput]{
			name: "threads", title: "Threads of a JVM",
			description: "Table of threads: state, CPU time, native id, innermost frame. Many virtual threads share " +
				"rows.",
			bounds: func(in ThreadsInput) Bounds { return in.Bounds }, run: s.threads,
		}),
		add(s, to, tool[StacksInput]{
			name: "stacks", title: "Stacks of threads",
			description: "Stacks of the chosen threads.",
			bounds:      func(in StacksInput) Bounds { return in.Bounds }, run: s.stacks,
		}),
		add(s, to, tool[LocksInput]{
			name: "locks", title: "Who waits for whom",
			description: "Which thread waits for which thread and lock.",
			bounds:      func(in LocksInput) Bounds { return in.Bounds }, run: s.locks,
		}),
		add(s, to, tool[FlameInput]{
			name: "flame", title: "Profile a JVM",
			description: "A profile as a table of methods. On a running JVM it takes duration_seconds.",
			bounds:      func(in FlameInput) Bounds { return in.Bounds }, run: s.flame,
		}),
		add(s, to, tool[HeapInput]{
			name: "heap", title: "Heap of a JVM",
			description: "Memory of a JVM: what the heap uses and how that changes, GCs, metaspace, class loaders, " +
				"or objects by class.",
			bounds: func(in HeapInput) Bounds { return in.Bounds }, run: s.heap,
		}),
		add(s, to, tool[ClassesInput]{
			name: "classes", title: "Classes of a JVM",
			description: "Which classes are loaded, initialised and called, read from the memory of a running JVM or " +
				"a core file. Sends nothing to it.",
			bounds: func(in ClassesInput) Bounds { return in.Bounds }, run: s.classes,
		}),
		add(s, to, tool[JFRInput]{
			name: "jfr", title: "Query flight recordings",
			description: "Answers from flight recordings (.jfr): a view or a query. Without both: the numbers of " +
				"events, and all views.",
			bounds: func(in JFRInput) Bounds { return in.Bounds }, run: s.jfr,
		}),
		add(s, to, tool[CompareInput]{
			name: "compare", title: "Compare two captures",
			description: "What is new, gone or larger in a bad capture, compared with a good one.",
			bounds:      func(in CompareInput) Bounds { return in.Bounds }, run: s.compare,
		}),
		add(s, to, tool[DoctorInput]{
			name: "doctor", title: "Check an attach",
			description: "Whether a capture of a JVM is safe, what it would do, and what prevents it. Sends nothing.",
			bounds:      func(in DoctorInput) Bounds { return in.Bounds }, run: s.doctor,
		}),
		add(s, to, tool[RecordInput]{
			name: "record", title: "Record a JVM", writes: true,
			description: "Writes thread dumps, counters and settings of a running JVM to a new file in the server's " +
				"folder, for the other tools. Replaces no file.",
			bounds: func(in RecordInput) Bounds { return in.Bounds }, run: s.record,
		}),
	)
}
