package spin_test

import (
	"testing"

	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Who tries locks and gives way is seen to lose locks and to hand them on as often. Who
// only wants locks, or counts, works.
func TestThoseWhoStepAsideAreSeenAtLocks(t *testing.T) {
	passes, yields := At("App.pass"), At("!java.lang.Thread.yield", "App.step", "App.pass")
	tries := At(stack.JUC+"locks.ReentrantLock.tryLock", "App.step", "App.pass")
	counts := At(stack.JUC+"atomic.AtomicLong.getAndAdd", "App.pass")
	loses := At("!jdk.internal.misc.Unsafe.park", stack.JUC+"locks.LockSupport.park", stack.JUC+
		"locks.AbstractQueuedSynchronizer.acquire", stack.JUC+"locks.ReentrantLock.lock", "App.pass")
	hands := At("!jdk.internal.misc.Unsafe.unpark", stack.JUC+"locks.LockSupport.unpark", stack.JUC+
		"locks.AbstractQueuedSynchronizer.release", stack.JUC+"locks.ReentrantLock.unlock", "App.pass")
	const both, one = "spin/warning/likely: a,b | ", "hot-thread/warning/proven: a | "
	for _, test := range []struct {
		name   string
		share  float64
		each   int64
		places [3][2]Part
		want   string
	}{
		{"one gives way, the other loses", 0.55, 2 << 20,
			[3][2]Part{{passes, passes}, {passes, loses}, {yields, passes}}, both},
		{"one tries and hands on", 0.55, 2 << 20, [3][2]Part{{hands, passes}, {tries, passes}, {passes, passes}}, both},
		{"one sleeps half of the time", 0.4, 2 << 20, [3][2]Part{{passes, loses}, {yields, yields}, {passes, loses}}, both},
		{"the other hardly runs", 0.2, 2 << 20, [3][2]Part{{passes, loses}, {yields, yields}, {passes, loses}}, one},
		{"both lose locks and never give way", 0.55, 2 << 20,
			[3][2]Part{{hands, passes}, {passes, loses}, {hands, loses}}, one},
		{"one counts", 0.55, 2 << 20, [3][2]Part{{counts, passes}, {passes, loses}, {hands, loses}}, one},
		{"both make objects", 0.55, 40 << 20, [3][2]Part{{passes, passes}, {passes, loses}, {yields, passes}}, one},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []timeline.Observation
			for i, p := range test.places {
				s := float64(i)
				all = append(all, Observe(s,
					Thread(1, "a", p[0], Used(s, 9+s), Allocated(int64(i)*test.each)),
					Thread(2, "b", p[1], Used(s*test.share, 9+s), Allocated(int64(i)*test.each))))
			}
			Expect(t, Diagnose(all...), test.want)
		})
	}
}

// A busy event loop is seen in its selector now and then; it is no companion of one whose
// selector returns at once.
func TestBusyLoopsAreNoCompanionsOfASelectorThatSpins(t *testing.T) {
	selects := At("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "App.loop", "App.run")
	serves := At("java.util.ArrayList.indexOf", "App.answer", "App.pump", "App.loop", "App.run")
	var all []timeline.Observation
	for i, other := range []Part{serves, selects, serves} {
		s := float64(i)
		all = append(all, Observe(s,
			Thread(1, "a", selects, Used(s, 9+s), Allocated(0)),
			Thread(2, "b", other, Used(s*0.6, 9+s), Allocated(int64(i)<<20))))
	}
	Expect(t, Diagnose(all...), "spin/warning/likely: a | ")
}
