package render_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/threaddump"
)

const (
	// beforeVirtual is a dump of JDK 25: a thread that holds a monitor and waits for a lock, and a carrier.
	beforeVirtual = `2026-11-29 08:51:20
Full thread dump OpenJDK 64-Bit Server VM (25.0.5+9-LTS mixed mode, sharing):

Threads class SMR info:
_java_thread_list=0x00007f3c1c002a40, length=3, elements={
0x00007ff1a4019960, 0x00007ff1a40e49c0, 0x00007ff1a40e59c0
}

"main" #3 [100] prio=5 os_prio=0 cpu=41.00ms elapsed=20.00s tid=0x00007ff1a4019960 nid=100 waiting on condition  [0x00007ff1a0000000]
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleepNanos0(java.base@25.0.5/Native Method)
	at java.lang.Thread.sleep(java.base@25.0.5/Thread.java:582)
	at com.acme.Shop.main(Shop.java:27)

"cache-owner" #19 [101] prio=5 os_prio=0 cpu=1.00ms elapsed=19.00s tid=0x00007ff1a40e49c0 nid=101 waiting on condition  [0x00007ff1a0000000]
   java.lang.Thread.State: WAITING (parking)
	at jdk.internal.misc.Unsafe.park(java.base@25.0.5/Native Method)
	- parking to wait for  <0x000000069ec17bc0> (a java.util.concurrent.locks.ReentrantLock$NonfairSync)
	at java.util.concurrent.locks.LockSupport.park(java.base@25.0.5/LockSupport.java:223)
	at java.util.concurrent.locks.ReentrantLock.lock(java.base@25.0.5/ReentrantLock.java:322)
	at com.acme.Cache.refresh(Cache.java:10)
	- locked <0x000000069ec17bd0> (a com.acme.Cache)

"ForkJoinPool-1-worker-1" #18 [102] daemon prio=5 os_prio=0 cpu=900.00ms elapsed=19.00s tid=0x00007ff1a40e59c0 nid=102 runnable  [0x00007ff1a0000000]
   Carrying virtual thread #9000
	at jdk.internal.vm.Continuation.run(java.base@25.0.5/Continuation.java:248)
	at java.lang.VirtualThread.runContinuation(java.base@25.0.5/VirtualThread.java:293)
	at java.util.concurrent.ForkJoinWorkerThread.run(java.base@25.0.5/ForkJoinWorkerThread.java:187)

JNI global refs: 15, weak refs: 0

`
	parked = `	at java.lang.VirtualThread.park(java.base@25.0.5/VirtualThread.java:664)
	- parking to wait for  <%s> (a %s)%s
	at java.util.concurrent.locks.LockSupport.park(java.base@25.0.5/LockSupport.java:221)
`
	mounted = "\tat java.lang.VirtualThread.run(java.base@25.0.5/VirtualThread.java:456)\n"
)

// section writes virtual threads as they are read from memory.
type section struct {
	strings.Builder
	found int
}

// add adds a virtual thread, and counts so many more like it.
func (s *section) add(name string, id, alike int, header, state, stack string) {
	s.found += 1 + alike
	fmt.Fprintf(s, "\n%q #%d virtual %s\n   java.lang.Thread.State: %s\n", name, id, header, state)
	if alike > 0 {
		fmt.Fprintf(s, "   Alike: %d\n", alike)
	}
	s.WriteString(stack + mounted)
}

func (s *section) String() string {
	return fmt.Sprintf("Virtual threads of 0x00007f3c1c002a40: %d found, %d read\n%s\nVirtual threads end\n", s.found,
		s.found, s.Builder.String())
}

