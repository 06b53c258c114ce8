package watch

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

const (
	beforeVirtual = `2026-11-29 08:51:%02d
Full thread dump OpenJDK 64-Bit Server VM (25.0.5+9-LTS mixed mode, sharing):

Threads class SMR info:
_java_thread_list=0x00007f3c1c002a40, length=1, elements={
0x00007ff1a4019960
}

"main" #3 [100] prio=5 os_prio=0 cpu=41.00ms elapsed=%d.00s tid=0x00007ff1a4019960 nid=100 sleeping
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleep(Thread.java:582)

JNI global refs: 15, weak refs: 0

Virtual threads of 0x00007f3c1c002a40: 202 found, 202 read
`
	oneVirtual = `
"%s" #%d virtual PARKED
   java.lang.Thread.State: WAITING (parking)
	at java.lang.VirtualThread.park(VirtualThread.java:664)
	- parking to wait for  <%s)%s
	at java.util.concurrent.%s
	at com.acme.Transfer.run(Transfer.java:9)
%s`
)

// virtualDump is a dump with 200 virtual threads that wait for a lock of another one. That one is deadlocked with a
// further one, or else waits for a permit.
func virtualDump(t *testing.T, second int, deadlocked bool) *threaddump.Dump {
	t.Helper()
	const class = "java.util.concurrent.locks.ReentrantLock$NonfairSync"
	var b strings.Builder
	fmt.Fprintf(&b, beforeVirtual, second, 20+second)
	waits := func(id int, name, blocker, owner, call, held string) {
		fmt.Fprintf(&b, oneVirtual, name, id, blocker, owner, call, held)
	}
	lock := func(n int) string { return fmt.Sprintf("0x%016x> (a %s", n, class) }
	holds := func(n int) string { return "   Locked ownable synchronizers:\n\t- <" + lock(n) + ")\n" }
	const call = "locks.ReentrantLock.lock(ReentrantLock.java:322)"
	if deadlocked {
		waits(11, "a", lock(2), " owned by #12", call, holds(1))
		waits(12, "", lock(1), " owned by #11", call, holds(2))
	} else {
		permit := "0x0000000000000003> (a java.util.concurrent.Semaphore$NonfairSync"
		waits(11, "a", permit, "", "Semaphore.acquire(Semaphore.java:318)", holds(1))
	}
	for i := range 200 {
		waits(100+i, "", lock(1), " owned by #11", call, "")
	}
	b.WriteString("\nVirtual threads end\n")
	dumps, err := threaddump.Parse([]byte(b.String()))
	if err != nil || len(dumps) != 1 || len(dumps[0].Problems) > 0 || !dumps[0].VirtualListed {
		t.Fatalf("%v: %+v", err, dumps)
	}
	return dumps[0]
}

// The triggers see virtual threads as they see platform threads.
func TestTriggersOnVirtualThreads(t *testing.T) {
	for _, deadlock := range []bool{true, false} {
		s := timeline.NewSeries()
		for second := range 3 {
			at := timeline.Opt[time.Duration]{Value: time.Duration(second) * time.Second, Known: true}
			s.Add(timeline.Observation{Dump: virtualDump(t, second, deadlock), At: at})
		}
		e := &Evidence{Heap: -1}
		e.AddReport(time.Unix(0, 0), analysis.Diagnose(s, analysis.Options{InvolvedOnly: true}), "")
		for name, want := range map[string]bool{"deadlock": deadlock, "stall": !deadlock} {
			triggers, err := Parse(name)
			if err != nil {
				t.Fatal(err)
			}
			summary := triggers[0].Holds(e, false)
			if (summary != "") != want || want && !strings.Contains(summary, `"a"`) {
				t.Errorf("deadlock %t: %s says %q", deadlock, name, summary)
			}
		}
	}
}
