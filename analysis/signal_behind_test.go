package analysis

import (
	"strings"
	"testing"

	"jstall/threaddump"
)

// Who waits for a signal with a lock in its hands waits for ever where all who are left want
// that lock; who else there may be that gives it, and who can not.
func TestSignalsThatWhoWantsTheLockMustGive(t *testing.T) {
	owner := func(waits part) *threaddump.Thread {
		return thread(1, "captain", at("Quay.confirm", "Quay.assign", "Captain.run"), waits, holds(0xa), used(1, 9))
	}
	latch := calls(juc+"CountDownLatch$Sync", 0xb, juc+"CountDownLatch.await")
	timedLatch := func(th *threaddump.Thread) { latch(th); timed(th) }
	pilot := thread(2, "pilot", at("Quay.book", "Pilot.run"), blockedOn(0xa), used(1, 9))
	other := thread(3, "mate", at("Quay.assign", "Captain.run"), blockedOn(0xa), used(1, 9))
	dusk := thread(4, "dusk", at("App.lambda$main$0", "java.lang.Thread.run"), sleeping, daemon, used(0.0002, 9))
	office := thread(101, "pool-1-thread-1", idleAt(0xc), used(1, 9))
	const (
		stuck   = "deadlock/critical/likely: captain,pilot | mate"
		several = "deadlock/critical/likely: captain | mate,pilot,tug"
	)
	for _, test := range []struct {
		name    string
		waits   part
		threads []*threaddump.Thread
		want    string
	}{
		{"a latch", latch, []*threaddump.Thread{pilot, other, dusk, office}, stuck},
		{"a result", calls("CompletableFuture$Signaller", 0xb, juc+"CompletableFuture.get"), []*threaddump.Thread{pilot, other}, stuck},
		{"a notify", waiting(0xb), []*threaddump.Thread{pilot, other}, stuck},
		{"who of several would give it is not known", latch, []*threaddump.Thread{pilot, other, thread(5, "tug", at("Quay.pull", "Tug.run"), blockedOn(0xa), used(1, 9))}, several},
		{"only others like itself", latch, []*threaddump.Thread{other}, ""},
		{"one that works", latch, []*threaddump.Thread{pilot, other, thread(5, "tug", at("Tug.pull", "Tug.run"))}, ""},
		{"one behind another lock", latch, []*threaddump.Thread{pilot, other,
			thread(5, "tug", at("Tug.pull", "Tug.run"), blockedOn(0xd), used(1, 9)), thread(6, "tow", at("Tug.tow", "Tug.run"), sleeping, holds(0xd), used(1, 9))}, ""},
		{"a scheduler whose time has not come", latch, []*threaddump.Thread{pilot, other, ticking(1)}, ""},
		{"a server", latch, []*threaddump.Thread{pilot, other, idleServer(60)}, ""},
		{"a wait with an end", timedLatch, []*threaddump.Thread{pilot, other}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			threads := append([]*threaddump.Thread{owner(test.waits)}, test.threads...)
			r := diagnose(observe(0, threads...), observe(1, threads...), observe(2, threads...))
			expectOnly(t, r, KindDeadlock, test.want)
			if test.want == stuck && !strings.Contains(r.Findings[0].Title, `with a lock in its hands, and "pilot", the only one left to end that, wants it: neither ever goes on`) {
				t.Error(r.Findings[0].Title)
			}
		})
	}
}
