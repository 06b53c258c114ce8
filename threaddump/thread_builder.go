package threaddump

import (
	"bytes"
	"fmt"
)

// threadBuilder makes the threads of a text dump of what their lines say.
type threadBuilder struct {
	*input
	slabs
	d *Dump

	// The thread that is being read. open is true while its stack goes on: no empty line has come yet.
	cur       *Thread
	open      bool
	mounted   bool // the lines belong to the mounted virtual thread
	frames    []*Frame
	last      int32 // entry of the last of them in the Interner
	stackHash uint64
	run       []int32 // entries of those since the last line that was not a frame
	runAfter  int32   // entry of the frame above run

	locks, mountedLocks []Lock

	alone    bool // threads are in the JVM's deadlock report only, as where it was copied out
	parts    bool // the dump begins with a thread or a report whose head is lost
	debugger bool // a debugger wrote it, without a head
	cutWidth int  // of the headers that the end of a screen's line cut, 0 if none was

	moreProblems int
}

// startThread begins the thread of a header; more is how many are known to follow.
func (t *threadBuilder) startThread(h *header, line, more int) {
	th := t.newThread(t.d, more)
	th.Name = t.in.threadName(h.name)
	th.ID, th.TID, th.NativeID, th.Line = h.id, h.tid, h.nativeID, line
	th.Daemon = h.daemon
	th.Priority, th.OSPriority = h.priority, h.osPriority
	th.CPU, th.Elapsed = h.cpu, h.elapsed
	th.Allocated, th.DefinedClasses = h.allocated, h.classes
	th.Condition = t.in.string(h.condition)
	th.Stackless = h.stackAddress == 0
	th.Unnumbered = h.unnumbered
	t.cur, t.open = th, true
	if h.unread != nil {
		t.note(line, string(h.unread[:min(len(h.unread), maxQuote)]),
			"a number of this thread in an unknown format: it is left out")
	}
}

// endStack gives the frames read so far to the thread.
func (t *threadBuilder) endStack() {
	if len(t.frames) == 0 {
		return
	}
	stack := t.in.stack(t.stackHash, t.frames)
	if t.mounted {
		t.cur.MountedStack = stack
	} else {
		t.cur.Stack = stack
	}
	t.popAll()
}

// endThread completes the current thread.
func (t *threadBuilder) endThread() {
	if t.cur == nil {
		return
	}
	t.endStack()
	if t.cutWidth > 0 && t.cur.ID == 0 && len(t.cur.Stack) > 0 {
		t.cur.Unnumbered = true // whose stack address was cut off
	}
	if t.cur.Unnumbered && t.cur.State == StateUnknown {
		t.cur.State, t.cur.StateDetail = stateByStack(t.cur.Condition, t.cur.Stack)
	}
	if (t.alone || t.parts) && t.cur.State == StateUnknown {
		t.cur.State, t.cur.StateDetail = stateByLines(t.locks, t.cur.Stack)
	}
	t.cur.Locks = t.keepLocks(t.d, t.locks)
	t.cur.MountedLocks = t.keepLocks(t.d, t.mountedLocks)
	t.forgetThread()
	t.src.keep = -1
}

// dropThread takes the current thread back.
func (t *threadBuilder) dropThread() {
	t.d.Threads = t.d.Threads[:len(t.d.Threads)-1]
	t.forgetThread()
}

func (t *threadBuilder) forgetThread() {
	t.cur, t.open, t.mounted = nil, false, false
	t.popAll()
	t.locks, t.mountedLocks = t.locks[:0], t.mountedLocks[:0]
}

func (t *threadBuilder) problem(line []byte, message string) {
	t.note(t.lineNo(), string(line[:min(len(line), maxQuote)]), message)
}

// endsInside notes that a line is the last and has no end.
func (t *threadBuilder) endsInside(line []byte, what string) {
	t.problem(line, "the input ends inside this "+what)
	t.d.Cut = true
}

func (t *threadBuilder) note(line int, text, message string) {
	if len(t.d.Problems) < maxProblems {
		t.d.Problems = append(t.d.Problems, Problem{Line: line, Text: text, Message: message})
		return
	}
	t.moreProblems++
	t.d.Problems[maxProblems-1].Message = fmt.Sprintf("%s; %d more like these follow", message, t.moreProblems)
}

// lost counts a thread that could not be read.
func (t *threadBuilder) lost(line []byte) {
	t.problem(line, "a thread that could not be read")
	t.d.Lost++
}

// stateLine reads the lines between a header and the stack:
//
//	java.lang.Thread.State: TIMED_WAITING (parking)
//	Carrying virtual thread #23           21 and newer
//	Mounted virtual thread #23            25 and newer, its frames follow
//	No compile task                       compiler threads, 11 and newer
//	Compiling: 1165       4       a.B::m (39 bytes)
//	JavaThread state: _thread_blocked     jhsdb
//	Stack unknown: it runs Java code      jstall, from memory
//	Rest of the stack unknown: …          after the frames
//	Stack from registers: …               jstall, from memory
func (t *threadBuilder) stateLine(text []byte) bool {
	if rest, ok := bytes.CutPrefix(text, []byte("java.lang.Thread.State: ")); ok {
		t.cur.State, t.cur.StateDetail, ok = parseState(rest, t.in)
		return ok
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Carrying virtual thread #")); ok {
		t.cur.Carrying, ok = parseInt(rest)
		return ok
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Mounted virtual thread #")); ok {
		return t.mount(rest)
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Compiling:")); ok {
		t.cur.Compiler = true
		t.cur.CompileTask = string(bytes.TrimSpace(rest))
		return true
	}
	for i, begin := range [...]string{"Stack unknown: ", "Rest of the stack unknown: "} {
		if rest, ok := bytes.CutPrefix(text, []byte(begin)); ok {
			t.cur.Unread, t.cur.Cut = t.in.string(rest), i == 1
			return true
		}
	}
	if rest, ok := bytes.CutPrefix(text, []byte("Stack from registers: ")); ok {
		t.cur.Approximate = t.in.string(rest)
		return true
	}
	switch {
	case string(text) == "No compile task":
		t.cur.Compiler = true
	case string(text) == ownedText:
		t.d.OwnersListed = true
	case bytes.HasPrefix(text, []byte("JavaThread state: ")):
	default:
		return false
	}
	return true
}

// mount ends the carrier's own stack.
func (t *threadBuilder) mount(id []byte) bool {
	v, ok := parseInt(id)
	if ok {
		t.endStack()
		t.cur.Carrying, t.mounted = v, true
	}
	return ok
}

func (t *threadBuilder) lock(line, text []byte) {
	if t.src.unended && line[len(line)-1] != ')' {
		t.endsInside(line, "line")
		return
	}
	t.boundThread(0, len(t.locks)+len(t.mountedLocks))
	l := parseLock(text, t.in)
	l.Line = t.lineNo()
	l.Depth = len(t.frames) - 1
	switch l.Op {
	case OwnsSynchronizer:
		l.Depth = -1
	case LockUnknown:
		t.problem(line, "an unknown line under a frame")
	}
	if t.mounted && l.Op != OwnsSynchronizer {
		t.mountedLocks = append(t.mountedLocks, l)
		return
	}
	t.locks = append(t.locks, l)
}

// cutAt notes the width at which the dump's lines are cut.
func (t *threadBuilder) cutAt(line []byte, width int) {
	if t.cutWidth == 0 {
		t.problem(line, "headers are cut at the edge of a screen: native ids and more are missing")
	}
	t.cutWidth, t.d.CutAt = width, width
}
