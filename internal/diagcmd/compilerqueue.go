package diagcmd

import (
	"strings"
)

// CompilerQueue is the answer of Compiler.queue (9 and newer).
//
//	Current compiles:
//	C2 CompilerThread0   417       4       java.util.stream.AbstractPipeline::evaluate (94 bytes)
//
//	C1 compile queue:
//	Empty
//
//	C2 compile queue:
//	 418       4       java.util.stream.AbstractPipeline::wrapSink (37 bytes)
//	 419 %s!   4       a.B::loop @ 17 (81 bytes)
//
// Source: share/compiler/compileBroker.cpp, print_compile_queues.
type CompilerQueue struct {
	Active []CompileTask `json:"active"`
	// Queues are in the order of the answer.
	Queues []CompileQueue `json:"queues"`
	Unread `json:"-"`
}

// CompileQueue is the queue of one compiler.
type CompileQueue struct {
	// Compiler is "C1" or "C2".
	Compiler string        `json:"compiler"`
	Tasks    []CompileTask `json:"tasks"`
}

// CompileTask is a method that is being compiled, or waits for it.
type CompileTask struct {
	// Thread is the thread that compiles it, empty in a queue.
	Thread string `json:"thread,omitempty"`
	ID     int64  `json:"id"`
	// Level is 1 to 4, unknown without tiered compilation; 4 is C2's.
	Level Opt[int64] `json:"level,omitzero"`
	// Method is "package.Class::name".
	Method string `json:"method"`
	// Bytes are those of its bytecode, unknown for a native method.
	Bytes Opt[int64] `json:"codeBytes,omitzero"`
	// OSR reports the compilation of a loop that is already running (on-stack replacement).
	OSR bool `json:"osr,omitempty"`
	// Blocking reports that the thread which requested it waits.
	Blocking bool `json:"blocking,omitempty"`
	Native   bool `json:"native,omitempty"`
}

// Recognised reports whether the text was an answer of Compiler.queue. Its heading is there even with nothing to
// compile, and under -Xint.
func (q CompilerQueue) Recognised() bool { return q.Active != nil }

var (
	compileTask = onUse(
		`^\s*(?:(\S.*?)\s+)?(?:\w+:)?(\d+) ([%sbn! ]{5}) (?:([0-9-]) )?\s+` +
			`(\S+::\S+)(?: @ -?\d+)?(?: \((?:native|(\d+) bytes)\))?`)
	compileQueue = onUse(`^(.*?) ?compile queue:`)
)

// ParseCompilerQueue parses the answer. It skips unknown lines in a queue.
func ParseCompilerQueue(text string) CompilerQueue {
	var q CompilerQueue
	for line := range strings.Lines(latin(text)) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "Current compiles:") {
			q.Active = []CompileTask{}
		} else if m := compileQueue().FindStringSubmatch(line); m != nil && q.Active != nil {
			q.Queues = append(q.Queues, CompileQueue{Compiler: m[1], Tasks: []CompileTask{}})
		} else if m := compileTask().FindStringSubmatch(line); m != nil && q.Active != nil {
			q.add(m)
		} else if q.Active != nil && strings.Contains(line, "::") {
			q.note(line)
		}
	}
	return q
}

func (q *CompilerQueue) add(m []string) {
	t := CompileTask{
		Thread: m[1], ID: whole(m[2]).Value, Level: whole(m[4]), Method: m[5], Bytes: whole(m[6]),
		OSR: strings.Contains(m[3], "%"), Blocking: strings.Contains(m[3], "b"), Native: strings.Contains(m[3], "n"),
	}
	if n := len(q.Queues); n > 0 {
		q.Queues[n-1].Tasks = append(q.Queues[n-1].Tasks, t)
		return
	}
	q.Active = append(q.Active, t)
}
