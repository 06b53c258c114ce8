package singlethread_test

import (
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// A thread that completes what others wait for waits in a callback itself.
func TestWhoCompletesFuturesWaitsInACallback(t *testing.T) {
	const future, signaller = stack.JUC + "CompletableFuture", stack.JUC + "CompletableFuture$Signaller"
	line := func(wait Part, below ...string) Part {
		return func(t *threaddump.Thread) {
			At(append([]string{"Desk.price", "Desk.lambda$hold$0", future + "$UniApply.tryFire", future +
				".postComplete"}, below...)...)(t)
			wait(t)
		}
	}
	joins := Calls(signaller, 0xb, future+".waitingGet", future+".join")
	waits := func(id int64, class string, get ...string) *threaddump.Thread {
		return Thread(id, string(rune('a'+id)), At("Desk.sell", "Desk.work", "Till.run"),
			Calls(class, uint64(id), get...), Used(1, 9))
	}
	asks := func(id int64) *threaddump.Thread { return waits(id, signaller, future+".waitingGet", future+".get") }
	task := func(id int64) *threaddump.Thread {
		return waits(id, stack.JUC+"FutureTask", stack.JUC+"FutureTask.awaitDone", stack.JUC+"FutureTask.get")
	}
	byHand := []string{future + ".complete", "Line.deliver", "Line.run", "java.lang.Thread.run"}
	for _, test := range []struct {
		name, want string
		line       Part
		others     []*threaddump.Thread
	}{
		{"for a result, beside one", "single-thread-blocked/warning/likely: line | b", line(joins, byHand...),
			[]*threaddump.Thread{asks(1)}},
		{"for its time, beside two", "single-thread-blocked/warning/likely: line | b,c", line(Sleeping, byHand...),
			[]*threaddump.Thread{asks(1), asks(2)}},
		{"for its time, beside one", "", line(Sleeping, byHand...), []*threaddump.Thread{asks(1)}},
		{"beside one that waits for a task", "", line(joins, byHand...), []*threaddump.Thread{task(1)}},
		{"beside one that waits in another class", "", line(joins, byHand...),
			[]*threaddump.Thread{Thread(1, "b", At("Gate.open", "Gate.run"),
				Calls(signaller, 1, future+".waitingGet", future+".get"), Used(1, 9))}},
		{"what a supplier has brought", "", line(joins, future+"$AsyncSupply.run", "java.lang.Thread.run"),
			[]*threaddump.Thread{asks(1)}},
		{"what the JDK has completed", "",
			line(joins, future+".complete", "jdk.internal.net.http.Stream.run",
				"java.lang.Thread.run"), []*threaddump.Thread{asks(1)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var look []timeline.Observation
			for i := range 3 {
				// one of them gets on, and may be whom the others wait for
				works := Thread(30, "works", At("Stock.count", "Stock.run"), Used(1+float64(i)/3, 9))
				look = append(look,
					Observe(float64(i),
						append([]*threaddump.Thread{Thread(20, "line", test.line, Used(1, 9)), works},
							test.others...)...))
			}
			ExpectOnly(t, Diagnose(look...), finding.KindSingleThreadBlocked, test.want)
		})
	}
}
