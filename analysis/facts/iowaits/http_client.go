package iowaits

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// isPoller reports the JDK's thread that wakes virtual threads when their sockets are ready, itself virtual since 22.
func isPoller(s *stack.Stack) bool {
	return slices.ContainsFunc(s.Frames, func(f *threaddump.Frame) bool {
		return f.Class == "sun.nio.ch.Poller" && strings.HasSuffix(f.Method, "Loop")
	})
}

// httpClient is the JDK's class behind java.net.http.HttpClient.
const httpClient = "jdk.internal.net.http.HttpClientImpl"

// selectsForHTTP reports the thread that reads for a java.net.http.HttpClient.
func selectsForHTTP(s *stack.Stack) bool { return s.IsInside(httpClient+"$SelectorManager", "") }

// asksByHTTP reports a thread that waits for an answer to such a client.
func asksByHTTP(s *timeline.Sample) bool {
	return s.AsksByLibrary() && s.Stack.IsInside(httpClient, "")
}

// sideOf is what the connections have in common that some threads poll; empty where the kernel did not tell.
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

// PolledSide is what the connections have in common that virtual threads wait on.
func PolledSide(f *timeline.Timeline) timeline.Task { return sideOf(f, isPoller) }

// httpSideOf is what the connections of all java.net.http.HttpClients have in common. Since JDK 26 virtual threads
// poll them.
func httpSideOf(f *timeline.Timeline) timeline.Task {
	if side := sideOf(f, selectsForHTTP); side.File != "" {
		return side
	}
	return PolledSide(f)
}
