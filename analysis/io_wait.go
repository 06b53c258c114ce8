package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// ioLeast is how long a thread must have stood in one call to count as stuck: no
// peer that is well needs so long for a byte.
const ioLeast = 1500 * time.Millisecond

// ioDumps is how many dumps must show it there.
const ioDumps = 3

// ioSide is what is known of the far end of a call.
type ioSide uint8

const (
	sideUnknown ioSide = iota
	// sideAnswer: the thread asked, and waits for the answer or for room to write.
	sideAnswer
	// sideRequest: it waits for what others may send or not.
	sideRequest
)

// ioWaiter is a thread that stands in an I/O call.
type ioWaiter struct {
	h    *history
	op   opKind
	side ioSide
	// from is the other end, "10.0.0.5:5432", or a named pipe, empty if unknown.
	from string
	// printed tells that it writes to the JVM's own standard output or error output.
	printed bool
	// device tells that it stood in the kernel uninterruptibly, as for a disk, fifo that
	// it opens a named pipe of which nobody has opened the other end.
	device, fifo bool
	// awaited tells that somebody waits for the result of what it does, joined that
	// somebody waits for such a thread to end.
	awaited, joined bool
	// urgent tells that somebody other than main, which may have nothing else to do, waits
	// for the result.
	urgent bool
	// childPipe tells that it reads from or writes to a child process, children how those of
	// the process are known to do.
	childPipe bool
	children  children
	// starved tells that it wants something of a child process which does nothing.
	starved bool
	// outlives tells that it reads from a child process that has ended, and handed the pipe on.
	outlives bool
	// own tells a connection to the very process that waits.
	own bool
	// ends tells a read with a time limit, unheard see facts.unheard.
	ends, unheard bool
}

// detectIOWait reports threads of the program that stand in I/O and do not get on.
//
// Rule: the same stack in a call that reads, writes, connects, locks a file or
// waits for a child process in all of at least three dumps, for a second and a half
// or more, without CPU. A stack does not tell a request without answer from a
// reader whose peer is silent by design. What does: a write, a connect and a file
// lock wait for somebody else; a read from a connection that this process opened
// waits for an answer, unless it is the thread's whole job to read there, and so
// does one of application code that a library called; a read from a connection that
// was accepted waits for the next request; a job whose result others wait for is
// late (so is one that waits to be connected to), and so is the answer that a library
// waits for while a thread of its own does the I/O (rows !reply of idle.tsv); and so is a
// child process that uses no CPU and does not sleep for a time of its own, if somebody waits
// for the thread to end that waits for it, or if it waits for the JVM to read its output, be
// it that all children do while a thread reads from one of them (it is the errors then that nobody
// reads); and so is one that waits for input, if its output is read in the midst of work. If it does sleep
// so, the results that others than main want are late all the same; and so is the answer to a
// connection to a port of this very JVM at which connections wait and nobody accepts.
// What none of these tells is a hint, and so is a read with a time limit, whoever waits for it:
// it ends by itself, and a long poll looks the same.
func detectIOWait(f *facts) []candidate {
	found, told := f.emptyPipes()
	stuck, unsure := []ioWaiter{}, []ioWaiter{}
	all := slices.Clone(f.ioWaiters())
	f.markEnding(all)
	found = append(found, f.outlivedPipes(all, told)...)
	for _, w := range all {
		switch {
		case told[w.h.last()]:
		case w.stuck():
			stuck = append(stuck, w)
		case w.side != sideRequest:
			unsure = append(unsure, w)
		}
	}
	for _, group := range f.bySide(stuck) {
		found = append(found, f.ofSide(group))
	}
	if len(unsure) > 0 {
		found = append(found, f.ioFinding(ioGroup{waiters: unsure}, Info, Possible))
	}
	return slices.Concat(found, f.stuckSubtasks(), f.stuckVirtual())
}

// stuck reports that the wait is one that should have ended.
func (w ioWaiter) stuck() bool {
	switch w.op {
	case opWrite, opConnect, opFileLock:
		return true
	}
	switch {
	case w.names() || w.device || w.fifo:
		return true
	case w.op == opProcess && w.children.unread:
		return true
	case w.ends, w.ofChild() && (w.children.work || w.children.pause && !w.urgent):
		return false
	}
	return w.unheard || w.starved || w.side == sideAnswer || w.awaited && w.side != sideRequest
}

