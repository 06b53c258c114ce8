package dumptest

import (
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// JavaWritten makes an observation of a dump that Java code wrote, for a JDK, at seconds after the capture began.
func JavaWritten(jdk string, when float64, threads ...*threaddump.Thread) timeline.Observation {
	o := Observe(when)
	o.Dump = &threaddump.Dump{Version: jdk + ".0.1+9",
		Threads: append([]*threaddump.Thread{Thread(1, "main", At("App.main"), Sleeping)}, threads...)}
	for _, t := range o.Dump.Threads {
		t.TID, t.NativeID = 0, 0
	}
	return o
}

// Virtual makes a virtual thread. It has no state if none is given, as in dumps of JDK 21.
func Virtual(id int64, name string, parts ...Part) *threaddump.Thread {
	parts = append([]Part{func(t *threaddump.Thread) {
		t.Virtual, t.State, t.Condition, t.Stack = true, threaddump.StateUnknown, "", nil
	}}, parts...)
	return Thread(id, name, parts...)
}

func Alike(n int) Part { return func(t *threaddump.Thread) { t.Alike = n } }

func In(state threaddump.State) Part { return func(t *threaddump.Thread) { t.State = state } }
