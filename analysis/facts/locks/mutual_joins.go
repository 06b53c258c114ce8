package locks

import (
	"strings"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// MutualJoins returns the threads of the last dump that wait without a time limit for another thread to end, if each
// can only wait for others of them. It is unknown which one waits for which, so a thread may also wait for itself,
// which keeps a program alive. The result is nil if there are fewer than two, or if memory was read, which shows the
// joined threads. Threads whose joined thread the class of the Thread object identifies are left out.
func (f *Locks) MutualJoins() []*timeline.Sample {
	snap := f.Timeline.Last()
	if !Whole(snap) || snap.Objects != nil {
		return nil
	}
	in, ends := map[*timeline.Sample]bool{}, f.Graph(len(f.Timeline.Snaps)-1).awaited.ends
	for i := range snap.Samples {
		s := &snap.Samples[i]
		joins := s.Stack.Op.Kind == stack.OpJoin && s.State == threaddump.Waiting && !s.Thread.Virtual
		if joins && ends[s.Thread.ID] == 0 {
			in[s] = true
		}
	}
	for dropped := true; dropped && len(in) > 1; {
		dropped = false
		for s := range in {
			if !endsAmong(snap, s, in) {
				delete(in, s)
				dropped = true
			}
		}
	}
	if len(in) < 2 {
		return nil
	}
	var found []*timeline.Sample
	for i := range snap.Samples {
		if s := &snap.Samples[i]; in[s] {
			found = append(found, s)
		}
	}
	return found
}

// endsAmong reports whether there are threads that a thread may join, and all of them are among some.
func endsAmong(snap *timeline.Snapshot, s *timeline.Sample, some map[*timeline.Sample]bool) bool {
	one := false
	for i := range snap.Samples {
		o := &snap.Samples[i]
		switch {
		case o == s || !mayBeJoined(o, s):
		case !some[o]:
			return false
		default:
			one = true
		}
	}
	return one
}

// mayBeJoined reports whether a thread may be the one that another joins: its stack begins with the run method of the
// class of that Thread object or of Thread itself, or it is the main thread, whose class no dump shows. Programs do not
// join the worker of an executor.
func mayBeJoined(o, joiner *timeline.Sample) bool {
	frames := o.Stack.Frames
	if o.Thread.Role != threaddump.Application || o.Thread.Virtual || len(frames) == 0 || stack.IsTask(o.Stack) {
		return false
	}
	l, bottom := joiner.WaitsOn(), frames[len(frames)-1]
	if l == nil || l.Class == "" || bottom.Class == l.Class || bottom.Class == "java.lang.Thread" {
		return true
	}
	return bottom.Method != "run" && strings.HasPrefix(l.Class, "java.lang.")
}
