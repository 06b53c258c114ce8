package exhausted_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// One node of several does the work and pauses now and then, and the others are on standby: no finding. It is a finding
// if they have work in hand, or if the holder is in one pause all the time.
func TestStandbys(t *testing.T) {
	waits := func(id int64, methods []string) *threaddump.Thread {
		frames := append(append([]string{"Lease.acquire"}, methods...), "java.lang.Thread.run")
		return Thread(id, "standby", At(frames...), Calls(Condition, 0xe, Condition+".await"), Used(1, 9))
	}
	moments := func(each float64, methods ...string) [][]*threaddump.Thread {
		var all [][]*threaddump.Thread
		for i := range 3 {
			leads := Thread(12, "leader",
				At("!java.lang.Thread.sleep", "Node.lead", "Node.run", "java.lang.Thread.run"),
				Sleeping, Further("Node.run"), Used(1+each*float64(i), 9+float64(i)))
			all = append(all, []*threaddump.Thread{waits(10, methods), waits(11, methods), leads})
		}
		return all
	}
	const comesRound, stands = 0.002, 0
	for _, test := range []struct {
		dumps [][]*threaddump.Thread
		want  string
	}{
		{moments(comesRound, "Node.run"), ""},
		{moments(stands, "Node.run"), "resource-exhausted/warning/likely: leader | standby,standby"},
		{moments(comesRound, "Node.run", "Server.answer", "Server.run"),
			"resource-exhausted/warning/likely: leader | standby,standby"},
	} {
		ExpectOnly(t, DiagnoseAll(test.dumps), finding.KindResourceExhausted, test.want)
	}
}
