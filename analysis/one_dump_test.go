package analysis

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"jstall/threaddump"
)

// oneDump diagnoses a single dump.
func oneDump(threads ...*threaddump.Thread) *Report { return diagnose(saved(dump(threads...))) }

func TestOneDumpTellsAnOwnerThatCannotGoOn(t *testing.T) {
	blocked := thread(2, "waiter", at("Shop.order", "Shop.run"), blockedOn(0xb))
	for name, test := range map[string]struct {
		owner *threaddump.Thread
		want  string
	}{
		"a result": {thread(1, "owner", parkedIn(juc+"FutureTask", unsafePark, juc+"FutureTask.get", "Shop.load", "Shop.run"), holds(0xb)), "warning/likely"},
		"a socket": {thread(1, "owner", at("!java.net.SocketInputStream.socketRead0", "java.net.SocketInputStream.read", "Shop.load", "Shop.run"), holds(0xb)), "warning/likely"},
		"a socket with a time limit": {thread(1, "owner", at("!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.timedRead", "java.net.Socket$SocketInputStream.read", "Shop.load", "Shop.run"),
			holds(0xb)), "info/possible"},
		"a sleep": {thread(1, "owner", sleeping, holds(0xb)), "info/possible"},
		"a file":  {thread(1, "owner", at("!java.io.RandomAccessFile.writeBytes", "java.io.RandomAccessFile.write", "Shop.load", "Shop.run"), holds(0xb)), "info/possible"},
	} {
		t.Run(name, func(t *testing.T) {
			expectOnly(t, oneDump(test.owner, blocked), KindLockContention, "lock-contention/"+test.want+": owner | waiter")
		})
	}
}

func TestOneDumpLeavesOwnersThatWorkAlone(t *testing.T) {
	expectOnly(t, oneDump(thread(1, "owner", at("Shop.count", "Shop.run"), holds(0xb)),
		thread(2, "waiter", at("Shop.order", "Shop.run"), blockedOn(0xb))), KindLockContention, "")
}

// Threads that accept by turns are no queue; a producer that the same lock keeps out is one.
func TestOneDumpTellsTurnsFromLockouts(t *testing.T) {
	owner := thread(1, "owner", parkedIn(condition, unsafePark, juc+"LinkedBlockingQueue.take", "Mill.next", "Mill.run"), holds(0xb))
	expectOnly(t, oneDump(owner, thread(2, "a", at("Mill.next", "Mill.run"), blockedOn(0xb))), KindLockContention, "")
	expectOnly(t, oneDump(owner, thread(2, "a", at("Mill.fill", "Mill.run"), blockedOn(0xb))), KindLockContention,
		"lock-contention/warning/likely: owner | a")
}

// pooled are workers of a pool in one call of a library that the program made.
func pooled(n int, call string) []*threaddump.Thread {
	var threads []*threaddump.Thread
	for i := range n {
		threads = append(threads, thread(int64(10+i), fmt.Sprintf("pool-1-thread-%d", i+1), parkedIn(condition, unsafePark,
			juc+"locks.AbstractQueuedSynchronizer$ConditionObject.await", call, "Shop.serve", "Shop.run",
			juc+"ThreadPoolExecutor.runWorker", juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")))
	}
	return threads
}

func TestManyInOneCallLead(t *testing.T) {
	const call = "org.eclipse.jetty.server.HttpOutput.close"
	for n, told := range map[int]bool{2: false, 4: true, 30: true} {
		r := oneDump(pooled(n, call)...)
		if got := r.Verdict.State == Suspicious && strings.Contains(r.Verdict.Summary, call); got != told {
			t.Errorf("%d threads: %+v", n, r.Verdict)
		}
	}
}

func TestWhoTakesTheDumpIsNotAtWork(t *testing.T) {
	r := oneDump(thread(1, "RMI TCP Connection(2)", at("!sun.management.ThreadImpl.dumpThreads0", "sun.management.ThreadImpl.dumpAllThreads", "App.run"), used(9.5, 10)))
	if r.Verdict.State != Ok || strings.Contains(r.Verdict.Summary, "running") {
		t.Errorf("%+v", r.Verdict)
	}
}

func TestDestroyJavaVMIsNotHot(t *testing.T) {
	expectOnly(t, oneDump(thread(1, "DestroyJavaVM", at(), used(36, 30))), KindHotThread, "")
}

func TestExecutorsThatKeepComing(t *testing.T) {
	look := func(n int, each time.Duration) *Report {
		var threads []*threaddump.Thread
		for i := range n {
			w := thread(int64(10+i), fmt.Sprintf("pool-%d-thread-1", i+1), parkedIn(condition, unsafePark, juc+"LinkedBlockingQueue.take",
				juc+"ThreadPoolExecutor.getTask", juc+"ThreadPoolExecutor.runWorker", juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"))
			w.Locks[0].Address = uint64(0x100 + i)
			w.CPU, w.Elapsed = threaddump.Known(time.Millisecond), threaddump.Known(time.Duration(n-i)*each)
			threads = append(threads, w)
		}
		return oneDump(threads...)
	}
	if r := look(9, 10*time.Minute); r.Verdict.State != Suspicious || r.Findings[0].Kind != KindThreadLeak {
		t.Errorf("one every ten minutes: %+v %v", r.Verdict, found(r))
	}
	expectOnly(t, look(9, time.Second), KindThreadLeak, "")    // set up at the start
	expectOnly(t, look(5, 10*time.Minute), KindThreadLeak, "") // too few
}
