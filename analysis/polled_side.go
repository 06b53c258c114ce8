package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// polls tells what wakes virtual threads when their sockets are ready, itself a
// virtual thread since 22.
func (s *Stack) polls() bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return f.Class == "sun.nio.ch.Poller" && strings.HasSuffix(f.Method, "Loop")
	})
}

// httpClient is what the classes of java.net.http.HttpClient begin with.
const httpClient = "jdk.internal.net.http.HttpClient"

// selectsForHTTP tells the thread that reads for a java.net.http.HttpClient.
func (s *Stack) selectsForHTTP() bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool { return f.Class == httpClient+"Impl$SelectorManager" })
}

// asksByHTTP tells a thread that waits for an answer to such a client.
func (s *Sample) asksByHTTP() bool {
	return s.asksByLibrary() && slices.ContainsFunc(s.Stack.Frames, func(f *threaddump.Frame) bool { return f.Class == httpClient+"Impl" })
}

// sideOf is what the connections have in common that some threads poll; empty where the
// kernel did not tell.
func (f *timeline) sideOf(polls func(*Stack) bool) Task {
	var side Task
	for i := range f.last().samples {
		s := &f.last().samples[i]
		task := f.last().tasks[s.Thread.NativeID]
		switch {
		case task.File == "" || !polls(s.Stack):
		case side.File != "" && side.File != task.File:
			return Task{File: "socket"}
		default:
			side = task
		}
	}
	return side
}

// polledSide is it of those that virtual threads wait on.
func (f *timeline) polledSide() Task { return f.sideOf((*Stack).polls) }

// ofHTTPClients is it of those of every java.net.http.HttpClient, which virtual threads poll
// since 26.
func (f *ioFacts) ofHTTPClients() Task {
	if f.httpSide == nil {
		side := f.sideOf((*Stack).selectsForHTTP)
		if side.File == "" {
			side = f.polledSide()
		}
		f.httpSide = &side
	}
	return *f.httpSide
}

// task is what the kernel says of a thread; of one that waits for an HttpClient, what it
// says of those who read for such clients.
func (f *ioFacts) task(h *history) Task {
	if h.last().asksByHTTP() {
		return f.ofHTTPClients()
	}
	return f.last().tasks[h.thread.NativeID]
}
