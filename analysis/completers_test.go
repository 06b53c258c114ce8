package analysis

import (
	"testing"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// A thread that completes what others wait for waits in a callback itself.
func TestWhoCompletesFuturesWaitsInACallback(t *testing.T) {
	const future, signaller = stack.JUC + "CompletableFuture", stack.JUC + "CompletableFuture$Signaller"
	line := func(wait part, below ...string) part {
		return func(t *threaddump.Thread) {
			at(append([]string{"Desk.price", "Desk.lambda$hold$0", future + "$UniApply.tryFire", future + ".postComplete"}, below...)...)(t)
			wait(t)
		}
	}
	joins := calls(signaller, 0xb, future+".waitingGet", future+".join")
	waits := func(id int64, class string, get ...string) *threaddump.Thread {
		return thread(id, string(rune('a'+id)), at("Desk.sell", "Desk.work", "Till.run"), calls(class, uint64(id), get...), used(1, 9))
	}
	asks := func(id int64) *threaddump.Thread { return waits(id, signaller, future+".waitingGet", future+".get") }
	task := func(id int64) *threaddump.Thread {
		return waits(id, stack.JUC+"FutureTask", stack.JUC+"FutureTask.awaitDone", stack.JUC+"FutureTask.get")
	}
	byHand := []string{future + ".complete", "Line.deliver", "Line.run", "java.lang.Thread.run"}
	for _, test := range []struct {
		name, want string
		line       part
		others     []*threaddump.Thread
	}{
		{"for a result, beside one", "single-thread-blocked/warning/likely: line | b", line(joins, byHand...), []*threaddump.Thread{asks(1)}},
		{"for its time, beside two", "single-thread-blocked/warning/likely: line | b,c", line(sleeping, byHand...), []*threaddump.Thread{asks(1), asks(2)}},
		{"for its time, beside one", "", line(sleeping, byHand...), []*threaddump.Thread{asks(1)}},
		{"beside one that waits for a task", "", line(joins, byHand...), []*threaddump.Thread{task(1)}},
		{"beside one that waits in another class", "", line(joins, byHand...), []*threaddump.Thread{thread(1, "b", at("Gate.open", "Gate.run"), calls(signaller, 1, future+".waitingGet", future+".get"), used(1, 9))}},
		{"what a supplier has brought", "", line(joins, future+"$AsyncSupply.run", "java.lang.Thread.run"), []*threaddump.Thread{asks(1)}},
		{"what the JDK has completed", "", line(joins, future+".complete", "jdk.internal.net.http.Stream.run", "java.lang.Thread.run"), []*threaddump.Thread{asks(1)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var look []timeline.Observation
			for i := range 3 {
				// one of them gets on, and may be whom the others wait for
				works := thread(30, "works", at("Stock.count", "Stock.run"), used(1+float64(i)/3, 9))
				look = append(look, observe(float64(i), append([]*threaddump.Thread{thread(20, "line", test.line, used(1, 9)), works}, test.others...)...))
			}
			expectOnly(t, diagnose(look...), finding.KindSingleThreadBlocked, test.want)
		})
	}
}
