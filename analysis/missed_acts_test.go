package analysis

import (
	"testing"

	"jstall/threaddump"
)

// Three wait for a latch while main pauses again and again: if it does something in
// between, in the class that they wait in, it may be on the way to open it.
func TestMainAtWorkMayGiveTheSignal(t *testing.T) {
	look := func(megabytes int64, place part) []Observation {
		var all []Observation
		for i, when := range []float64{0, 1, 2} {
			all = append(all, observe(when,
				thread(1, "main", place, used(when/100, 9), sleeping, allocated(int64(i)*megabytes<<20)),
				thread(2, "a", at("App.open", "App.run"), latched(0xa), used(0, 9)),
				thread(3, "b", at("App.open", "App.run"), latched(0xa), used(0, 9)),
				thread(4, "c", at("App.open", "App.run"), latched(0xa), used(0, 9))))
		}
		return all
	}
	missed := "missed-signal/warning/likely: a,b,c | "
	expect(t, diagnose(look(0, at("App.warmUp", "App.main"))...), missed)
	expect(t, diagnose(look(2, at("App.warmUp", "App.main"))...))
	expect(t, diagnose(look(2, at("App.main"))...), missed)
}

// One asks with a time limit, again and again, and has its answer each time from a thread
// that lives no longer than that takes.
func TestShortLivedThreadsMayGiveTheSignal(t *testing.T) {
	look := func(comeAndGo bool) *Report {
		var all []Observation
		for i := range 3 {
			asks := thread(1, "a", at(juc+"CompletableFuture.timedGet", juc+"CompletableFuture.get", "App.ask", "App.day", "java.lang.Thread.run"), used(0.001*float64(i), 9))
			asks.State = threaddump.TimedWaiting
			lockOn(asks, threaddump.Parking, uint64(0xa+16*i), juc+"CompletableFuture$Signaller")
			threads := []*threaddump.Thread{asks, thread(2, "main", at("App.main"), joins(0xb), used(0, 9))}
			if comeAndGo {
				threads = append(threads, thread(int64(20+i), "answer", at("App.answer", "App.run"), sleeping, used(0, 0.1)))
			}
			all = append(all, observe(float64(i), threads...))
		}
		return diagnose(all...)
	}
	expectOnly(t, look(true), KindMissedSignal, "")
	expectOnly(t, look(false), KindMissedSignal, "missed-signal/warning/likely: a | main")
}
