package threaddump

import (
	"bytes"
	"fmt"
)

// begin starts the thread of a header.
func (t *textDump) begin(h *header, line int) {
	t.endThread()
	t.foreign.end(t)
	t.boundDump(len(t.d.Threads), 0)
	t.section = inThreads
	t.open = true
	if t.smr.closed {
		if i := t.smr.find(h.tid); h.id > 0 && i >= 0 {
			t.smr.take(i)
		}
	} else {
		t.start = t.here()
		t.src.keep = t.start.offset
	}
	// The list tells how many Java threads come; the JVM's own follow.
	th := t.newThread(t.d, t.smr.left+1)
	th.Name = t.in.threadName(h.name)
	th.ID, th.TID, th.NativeID, th.Line = h.id, h.tid, h.nativeID, line
	th.Daemon = h.daemon
	th.Priority, th.OSPriority = h.priority, h.osPriority
	th.CPU, th.Elapsed = h.cpu, h.elapsed
	th.Allocated, th.DefinedClasses = h.allocated, h.classes
	th.Condition = t.in.string(h.condition)
	th.Stackless = h.stackAddress == 0
	th.Unnumbered = h.unnumbered
	t.cur = th
	if h.unread != nil {
		t.note(line, string(h.unread[:min(len(h.unread), maxQuote)]),
			"a number of this thread in an unknown format: it is left out")
	}
}

// endStack gives the frames read so far to the thread.
func (t *textDump) endStack() {
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
func (t *textDump) endThread() {
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
	if (t.locked.alone || t.parts) && t.cur.State == StateUnknown {
		t.cur.State, t.cur.StateDetail = stateByLines(t.locks, t.cur.Stack)
	}
	t.cur.Locks = t.keepLocks(t.d, t.locks)
	t.cur.MountedLocks = t.keepLocks(t.d, t.mountedLocks)
	t.forgetThread()
	t.src.keep = -1
}

// dropThread takes the current thread back.
func (t *textDump) dropThread() {
	t.d.Threads = t.d.Threads[:len(t.d.Threads)-1]
	t.forgetThread()
}

func (t *textDump) forgetThread() {
	t.cur, t.open, t.mounted = nil, false, false
	t.popAll()
	t.locks, t.mountedLocks = t.locks[:0], t.mountedLocks[:0]
}

// slabs hands out Threads and Locks of one dump: thousands are a few objects.
type slabs struct {
	threads []Thread
	locks   []Lock
	spare   *Thread // taken back, to be handed out next
}

// newThread adds a thread to the dump; more is how many are known to come.
func (s *slabs) newThread(d *Dump, more int) *Thread {
	if th := s.spare; th != nil {
		s.spare = nil
		d.Threads = append(d.Threads, th)
		return th
	}
	if len(s.threads) == 0 {
		n := max(more, min(max(16, len(d.Threads)/2), 512))
		s.threads = make([]Thread, n)
		if d.Threads == nil {
			d.Threads = make([]*Thread, 0, n+16)
		}
	}
	th := &s.threads[0]
	s.threads = s.threads[1:]
	d.Threads = append(d.Threads, th)
	return th
}

// takeBack takes the thread that was added last out of the dump.
func (s *slabs) takeBack(d *Dump) {
	last := len(d.Threads) - 1
	s.spare = d.Threads[last]
	*s.spare = Thread{}
	d.Threads = d.Threads[:last]
}

// keepLocks copies a thread's locks.
func (s *slabs) keepLocks(d *Dump, locks []Lock) []Lock {
	n := len(locks)
	if n == 0 {
		return nil
	}
	if len(s.locks) < n {
		s.locks = make([]Lock, max(n, min(512, 16+len(d.Threads)/2)))
	}
	kept := s.locks[:n:n]
	s.locks = s.locks[n:]
	copy(kept, locks)
	return kept
}

const (
	// maxProblems bounds what is kept per dump; more are counted.
	maxProblems = 200
	// maxQuote is how much of a line a Problem quotes.
	maxQuote = 200
)

func (t *textDump) problem(line []byte, message string) {
	t.note(t.lineNo(), string(line[:min(len(line), maxQuote)]), message)
}

// endsInside notes that a line is the last and has no end.
func (t *textDump) endsInside(line []byte, what string) {
	t.problem(line, "the input ends inside this "+what)
	t.d.Cut = true
}

func (t *textDump) note(line int, text, message string) {
	if len(t.d.Problems) < maxProblems {
		t.d.Problems = append(t.d.Problems, Problem{Line: line, Text: text, Message: message})
		return
	}
	t.moreProblems++
	t.d.Problems[maxProblems-1].Message = fmt.Sprintf("%s; %d more like these follow", message, t.moreProblems)
}

// lost counts a thread that could not be read.
func (t *textDump) lost(line []byte) {
	t.problem(line, "a thread that could not be read")
	t.d.Lost++
}

// foreignLines gathers lines between those of a dump that are none of it, as
// when an application writes to the same output.
type foreignLines struct {
	text        []byte
	first, last int
}

func (f *foreignLines) add(t *textDump, line []byte) {
	n := t.lineNo()
	if t.section == inHead {
		return // before the first thread
	}
	if f.first == 0 || n > f.last+1 {
		f.end(t)
		f.first = n
		f.text = append(f.text[:0], line[:min(len(line), maxQuote)]...)
	}
	f.last = n
	if isException(line) {
		t.open = false // the frames that follow are the exception's
	}
}

// atEnd forgets lines that no thread followed: what people write under a dump.
func (f *foreignLines) atEnd() { f.first = 0 }

// end makes a Problem of the lines gathered.
func (f *foreignLines) end(t *textDump) {
	if f.first == 0 {
		return
	}
	message := "no line of a thread dump"
	if n := f.last - f.first + 1; n > 1 {
		message = fmt.Sprintf("%d lines that are none of a thread dump", n)
	}
	t.note(f.first, string(f.text), message)
	f.first = 0
}

// isException knows the first line of an exception's stack trace:
// "java.lang.IllegalStateException: text".
func isException(line []byte) bool {
	for _, kind := range []string{"Exception", "Error", "Throwable"} {
		i := bytes.Index(line, []byte(kind))
		if i < 1 || !isAlnum(line[i-1]) && line[i-1] != '.' {
			continue
		}
		if end := i + len(kind); end == len(line) || line[end] == ':' {
			return true
		}
	}
	return false
}
