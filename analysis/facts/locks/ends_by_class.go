package locks

import (
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// addEndsByClass adds the joined threads that the class of the awaited Thread object identifies. If a subclass of
// Thread has its own run method, that method is at the bottom of the stacks of its threads; if a complete dump has one
// such thread, that thread is the one. What the JVM prints or its memory shows has precedence.
func (a *awaited) addEndsByClass() {
	if !Whole(a.snap) {
		return
	}
	var runners map[string][]int
	for i := range a.snap.Samples {
		s := &a.snap.Samples[i]
		class := joinedClass(s)
		if class == "" || s.Thread.ID == 0 {
			continue
		}
		if runners == nil {
			runners = byRunClass(a.snap)
		}
		if able := runners[class]; len(able) == 1 && able[0] != i {
			other := a.snap.Samples[able[0]].Thread.ID
			if known, read := a.ends[s.Thread.ID]; !read && other != 0 {
				a.ends[s.Thread.ID] = other
				a.byClass[s.Thread.ID] = true
			} else if known == other {
				a.stayed[s.Thread.ID] = true
			}
		}
	}
}

// joinedClass is the subclass of Thread that a thread joins without a time limit; empty if it joins no such thread.
func joinedClass(s *timeline.Sample) string {
	l := s.WaitsOn()
	if s.Stack.Op.Kind != stack.OpJoin || s.State != threaddump.Waiting || l == nil ||
		strings.HasPrefix(l.Class, "java.lang.") {
		return ""
	}
	return l.Class
}

// byRunClass maps each class to the indexes of the threads of a dump that were started with its run method.
func byRunClass(s *timeline.Snapshot) map[string][]int {
	places := map[string][]int{}
	for i := range s.Samples {
		frames := s.Samples[i].Stack.Frames
		if n := len(frames); n > 0 && frames[n-1].Method == "run" {
			places[frames[n-1].Class] = append(places[frames[n-1].Class], i)
		}
	}
	return places
}
