package timeline

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/threaddump"
)

// Resting is the row of the table that the thread's position fits, nil if none or
// if it is one that looks idle and is not.
func (s *Sample) Resting() *stack.RestRule {
	r := s.Position()
	if r == nil || r.Not || s.State == threaddump.Blocked && !s.notified() {
		return nil
	}
	return r
}

// Position is the row of the table that the thread's stack fits, nil if none.
func (s *Sample) Position() *stack.RestRule {
	if s.Thread.Name == "main" {
		return s.Stack.RestAsMain
	}
	return s.Stack.Rest
}

// notified tells a thread that was woken from its own wait() and wants back the
// monitor of it.
func (s *Sample) notified() bool {
	return s.Wait == stack.WaitMonitor && s.Stack.Op.Kind == stack.OpNotify
}

// Idle reports that the thread has nothing to do at the end of the capture, as far
// as its position tells. One that uses CPU over the capture has.
func (h *History) Idle() bool {
	return h.Last().Resting() != nil && !h.Works()
}

// SurelyIdle is Idle at a place where a thread waits only if it has nothing to do (column "certain" of idle.tsv).
func (h *History) SurelyIdle() bool { return h.Idle() && h.Last().Resting().Certain }

// OnlyServes reports the idle loop of a server, which receives requests and no answers.
func (h *History) OnlyServes() bool {
	idle := !slices.ContainsFunc(h.Samples, func(s *Sample) bool { return s.Resting() == nil })
	return idle && h.Idle() && slices.ContainsFunc(serverLoops[:], func(class string) bool {
		return h.Last().Stack.IsInside(class, "run")
	})
}

// serverLoops are the threads of servers that take connections and requests.
var serverLoops = [...]string{
	"sun.net.httpserver.ServerImpl$Dispatcher", "sun.rmi.transport.tcp.TCPTransport$AcceptLoop",
	"org.apache.tomcat.util.net.NioEndpoint$Poller", "org.apache.tomcat.util.net.Acceptor",
}

// MainAtWork reports that the main thread waits for something that happens once, at least two methods deep: this is
// not the latch at which it waits for the end of the program.
func MainAtWork(s *Sample) bool {
	kind := s.Stack.Op.Kind
	return s.Thread.Name == "main" && stack.IsOnce(kind) && kind != stack.OpPermit && isDeepWork(s.Stack.Program(), 3)
}

// isDeepWork tells a stack of main with so many of the program's own frames at least: not
// counting the outermost, none of a method to stay in.
func isDeepWork(own []*threaddump.Frame, least int) bool {
	return len(own) >= least && !slices.ContainsFunc(own[:len(own)-1], func(f *threaddump.Frame) bool {
		return slices.Contains(stayMethods[:], f.Method) || strings.HasSuffix(f.Method, "Close") ||
			strings.HasSuffix(f.Method, "Signal")
	})
}

// stayMethods are names of methods in which main stays as long as the program does, as it
// does in awaitClose and waitForSignal.
var stayMethods = [...]string{"run", "start", "serve", "await", "block", "hang", "listen", "launch", "loop", "park",
	"idle", "hold", "stay"}
