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

// One asks with a time limit, again and again: if it is answered, it waits for another
// result each time, and does something in between.
func TestWhoIsAnsweredMissesNoSignal(t *testing.T) {
	look := func(apart uint64, cpu float64) *Report {
		var all []Observation
		for i := range 3 {
			asks := thread(1, "a", at(juc+"CompletableFuture.timedGet", juc+"CompletableFuture.get", "App.ask", "App.day", "java.lang.Thread.run"), used(cpu*float64(i), 9))
			asks.State = threaddump.TimedWaiting
			lockOn(asks, threaddump.Parking, 0xa+apart*uint64(i), juc+"CompletableFuture$Signaller")
			all = append(all, observe(float64(i), asks, thread(2, "main", at("App.main"), joins(0xb), used(0, 9))))
		}
		return diagnose(all...)
	}
	missed := "missed-signal/warning/likely: a | main"
	expectOnly(t, look(16, 0.001), KindMissedSignal, "")
	expectOnly(t, look(16, 0.00005), KindMissedSignal, missed) // it looks once a second
	expectOnly(t, look(0, 0.001), KindMissedSignal, missed)
}

// A daemon that has slept since it was started, as to end the program after a while, gives no
// signal, and nor does main, which keeps the program alive in a latch.
func TestWhoSleepsSinceItsStartGivesNoSignal(t *testing.T) {
	latch := at("App.main")
	asks := part(func(t *threaddump.Thread) {
		at(juc+"CompletableFuture.waitingGet", juc+"CompletableFuture.get", "App.ask", "App.day", "java.lang.Thread.run")(t)
		t.State = threaddump.Waiting
		lockOn(t, threaddump.Parking, uint64(t.ID), juc+"CompletableFuture$Signaller")
	})
	condition := func(method string, address uint64) part {
		return func(t *threaddump.Thread) {
			at(unsafePark, juc+"locks.AbstractQueuedSynchronizer$ConditionObject.await", "Belt."+method, "App.lambda$main$0", "java.lang.Thread.run")(t)
			t.State = threaddump.Waiting
			lockOn(t, threaddump.Parking, address, juc+"locks.AbstractQueuedSynchronizer$ConditionObject")
		}
	}
	look := func(a, b part, limit ...part) *Report {
		var all []Observation
		for i := range 3 {
			age := 9 + float64(i)
			all = append(all, observe(float64(i),
				thread(1, "main", latch, latched(0xb), used(0.1, age)),
				thread(2, "a", a, used(0.01, age)), thread(3, "b", b, used(0.01, age)),
				thread(4, "c", append([]part{at("App.lambda$limit$0", "java.lang.Thread.run"), sleeping, used(0.0002, age)}, limit...)...)))
		}
		return diagnose(all...)
	}
	expectOnly(t, look(asks, asks, daemon), KindMissedSignal, "missed-signal/warning/likely: a,b | ")
	expectOnly(t, look(asks, asks), KindMissedSignal, "missed-signal/info/possible: a,b | ")
	expectOnly(t, look(asks, asks, daemon, used(0.02, 9)), KindMissedSignal, "missed-signal/info/possible: a,b | ")
	expectOnly(t, look(asks, asks, daemon, used(0.0002, 2)), KindMissedSignal, "missed-signal/info/possible: a,b | ")
	var all []Observation
	for i := range 3 { // who came to sleep in the last dump alone has served before
		place := part(sleeping)
		if i < 2 {
			place = idleAt(0xe)
		}
		all = append(all, observe(float64(i), thread(1, "main", latch, latched(0xb), used(0.1, 9)),
			thread(2, "a", asks, used(0.01, 9)), thread(3, "b", asks, used(0.01, 9)),
			thread(4, "c", at("App.lambda$limit$0", "java.lang.Thread.run"), place, daemon, used(0.0002, 9))))
	}
	expectOnly(t, diagnose(all...), KindMissedSignal, "missed-signal/info/possible: a,b | ")
	sides := "missed-signal/warning/likely: a,b | "
	expectOnly(t, look(condition("load", 0xc), condition("unload", 0xd), daemon), KindMissedSignal, sides)
}

// A semaphore is the same whoever gets a permit of it: that one was had now and then tells the
// CPU of what is done with it. Who asks again and again is woken for as much.
func TestPermitsThatAreHadNowAndThen(t *testing.T) {
	main := thread(9, "main", at("!java.lang.Object.wait", "java.lang.Thread.join", "App.main"), waitingState, used(0, 9), func(t *threaddump.Thread) {
		lockOn(t, threaddump.WaitingOn, 0x9, "java.lang.Thread")
	})
	const told = "missed-signal/warning/likely: a | "
	for _, test := range []struct {
		name    string
		cpu     float64 // in a second
		wakings int64
		want    string
	}{
		{"never", 0, 0, told},
		{"asks again and again", 0.0002, 10, told},
		{"works with one now and then", 0.0004, 2, ""},
	} {
		var look []Observation
		for i := range int64(3) {
			a := thread(1, "a", at("Calls.use", "Calls.locate", "Calls.run"),
				calls(juc+"Semaphore$NonfairSync", 0xa, juc+"locks.AbstractQueuedSynchronizer.tryAcquireSharedNanos", juc+"Semaphore.tryAcquire"), timed, used(test.cpu*float64(i), 9+float64(i)))
			o := observe(float64(i), a, main)
			o.Tasks = map[int64]Task{1001: {Turns: threaddump.Known(100 + i*test.wakings)}}
			look = append(look, o)
		}
		t.Run(test.name, func(t *testing.T) { expectOnly(t, diagnose(look...), KindMissedSignal, test.want) })
	}
}
