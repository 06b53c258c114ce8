package analysis

import (
	"testing"

	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// Who tries locks and gives way is seen to lose locks and to hand them on as often. Who
// only wants locks, or counts, works.
func TestThoseWhoStepAsideAreSeenAtLocks(t *testing.T) {
	passes, yields := at("App.pass"), at("!java.lang.Thread.yield", "App.step", "App.pass")
	tries := at(stack.JUC+"locks.ReentrantLock.tryLock", "App.step", "App.pass")
	counts := at(stack.JUC+"atomic.AtomicLong.getAndAdd", "App.pass")
	loses := at("!jdk.internal.misc.Unsafe.park", stack.JUC+"locks.LockSupport.park", stack.JUC+"locks.AbstractQueuedSynchronizer.acquire", stack.JUC+"locks.ReentrantLock.lock", "App.pass")
	hands := at("!jdk.internal.misc.Unsafe.unpark", stack.JUC+"locks.LockSupport.unpark", stack.JUC+"locks.AbstractQueuedSynchronizer.release", stack.JUC+"locks.ReentrantLock.unlock", "App.pass")
	const both, one = "spin/warning/likely: a,b | ", "hot-thread/warning/proven: a | "
	for _, test := range []struct {
		name   string
		share  float64
		each   int64
		places [3][2]part
		want   string
	}{
		{"one gives way, the other loses", 0.55, 2 << 20, [3][2]part{{passes, passes}, {passes, loses}, {yields, passes}}, both},
		{"one tries and hands on", 0.55, 2 << 20, [3][2]part{{hands, passes}, {tries, passes}, {passes, passes}}, both},
		{"one sleeps half of the time", 0.4, 2 << 20, [3][2]part{{passes, loses}, {yields, yields}, {passes, loses}}, both},
		{"the other hardly runs", 0.2, 2 << 20, [3][2]part{{passes, loses}, {yields, yields}, {passes, loses}}, one},
		{"both lose locks and never give way", 0.55, 2 << 20, [3][2]part{{hands, passes}, {passes, loses}, {hands, loses}}, one},
		{"one counts", 0.55, 2 << 20, [3][2]part{{counts, passes}, {passes, loses}, {hands, loses}}, one},
		{"both make objects", 0.55, 40 << 20, [3][2]part{{passes, passes}, {passes, loses}, {yields, passes}}, one},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []timeline.Observation
			for i, p := range test.places {
				s := float64(i)
				all = append(all, observe(s,
					thread(1, "a", p[0], used(s, 9+s), allocated(int64(i)*test.each)),
					thread(2, "b", p[1], used(s*test.share, 9+s), allocated(int64(i)*test.each))))
			}
			expect(t, diagnose(all...), test.want)
		})
	}
}

// A busy event loop is seen in its selector now and then; it is no companion of one whose
// selector returns at once.
func TestBusyLoopsAreNoCompanionsOfASelectorThatSpins(t *testing.T) {
	selects := at("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "App.loop", "App.run")
	serves := at("java.util.ArrayList.indexOf", "App.answer", "App.pump", "App.loop", "App.run")
	var all []timeline.Observation
	for i, other := range []part{serves, selects, serves} {
		s := float64(i)
		all = append(all, observe(s,
			thread(1, "a", selects, used(s, 9+s), allocated(0)),
			thread(2, "b", other, used(s*0.6, 9+s), allocated(int64(i)<<20))))
	}
	expect(t, diagnose(all...), "spin/warning/likely: a | ")
}