// dnsClient begins the names of the classes with which JNDI asks name servers.
const dnsClient = "com.sun.jndi.dns."

// names tells a thread that asks for the address or the records of a host.
func (w ioWaiter) names() bool {
	frames := w.h.last().Stack.Frames
	if strings.HasPrefix(frames[0].Class, "java.net.Inet") && frames[0].Native {
		return true
	}
	return slices.ContainsFunc(frames, func(f *threaddump.Frame) bool { return strings.HasPrefix(f.Class, dnsClient) })
}

// ioWaiters are the threads that the rule's first half fits, looked for once.
func (f *ioFacts) ioWaiters() []ioWaiter {
	if f.inIOWaits == nil {
		all := f.findIOWaiters()
		f.inIOWaits = &all
	}
	return *f.inIOWaits
}

func (f *ioFacts) findIOWaiters() []ioWaiter {
	wall := f.wall()
	if len(f.snaps) < ioDumps || wall.Known && wall.Value < ioLeast {
		return nil
	}
	var all []ioWaiter
	children := f.children()
	for _, h := range f.alive() {
		s := h.last()
		asked := f.acceptsForTask(h)
		if !h.thread.program() || !asked && (!isIO(s) && !s.asksByLibrary() || h.idle() && !children.wantMain(s)) {
			continue
		}
		if f.standingStill(h).dumps < len(f.snaps) {
			continue
		}
		w := ioWaiter{h: h, op: s.Stack.op.kind, awaited: f.awaited(h)}
		w.side = f.farEnd(h)
		w.lookAtFile(f)
		f.hear(&w)
		w.device = f.alwaysOnDevice(h)
		w.urgent = w.awaited && bringsResult(h.last().Stack) && f.wantResult(func(o *history) bool { return o != h && o.thread.Name != "main" })
		w.joined, w.children = len(f.joinersOf(h)) > 0, children
		w.starved = f.wantsChild(&w)
		all = append(all, w)
	}
	return f.manyAsk(all)
}

// acceptsForTask tells a task that waits for a connection which another thread than main
// wants the result of, as of a transfer that the other side is to begin. Loops of servers
// look the same but for that.
func (f *ioFacts) acceptsForTask(h *history) bool {
	s := h.last().Stack
	return s.op.kind == opAccept && bringsResult(s) && f.wantResult(func(o *history) bool {
		return o != h && o.thread.Name != "main" && o.last().Stack.begot(s)
	})
}

// lookAtFile fills in what is known of the file that the thread waits for.
func (w *ioWaiter) lookAtFile(f *ioFacts) {
	task := f.task(w.h)
	w.from, w.printed = cmp.Or(task.namedPipe(), task.Peer), task.File == "stdout"
	if w.own = task.asksItself(); w.own && w.from != "" {
		w.from += ", a port of this JVM itself"
	}
	w.fifo = w.op == opOpen && task.WaitChannel == fifoOpen
	w.childPipe = w.h.last().inPipeOfChild()
	w.outlives = w.childPipe && w.op == opRead && f.pipeOutlives(w.h)
}

// fifoOpen is the function of the kernel in which the opener of a named pipe waits for
// one of the other end.
const fifoOpen = "wait_for_partner"

// isIO tells a thread in a call that another process, host or device ends.
func isIO(s *Sample) bool {
	switch s.Stack.op.kind {
	case opRead, opWrite, opConnect, opFileLock, opOpen:
		return s.State == threaddump.Runnable || !s.wait.forLock()
	case opProcess:
		return true
	case opSelect, opAccept:
		return false
	}
	return s.wait == waitIO
}

// alwaysOnDevice reports that every dump found the thread in the kernel's
// uninterruptible sleep.
func (f *timeline) alwaysOnDevice(h *history) bool {
	for _, s := range f.snaps {
		if s.tasks[h.thread.NativeID].State != "D" {
			return false
		}
	}
	return true
}

