package iowaits

import (
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// ioSide is what is known about the peer of an I/O call.
type ioSide uint8

const (
	sideUnknown ioSide = iota
	// sideAnswer: the thread sent a request, and waits for the answer or for room to write.
	sideAnswer
	// SideRequest: the thread waits for data that a peer may or may not send.
	SideRequest
)

// farEnd returns what is at the other end of the connection or file that the thread waits for.
func (f *Waits) farEnd(h *timeline.History) ioSide {
	task := f.task(h)
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
	case task.File == "accepted-socket", task.File == "stdin", task.File == "" && readsStdin(h.Last()):
		return SideRequest
	case calledByLibrary(h.Last().Stack):
		return sideAnswer
	case f.Timeline.Acceptors.Started(h.Last()) || receivesDatagrams(h.Last().Stack):
		return SideRequest
	}
	return sideUnknown
}

// receivesDatagrams reports whether the only job of a thread is to receive datagrams, which a peer may or may not send.
func receivesDatagrams(s *stack.Stack) bool {
	return (s.IsInside("java.net.DatagramSocket", "receive") || s.IsInside("java.net.MulticastSocket", "receive")) &&
		IsReaderLoop(s)
}

// calledByLibrary reports whether a library called the application, which then does the I/O. A server reads its
// requests itself, so this is another connection, on which the application sent a request.
func calledByLibrary(s *stack.Stack) bool {
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

// jdkClients are classes that send a request and wait for the answer, unlike a stream of events that may be silent. A
// JDBC driver exchanges its first messages with the database below DriverManager, and starts its reader thread later.
var jdkClients = [...]string{"sun.net.www.http.HttpClient", "sun.rmi.transport.StreamRemoteCall",
	"com.sun.jndi.ldap.Connection", "java.sql.DriverManager"}

// IsReaderLoop reports whether the only job of a thread is to read there: the stack has only a library's own code, or
// one method of the application above the start of the thread. A client of a request-response protocol is not a reader
// loop.
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

// isPoller reports whether this is the JDK's thread that wakes virtual threads when their sockets are ready. It is
// itself virtual since JDK 22.
func isPoller(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return f.Class == "sun.nio.ch.Poller" && strings.HasSuffix(f.Method, "Loop")
	})
}

// httpClient is the JDK's class behind java.net.http.HttpClient.
const httpClient = "jdk.internal.net.http.HttpClientImpl"

// waitsForPoller reports whether a virtual thread is unmounted until its socket is ready.
func waitsForPoller(s *timeline.Sample) bool {
	const top = 8
	return s.Thread.Virtual && slices.ContainsFunc(s.Stack.Frames[:min(top, len(s.Stack.Frames))],
		func(f *threaddump.Frame) bool {
			return f.Class == "sun.nio.ch.Poller" && strings.HasPrefix(f.Method, "poll")
		})
}

// selectsForHTTP reports whether the thread reads for a java.net.http.HttpClient.
func selectsForHTTP(s *stack.Stack) bool { return s.IsInside(httpClient+"$SelectorManager", "") }

// asksByHTTP reports whether a thread waits for an answer to a java.net.http.HttpClient.
func asksByHTTP(s *timeline.Sample) bool {
	return s.AsksByLibrary() && s.Stack.IsInside(httpClient, "")
}

// sideOf returns what the connections that some threads poll have in common; empty where the kernel did not show it.
func sideOf(f *timeline.Timeline, polls func(*stack.Stack) bool) timeline.Task {
	var side timeline.Task
	for i := range f.Last().Samples {
		s := &f.Last().Samples[i]
		task := f.Last().Tasks[s.Thread.NativeID]
		switch {
		case task.File == "" || !polls(s.Stack):
		case side.File != "" && side.File != task.File:
			return timeline.Task{File: "socket"}
		default:
			side = task
		}
	}
	return side
}

// polledSide is what the connections have in common that virtual threads wait on.
func polledSide(f *timeline.Timeline) timeline.Task { return sideOf(f, isPoller) }

// httpSideOf is what the connections of all java.net.http.HttpClients have in common. Since JDK 26 virtual threads
// poll them.
func httpSideOf(f *timeline.Timeline) timeline.Task {
	if side := sideOf(f, selectsForHTTP); side.File != "" {
		return side
	}
	return polledSide(f)
}
