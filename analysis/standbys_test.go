package analysis

import (
	"testing"

	"jstall/analysis/finding"
	"jstall/threaddump"
)

// One node of several does the work and pauses now and then, and the others stand by: no fault. It
// is one where they have work in hand, or where the holder stands in one pause all the time.
func TestStandbys(t *testing.T) {
	waits := func(id int64, methods []string) *threaddump.Thread {
		frames := append(append([]string{"Lease.acquire"}, methods...), "java.lang.Thread.run")
		return thread(id, "standby", at(frames...), calls(condition, 0xe, condition+".await"), used(1, 9))
	}
	moments := func(each float64, methods ...string) [][]*threaddump.Thread {
		var all [][]*threaddump.Thread
		for i := range 3 {
			leads := thread(12, "leader", at("!java.lang.Thread.sleep", "Node.lead", "Node.run", "java.lang.Thread.run"),
				sleeping, further("Node.run"), used(1+each*float64(i), 9+float64(i)))
			all = append(all, []*threaddump.Thread{waits(10, methods), waits(11, methods), leads})
		}
		return all
	}
	const comesRound, stands = 0.002, 0
	for _, test := range []struct {
		dumps [][]*threaddump.Thread
		want  string
	}{
		{moments(comesRound, "Node.run"), "resource-exhausted/info/possible: leader | standby,standby"},
		{moments(stands, "Node.run"), "resource-exhausted/warning/likely: leader | standby,standby"},
		{moments(comesRound, "Node.run", "Server.answer", "Server.run"),
			"resource-exhausted/warning/likely: leader | standby,standby"},
	} {
		expectOnly(t, diagnoseAll(test.dumps), finding.KindResourceExhausted, test.want)
	}
}