// farEnd says who is at the other end of the file that the thread waits for.
func (f *timeline) farEnd(h *history) ioSide {
	task := f.last().tasks[h.thread.NativeID]
	if s := h.last(); s.asksByLibrary() {
		if !s.position().certain && isReaderLoop(s.Stack) {
			return sideUnknown
		}
		return sideAnswer
	}
	switch {
	case task.isClient() && isReaderLoop(h.last().Stack):
		return sideUnknown
	case task.isClient():
		return sideAnswer
	case task.File == "accepted-socket", task.File == "stdin":
		return sideRequest
	case calledByLibrary(h.last().Stack):
		return sideAnswer
	}
	return sideUnknown
}

// calledByLibrary tells a stack in which a library called the application, which
// then does the I/O: a server reads its requests itself, so that this is another
// connection, on which the application asked for something.
func calledByLibrary(s *Stack) bool {
	at := slices.Index(s.Frames, s.Application)
	if at < 0 {
		return false
	}
	for i, o := range originsOf(s.Frames)[at:] {
		if o == ofLibrary || startsWithAny(s.Frames[at+i].Class, jdkServers[:]) {
			return true
		}
	}
	return false
}

// jdkServers are the packages of the JDK that serve requests.
var jdkServers = [...]string{"sun.net.httpserver.", "sun.rmi.", "com.sun.jmx."}

// jdkClients are classes that ask and wait for the answer, which comes or is late:
// unlike a stream of events that may be silent. A driver greets its database below
// DriverManager, and begins to read only then.
var jdkClients = [...]string{"sun.net.www.http.HttpClient", "sun.rmi.transport.StreamRemoteCall", "com.sun.jndi.ldap.Connection", "java.sql.DriverManager"}

func startsWithAny(s string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

// isReaderLoop tells a thread whose whole job is to read there: a library's own, or
// one method of the application under the start of the thread. A client of a
// protocol of questions and answers is none.
func isReaderLoop(s *Stack) bool {
	if s.Application == nil {
		return true
	}
	methods := 0
	for i, o := range originsOf(s.Frames) {
		fr := s.Frames[i]
		if startsWithAny(fr.Class, jdkClients[:]) {
			return false
		}
		if o == ofLibrary {
			continue
		}
		if !isJDK(fr) && !isGenerated(fr.Class) && !strings.HasPrefix(fr.Method, "lambda$") {
			methods++
		}
	}
	return methods <= 1 && (s.root == nil || s.root.kind > rootForkJoin)
}

func (f *ioFacts) ioFinding(group ioGroup, severity Severity, confidence Confidence) candidate {
	waiters := group.waiters
	slices.SortStableFunc(waiters, func(a, b ioWaiter) int {
		return cmp.Or(cmp.Compare(a.h.thread.Name, b.h.thread.Name), cmp.Compare(a.h.thread.ID, b.h.thread.ID))
	})
	behind := f.behindIO(waiters)
	behind = append(behind, allBut(group.asking, behind)...)
	result := Finding{
		Severity: severity, Confidence: confidence,
		Title:  f.ioTitle(waiters, len(behind)),
		Advice: ioAdvice(waiters, len(behind), severity), Victims: f.refs(behind),
	}
	for _, w := range waiters {
		result.Culprits = append(result.Culprits, f.ref(w.h.last()))
	}
	const shown = 3
	for _, w := range waiters[:min(shown, len(waiters))] {
		result.Evidence = append(result.Evidence, f.placeEvidence(w.h)...)
		if task := f.last().tasks[w.h.thread.NativeID]; task.WaitChannel != "" {
			result.Evidence = append(result.Evidence, figure(fmt.Sprintf("%s sleeps in the kernel's %s%s",
				w.h.thread.called(), task.WaitChannel, onFile(task))))
		}
	}
	c := candidate{Finding: result, behind: result.saturates()}
	if severity != Info && !slices.ContainsFunc(waiters, func(w ioWaiter) bool { return w.op != opProcess || !w.children.unread }) {
		waiting := newBlame(&result).culprits
		c.behind = func(effect *Finding) bool { // the child waits for its parent, whatever that is to others
			return effect.Kind == KindExecutorSaturated && allAmong(effect.Culprits, waiting)
		}
	}
	return c
}

func onFile(t Task) string {
	switch {
	case t.namedPipe() != "":
		return ", on " + t.namedPipe()
	case t.Peer != "":
		return ", on the connection to " + t.Peer
	case t.File != "":
		return ", on a " + t.File
	}
	return ""
}
