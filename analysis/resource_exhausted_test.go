package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/threaddump"
)

// Holders that each read from a child process which waits for input are told how to end
// that, and threads of one name once.
func TestHoldersBehindChildren(t *testing.T) {
	waits := func(id int64) *threaddump.Thread {
		return thread(id, "desk", at("Ferry.borrowSeat", "Ferry.book", "java.lang.Thread.run"), calls(condition, 0xe, condition+".await"), used(1, 9))
	}
	reads := func(id int64) *threaddump.Thread {
		th := thread(id, "desk", at("!java.io.FileInputStream.readBytes", "java.io.FileInputStream.read", "Ferry.book", "java.lang.Thread.run"), used(1, 9))
		th.Stack[2].Line, th.Stack[2].Text = 9, "Ferry.book(App.java:9)"
		lockOn(th, threaddump.Locked, 0x70+uint64(id), "java.lang.ProcessImpl$ProcessPipeInputStream")
		return th
	}
	var all []Observation
	for i := range 3 {
		o := observe(float64(i), waits(11), waits(12), reads(13), reads(14))
		o.Machine = &Machine{Children: Children{Count: 2, Reading: 2}}
		all = append(all, o)
	}
	const title = `2 threads wait for a pooled object; 2 × "desk" seem to have one while each of them waits to read from a child process's pipe, and the child for input`
	if f := diagnose(all...).Findings[0]; f.Title != title || !strings.HasPrefix(f.Advice, unfedAdvice) {
		t.Errorf("%s\n%s", f.Title, f.Advice)
	}
}

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

// Who waits for a permit in the midst of something may have one already; who waits in the method
// it was started with has hardly taken any, whatever it is called.
func TestPermitsThatThoseInTheMiddleWait(t *testing.T) {
	waits := func(id int64, name string, methods ...string) *threaddump.Thread {
		frames := append(append([]string{juc + "Semaphore.acquire"}, methods...), "java.lang.Thread.run")
		return thread(id, name, at(frames...), calls(juc+"Semaphore$FairSync", 0xe, juc+"Semaphore.acquire"), used(1, 9))
	}
	begin := []*threaddump.Thread{waits(11, "a", "Mine.pump"), waits(12, "b", "Mine.pump")}
	middle := []*threaddump.Thread{waits(13, "c", "Mine.clear", "Mine.drill"), waits(14, "d", "Mine.clear", "Mine.drill")}
	for want, threads := range map[string][]*threaddump.Thread{
		"resource-exhausted/info/possible: a,b | ":     begin,
		"resource-exhausted/warning/likely: c,d | ":    middle,
		"resource-exhausted/warning/likely: c,d | a,b": append(begin, middle...),
	} {
		r := diagnoseAll([][]*threaddump.Thread{threads, threads, threads})
		expectOnly(t, r, KindResourceExhausted, want)
		if f := r.Findings[0]; strings.Contains(f.Title, "2 of them are in the middle") != (len(threads) == 4) {
			t.Errorf("%s\n%s", f.Title, f.Advice)
		}
	}
}
