package analysis

import (
	"fmt"
	"testing"

	"jstall/threaddump"
)

// Who waits for an answer somewhere else may have taken with it what the others wait for.
func TestPooledObjectsThatCallsKeep(t *testing.T) {
	waits := func(id int64, name string) *threaddump.Thread {
		return thread(id, name, at("Pool.borrow", "Search.open", "java.lang.Thread.run"), calls(condition, 0xe, condition+".await"), used(1, 9))
	}
	calling := func(id int64) *threaddump.Thread {
		return thread(id, fmt.Sprintf("c%d", id), at("!sun.nio.ch.SocketDispatcher.write0", "java.net.Socket$SocketOutputStream.write",
			"Partner.quote", "Issue.work", "java.lang.Thread.run"), used(1, 9))
	}
	var many []*threaddump.Thread
	for id := range int64(9) {
		many = append(many, calling(20+id))
	}
	for want, cases := range map[string][][]*threaddump.Thread{
		"resource-exhausted/warning/possible: c20,c21 | a,b": {many[:2]},
		"resource-exhausted/warning/possible: a,b | ":        {many[:1], many}, // that may be anything, and too many to be told from others
	} {
		for _, callers := range cases {
			threads := append([]*threaddump.Thread{waits(11, "a"), waits(12, "b")}, callers...)
			expectOnly(t, diagnoseAll([][]*threaddump.Thread{threads, threads, threads}), KindResourceExhausted, want)
		}
	}
}
