package iowaits

import (
	"cmp"
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// IODumps is how many dumps must show it there.
const IODumps = 3

// Stuck reports that the wait is one that should have ended.
func (w Waiter) Stuck() bool {
	switch w.Op {
	case stack.OpWrite, stack.OpConnect, stack.OpFileLock:
		return true
	}
	switch {
	case w.names() || w.device || w.fifo:
		return true
	case w.Op == stack.OpProcess && w.Children.Unread:
		return true
	case w.Ends, w.ofChild() && (w.Children.work || w.Children.pause && !w.urgent):
		return false
	}
	return w.unheard || w.starved || w.Side == sideAnswer || w.Awaited && w.Side != SideRequest
}

// names tells a thread that asks for the address or the records of a host.
func (w Waiter) names() bool {
	frames := w.H.Last().Stack.Frames
	if strings.HasPrefix(frames[0].Class, "java.net.Inet") && frames[0].Native {
		return true
	}
	return slices.ContainsFunc(frames, func(f *threaddump.Frame) bool { return strings.HasPrefix(f.Class, stack.DNSClient) })
}

// IOWaiters are the threads that the rule's first half fits, looked for once.
func (f *Waits) IOWaiters() []Waiter {
	if f.inIOWaits == nil {
		all := f.findIOWaiters()
		f.inIOWaits = &all
	}
	return *f.inIOWaits
}

func (f *Waits) findIOWaiters() []Waiter {
	wall := f.Wall()
	if len(f.Snaps) < IODumps || wall.Known && wall.Value < stack.IOLeast {
		return nil
	}
	var all []Waiter
	children := Children(f.Timeline)
	for _, h := range f.Alive() {
		s := h.Last()
		asked := f.acceptsForTask(h)
		if !h.Thread.Program() || !asked && (!timeline.IsIO(s) && !s.AsksByLibrary() || h.Idle() && !children.wantMain(s)) {
			continue
		}
		if f.StandingStill(h).Dumps < len(f.Snaps) {
			continue
		}
		w := Waiter{H: h, Op: s.Stack.Op.Kind, Awaited: f.awaited(h)}
		w.Side = farEnd(f.Timeline, h)
		w.LookAtFile(f)
		hear(f.Timeline, &w)
		w.device = alwaysOnDevice(f.Timeline, h)
		w.urgent = w.Awaited && bringsResult(h.Last().Stack) && f.wantResult(func(o *timeline.History) bool { return o != h && o.Thread.Name != "main" })
		w.Joined, w.Children = len(f.JoinersOf(h)) > 0, children
		w.starved = wantsChild(f.Timeline, &w)
		all = append(all, w)
	}
	return manyAsk(f.Timeline, all)
}

// acceptsForTask tells a task that waits for a connection which another thread than main
// wants the result of, as of a transfer that the other side is to begin. Loops of servers
// look the same but for that.
func (f *Waits) acceptsForTask(h *timeline.History) bool {
	s := h.Last().Stack
	return s.Op.Kind == stack.OpAccept && bringsResult(s) && f.wantResult(func(o *timeline.History) bool {
		return o != h && o.Thread.Name != "main" && o.Last().Stack.Begot(s)
	})
}

// LookAtFile fills in what is known of the file that the thread waits for.
func (w *Waiter) LookAtFile(f *Waits) {
	task := f.task(w.H)
	w.from, w.printed = cmp.Or(NamedPipe(task), task.Peer), task.File == "stdout"
	if w.own = task.AsksItself(); w.own && w.from != "" {
		w.from += ", a port of this JVM itself"
	}
	w.fifo = w.Op == stack.OpOpen && task.WaitChannel == fifoOpen
	w.ChildPipe = inPipeOfChild(w.H.Last())
	w.Outlives = w.ChildPipe && w.Op == stack.OpRead && pipeOutlives(f.Timeline, w.H)
}

// fifoOpen is the function of the kernel in which the opener of a named pipe waits for
// one of the other end.
const fifoOpen = "wait_for_partner"

// alwaysOnDevice reports that every dump found the thread in the kernel's
// uninterruptible sleep.
func alwaysOnDevice(f *timeline.Timeline, h *timeline.History) bool {
	for _, s := range f.Snaps {
		if s.Tasks[h.Thread.NativeID].State != "D" {
			return false
		}
	}
	return true
}

// farEnd says who is at the other end of the file that the thread waits for.
func farEnd(f *timeline.Timeline, h *timeline.History) ioSide {
	task := f.Last().Tasks[h.Thread.NativeID]
	if s := h.Last(); s.AsksByLibrary() {
		if !s.Position().Certain && IsReaderLoop(s.Stack) {
			return sideUnknown
		}
		return sideAnswer
	}
	switch {
	case task.IsClient() && IsReaderLoop(h.Last().Stack):
		return sideUnknown
	case task.IsClient():
		return sideAnswer
	case task.File == "accepted-socket", task.File == "stdin":
		return SideRequest
	case CalledByLibrary(h.Last().Stack):
		return sideAnswer
	}
	return sideUnknown
}

// CalledByLibrary tells a stack in which a library called the application, which
// then does the I/O: a server reads its requests itself, so that this is another
// connection, on which the application asked for something.
func CalledByLibrary(s *stack.Stack) bool {
	at := slices.Index(s.Frames, s.Application)
	if at < 0 {
		return false
	}
	for i, o := range stack.OriginsOf(s.Frames)[at:] {
		if o == stack.OfLibrary || stack.StartsWithAny(s.Frames[at+i].Class, jdkServers[:]) {
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

// IsReaderLoop tells a thread whose whole job is to read there: a library's own, or
// one method of the application under the start of the thread. A client of a
// protocol of questions and answers is none.
func IsReaderLoop(s *stack.Stack) bool {
	if s.Application == nil {
		return true
	}
	methods := 0
	for i, o := range stack.OriginsOf(s.Frames) {
		fr := s.Frames[i]
		if stack.StartsWithAny(fr.Class, jdkClients[:]) {
			return false
		}
		if o == stack.OfLibrary {
			continue
		}
		if !stack.IsJDK(fr) && !stack.IsGenerated(fr.Class) && !strings.HasPrefix(fr.Method, "lambda$") {
			methods++
		}
	}
	return methods <= 1 && (s.Root == nil || s.Root.Kind > stack.RootForkJoin)
}