// shopThreads is a dump with virtual threads of every sort: so many that wait for a latch, with so many more behind
// each, and a few in other waits.
func shopThreads(orders, alike int) []byte {
	const lockClass, waiting = "java.util.concurrent.locks.ReentrantLock$NonfairSync", "WAITING (parking)"
	lock := fmt.Sprintf(parked, "0x000000069ec17bc0", lockClass, " owned by #17") +
		"\tat java.util.concurrent.locks.ReentrantLock.lock(java.base@25.0.5/ReentrantLock.java:322)\n" +
		"\tat com.acme.Pricing.price(Pricing.java:8)\n"
	latch := fmt.Sprintf(parked, "0x000000069ec17be0", "java.util.concurrent.CountDownLatch$Sync", "") +
		"\tat java.util.concurrent.CountDownLatch.await(java.base@25.0.5/CountDownLatch.java:230)\n" +
		"\tat com.acme.Order.await(Order.java:7)\n"
	var s section
	s.add("holder-of-the-lock", 17, 0, "PARKED", waiting,
		fmt.Sprintf(parked, "0x000000069ec17bf0", "java.util.concurrent.Semaphore$NonfairSync", "")+
			"\tat java.util.concurrent.Semaphore.acquire(java.base@25.0.5/Semaphore.java:318)\n"+
			"\tat com.acme.Pricing.reload(Pricing.java:11)\n   Locked ownable synchronizers:\n"+
			"\t- <0x000000069ec17bc0> (a "+lockClass+")\n")
	for i := range orders {
		s.add(fmt.Sprintf("order-%d", i), 20+i, alike, "PARKED", waiting, latch)
	}
	for i := range 20 {
		s.add("", 6000+i, 0, "PARKED", waiting, lock)
	}
	for i := range 15 {
		s.add(fmt.Sprintf("cached-%d", i), 7000+i, 0, "BLOCKED", "BLOCKED (on object monitor)",
			"\tat com.acme.Cache.get(Cache.java:9)\n\t- waiting to lock <0x000000069ec17bd0> (a com.acme.Cache)"+
				" owned by #19\n")
	}
	future := "\tat java.util.concurrent.CompletableFuture.get(java.base@25.0.5/CompletableFuture.java:2093)\n" +
		"\tat com.acme.Quotes.get(Quotes.java:12)\n"
	for i := range 12 {
		at, class := fmt.Sprintf("0x000000069ed%05x", 16*i), "java.util.concurrent.CompletableFuture$Signaller"
		s.add(fmt.Sprintf("quote-%d", i), 8000+i, 0, "PARKED", waiting, fmt.Sprintf(parked, at, class, "")+future)
	}
	s.add("spinner", 9000, 0, "RUNNING carrier=#18", "RUNNABLE", "\tat com.acme.Rates.poll(Rates.java:13)\n")
	return []byte(beforeVirtual + s.String())
}

// shopReport diagnoses the same dump twice, a second apart. The carrier uses CPU meanwhile.
func shopReport(t *testing.T, orders, alike int, o analysis.Options) *analysis.Report {
	t.Helper()
	series := timeline.NewSeries()
	for _, second := range []string{"20", "21"} {
		text := bytes.Replace(shopThreads(orders, alike), []byte(":51:20"), []byte(":51:"+second), 1)
		text = bytes.ReplaceAll(text, []byte("cpu=900.00ms"), []byte("cpu="+second+"00.00ms"))
		text = bytes.ReplaceAll(text, []byte("elapsed=20.00"), []byte("elapsed="+second+".00"))
		text = bytes.ReplaceAll(text, []byte("elapsed=19.00"), []byte("elapsed=1"+second+".00"))
		dumps, err := threaddump.Parse(text)
		if err != nil || len(dumps) != 1 || len(dumps[0].Problems) > 0 {
			t.Fatalf("%d dumps, %v: %+v", len(dumps), err, dumps[0].Problems)
		}
		series.Add(timeline.Observation{Dump: dumps[0], Source: second + ".txt"})
	}
	report := analysis.Diagnose(series, o)
	report.Capture.Source, report.Target.File = "file", "20.txt"
	return report
}

// All of a few virtual threads have rows, and many share rows: in each view with their number, their names and the
// oldest id.
func TestViewsOfVirtualThreads(t *testing.T) {
	s := compiled(t)
	for name, report := range map[string]*analysis.Report{
		"few": shopReport(t, 3, 0, analysis.Options{}), "many": shopReport(t, 498, 0, analysis.Options{}),
		"alike": shopReport(t, 4, 1249, analysis.Options{}),
	} {
		for _, view := range views() {
			checkGolden(t, "virtual-"+name+"."+string(view)+".txt",
				[]byte(text(t, view, report, render.Options{Width: 110})))
		}
		if err := validate(t, s, jsonOf(t, report)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
