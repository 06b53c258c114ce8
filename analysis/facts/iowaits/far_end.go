package iowaits

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// ioSide is what is known of the far end of a call.
type ioSide uint8

const (
	sideUnknown ioSide = iota
	// sideAnswer: the thread asked, and waits for the answer or for room to write.
	sideAnswer
	// SideRequest: it waits for what others may send or not.
	SideRequest
)

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
var jdkClients = [...]string{"sun.net.www.http.HttpClient", "sun.rmi.transport.StreamRemoteCall",
	"com.sun.jndi.ldap.Connection", "java.sql.DriverManager"}

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
