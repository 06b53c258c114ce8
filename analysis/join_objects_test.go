package analysis_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Which thread a thread joins is known by identity from memory: a plain Thread's monitor has no name. Two dumps must
// agree, as the memory is read after the dump.
func TestThreadsThatJoinEachOther(t *testing.T) {
	joins := func(id int64, name string, address uint64) *threaddump.Thread {
		return Thread(id, name, At("!java.lang.Object.wait0", "java.lang.Object.wait", "java.lang.Thread.join",
			"App."+name, "App.run"), Used(0, 9), func(t *threaddump.Thread) {
			t.State, t.StateDetail, t.Condition = threaddump.Waiting, "on object monitor", "in Object.wait()"
			LockOn(t, threaddump.WaitingOn, address, "java.lang.Thread")
		})
	}
	look := func(pairs ...object.Join) []timeline.Observation {
		var all []timeline.Observation
		for i := range 2 {
			o := Observe(float64(i), joins(31, "first", 0xa), joins(32, "second", 0xb), joins(33, "third", 0xb))
			o.Objects = &object.Set{Joins: pairs}
			all = append(all, o)
		}
		return all
	}
	circle := look(object.Join{WaiterID: 31, ThreadID: 32}, object.Join{WaiterID: 32, ThreadID: 31},
		object.Join{WaiterID: 33, ThreadID: 31})
	r := Diagnose(circle...)
	if f := firstOf(r.Findings); f.Kind != finding.KindDeadlock || f.Severity != finding.Critical ||
		f.Title != `2 threads wait for each other to end: "first" and "second"` {
		t.Errorf("%+v", f)
	}
	if f := firstOf(Diagnose(circle[0]).Findings); f.Severity == finding.Critical {
		t.Errorf("one dump: %+v", f)
	}
	for name, pairs := range map[string][]object.Join{
		"a chain": {{WaiterID: 31, ThreadID: 32}, {WaiterID: 33, ThreadID: 31}}, "nothing read": nil,
	} {
		if f := firstOf(Diagnose(look(pairs...)...).Findings); f.Kind == finding.KindDeadlock {
			t.Errorf("%s: %+v", name, f)
		}
	}
}

// Without memory the class of the awaited Thread object shows which thread is joined, if only one thread was started
// with the run method of that class.
func TestClassesShowWhoIsJoined(t *testing.T) {
	joins := func(id int64, name, own, other string) *threaddump.Thread {
		return Thread(id, name, At("!java.lang.Object.wait", "java.lang.Thread.join", own+".finish", own+".run"),
			Used(0, 9), Waiting(0xa0+uint64(id)), func(th *threaddump.Thread) { th.Locks[0].Class = other })
	}
	in, out := joins(31, "in", "app.In", "app.Out"), joins(32, "out", "app.Out", "app.In")
	limited := joins(32, "out", "app.Out", "app.In")
	limited.State = threaddump.TimedWaiting
	for name, c := range map[string]struct {
		threads []*threaddump.Thread
		missing int
		want    string
	}{
		"a circle":            {[]*threaddump.Thread{in, out}, 0, "deadlock/critical/likely"},
		"a thread is missing": {[]*threaddump.Thread{in, out}, 1, ""},
		"two of a class":      {[]*threaddump.Thread{in, out, joins(33, "out", "app.Out", "app.In")}, 0, ""},
		"a limit":             {[]*threaddump.Thread{in, limited}, 0, ""},
		"itself":              {[]*threaddump.Thread{joins(31, "in", "app.In", "app.In")}, 0, ""},
		"plain threads": {[]*threaddump.Thread{joins(31, "in", "java.lang.Thread", "java.lang.Thread"),
			joins(32, "out", "java.lang.Thread", "java.lang.Thread")}, 0, ""},
	} {
		got := ""
		o := Observe(0, c.threads...)
		o.Dump.SMR.Length += c.missing
		if f := firstOf(Diagnose(o).Findings); f.Kind != "" {
			got = string(f.Kind) + "/" + string(f.Severity) + "/" + string(f.Confidence)
		}
		if got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func firstOf(all []finding.Finding) finding.Finding {
	if len(all) == 0 {
		return finding.Finding{}
	}
	return all[0]
}
