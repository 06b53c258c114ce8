package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// asksByLibrary tells a thread that waits, for no lock, inside a call of a library that
// answers when a peer has, while a thread of the library's own reads: rows !reply of
// idle.tsv.
func (s *Sample) asksByLibrary() bool {
	p := s.position()
	return s.waits() && !s.wait.forLock() && p != nil && p.not && p.what == "reply" && s.Stack.Application != nil
}

// libraryCall is the method of the library, or else of the JDK, that such a thread
// called, without its package; empty for all others.
func (s *Sample) libraryCall() string {
	if !s.asksByLibrary() {
		return ""
	}
	above := s.Stack.Frames[:slices.Index(s.Stack.Frames, s.Stack.Application)]
	for _, fr := range slices.Backward(above) {
		if originOf(fr) == ofLibrary {
			return publicName(fr)
		}
	}
	if len(above) == 0 {
		return ""
	}
	return publicName(above[len(above)-1])
}

// publicName is a method as those call it who know the interface alone: what an internal
// package has of it is called after it by custom, "MongoCollectionImpl", "HttpClientFacade".
func publicName(f *threaddump.Frame) string {
	name := shortName(f.Name())
	class, method, ok := strings.Cut(name, ".")
	if !ok || !strings.Contains("."+f.Class, ".internal.") {
		return name
	}
	for _, form := range [...]string{"Impl", "Facade"} {
		if of := strings.TrimSuffix(class, form); of != "" {
			class = of
		}
	}
	return class + "." + method
}

// manyAsk takes threads that stand in one and the same call of a library, three or more,
// for such as want an answer: a long poll has one thread, or others whose turn came.
func (f *timeline) manyAsk(all []ioWaiter) []ioWaiter {
	const many = 3
	at := map[*Stack][]int{}
	for i, w := range all {
		if s := w.h.last(); w.side == sideUnknown && s.asksByLibrary() {
			at[s.Stack] = append(at[s.Stack], i)
		}
	}
	for call, asking := range at {
		if len(asking) < many || f.answeredAt(call) {
			continue
		}
		for _, i := range asking {
			all[i].side = sideAnswer
		}
	}
	return all
}

// answeredAt reports that a thread which stood in a call at the start and at the end of the
// capture had an answer in between.
func (f *timeline) answeredAt(call *Stack) bool {
	return slices.ContainsFunc(f.alive(), func(h *history) bool {
		return len(h.samples) == len(f.snaps) && h.samples[0].Stack == call && h.last().Stack == call &&
			f.standingStill(h).dumps < len(f.snaps)
	})
}
