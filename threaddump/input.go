package threaddump

import (
	"bytes"
	"fmt"
	"time"
)

// input is what the parsers of all forms read: the lines of a Reader's input, and what its dumps share.
type input struct {
	lines
	in         *Interner
	countAlike bool // leave out virtual threads that are alike; see WithAlikeCounted
	// again is true if the line read last begins the next dump.
	again bool
	// before are the newest lines outside of dumps: time and version are above the line at which a dump begins.
	before     [4][]byte
	beforeLine int       // number of the newest of them
	logged     time.Time // of the newest line of them that begins with a time
	loggedLine int       // its number
	apparent   bool      // one of all such lines had c3p0's claim
	report     watchdogReport
	// startOf recognises a line at which a dump begins. Parsers of one form do not know the others.
	startOf func(line []byte) start
}

// anchor is what in a line shows that a dump begins.
type anchor uint8

const (
	noAnchor anchor = iota
	// headAnchor: Full thread dump OpenJDK 64-Bit Server VM (21.0.13+9 mixed mode, sharing):
	headAnchor
	// threadAnchor: a thread's header, where the dump's was cut away.
	threadAnchor
	// deadlockAnchor: the JVM's deadlock report alone.
	deadlockAnchor
	// debuggerAnchor: a thread of jstack -F.
	debuggerAnchor
	// stateAnchor: the line with the state of a thread whose header is lost; stackAnchor: a lock under a frame.
	stateAnchor
	stackAnchor
	// namedAnchor: a thread of the JVM's deadlock report without its headings.
	namedAnchor
	// ideAnchor and those after it: the forms of the table, in its order.
	ideAnchor
	actuatorAnchor
	jsonAnchor
	plainAnchor
	beanAnchor
	otherForms // those that no parser asks for
)

// firstForm is the anchor of the first form in the table.
const firstForm = ideAnchor

// start is what a line shows of the dump that begins with it.
type start struct {
	anchor
	// alone is true if the line ends the dump before it, whatever that is of.
	alone bool
	// second recognises the line after it; nil if the line alone is proof enough.
	second func(text []byte) bool
}

// remembered is how much of a line is kept for what comes after it.
const remembered = 1024

// remember keeps the beginning of a line for what comes after it.
func (r *input) remember(line []byte) {
	r.beforeLine = r.lineNo()
	if at, ok := stampOf(r.raw); ok {
		r.logged, r.loggedLine = at, r.lineNo()
	}
	r.apparent = r.apparent || bytes.Contains(line[:min(len(line), remembered)], []byte(apparentText))
	r.report.note(line[:min(len(line), remembered)], r.beforeLine)
	oldest := r.before[len(r.before)-1]
	copy(r.before[1:], r.before[:])
	r.before[0] = append(oldest[:0], line[:min(len(line), remembered)]...)
}

// nextIs reports whether the next line is one of a kind, and leaves it to be read.
func (r *input) nextIs(kind func(text []byte) bool) bool {
	after := r.mark()
	r.src.keep = after.offset
	line, ok := r.lines.next()
	ok = ok && kind(bytes.TrimSpace(line))
	r.rewind(after)
	r.src.keep = -1
	return ok
}

// begins reports whether a dump begins here, as far as this line and the next one show it.
func (r *input) begins(s start) bool {
	if s.anchor < firstForm {
		return s.anchor < stateAnchor
	}
	return s.second == nil || r.nextIs(s.second)
}

// only is a list of one dump, or of none if it is nil.
func only(d *Dump) []*Dump {
	if d == nil {
		return nil
	}
	return []*Dump{d}
}

// shortestAnchor is how long a line with an anchor is at least.
const shortestAnchor = 6 // #1 "a"

// tooMany ends the reading of the input, as if it were cut here.
func (r *input) tooMany(n int, what string) { r.tooMuch(fmt.Sprintf("more than %d %s", n, what)) }

func (r *input) tooMuch(what string) {
	r.rest = nil
	r.src.stop(&BoundError{what})
}

// boundThread ends the reading if a dump, or a thread of it, holds too much.
func (r *input) boundThread(frames, locks int) {
	switch {
	case frames > maxFrames:
		r.tooMany(maxFrames, "frames in one thread")
	case locks > maxLocks:
		r.tooMany(maxLocks, "locks in one thread")
	default:
		r.boundText()
	}
}

// boundDump ends the reading if a dump has too many threads, or too much in them.
func (r *input) boundDump(threads, alike int) {
	switch {
	case threads > maxThreads:
		r.tooMany(maxThreads, "threads in one dump")
	case alike > maxAlike:
		r.tooMany(maxAlike, "threads in one dump")
	default:
		r.boundText()
	}
}

func (r *input) boundText() {
	switch in := r.in; {
	case in.newFrames > maxNewFrames:
		r.tooMany(maxNewFrames, "different frames in one dump")
	case in.stackFrames > maxStackFrames:
		r.tooMany(maxStackFrames, "frames in different stacks of one dump")
	case in.copied > maxText:
		r.tooMuch(fmt.Sprintf("more than %d MB of different names in one dump", maxText>>20))
	}
}

const apparentText = "APPARENT DEADLOCK!!!"
