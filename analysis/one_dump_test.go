package analysis

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
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
		"a result": {thread(1, "owner", parkedIn(stack.JUC+"FutureTask", unsafePark, stack.JUC+"FutureTask.get", "Shop.load", "Shop.run"), holds(0xb)), "warning/likely"},
		"a socket": {thread(1, "owner", at("!java.net.SocketInputStream.socketRead0", "java.net.SocketInputStream.read", "Shop.load", "Shop.run"), holds(0xb)), "warning/likely"},
		"a socket with a time limit": {thread(1, "owner", at("!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.timedRead", "java.net.Socket$SocketInputStream.read", "Shop.load", "Shop.run"),
			holds(0xb)), "info/possible"},
		"a sleep": {thread(1, "owner", sleeping, holds(0xb)), "info/possible"},
		"a file":  {thread(1, "owner", at("!java.io.RandomAccessFile.writeBytes", "java.io.RandomAccessFile.write", "Shop.load", "Shop.run"), holds(0xb)), "info/possible"},
	} {
		t.Run(name, func(t *testing.T) {
			expectOnly(t, oneDump(test.owner, blocked), finding.KindLockContention, "lock-contention/"+test.want+": owner | waiter")
		})
	}
}

func TestOneDumpLeavesOwnersThatWorkAlone(t *testing.T) {
	expectOnly(t, oneDump(thread(1, "owner", at("Shop.count", "Shop.run"), holds(0xb)),
		thread(2, "waiter", at("Shop.order", "Shop.run"), blockedOn(0xb))), finding.KindLockContention, "")
}

// A write to a file ends by itself; with most of the owner's pool behind it the file may be a
// pipe that nobody reads.
func TestAWriterThatStopsItsPool(t *testing.T) {
	writer := thread(1, "pay-1", at("!java.io.FileOutputStream.writeBytes", "java.io.FileOutputStream.write", "Pay.book"), holds(0xb))
	blocked := func(id int64, name string) *threaddump.Thread {
		return thread(id, name, at("Pay.book", "Pay.run"), blockedOn(0xb))
	}
	others := []*threaddump.Thread{writer, blocked(2, "pay-2"), blocked(3, "pay-3"), blocked(4, "pay-4")}
	idle := []*threaddump.Thread{thread(5, "pay-5", at("Pay.run")), thread(6, "pay-6", at("Pay.run"))}
	expectOnly(t, oneDump(others...), finding.KindLockContention, "lock-contention/warning/likely: pay-1 | pay-2,pay-3,pay-4")
	expectOnly(t, oneDump(others[:3]...), finding.KindLockContention, "lock-contention/info/possible: pay-1 | pay-2,pay-3")
	expectOnly(t, oneDump(append(others, idle...)...), finding.KindLockContention, "lock-contention/info/possible: pay-1 | pay-2,pay-3,pay-4")
}

// Class loading blocks without a line that names the lock.
func TestBlockedThreadsWithoutALockLine(t *testing.T) {
	loads := func(id int64) *threaddump.Thread {
		th := thread(id, fmt.Sprintf("t%d", id), at("java.lang.ClassLoader.loadClass", "Shop.open", "Shop.run"), used(1, 9))
		th.State, th.Condition = threaddump.Blocked, "waiting for monitor entry"
		return th
	}
	threads := []*threaddump.Thread{loads(1), loads(2), loads(3)}
	expectOnly(t, oneDump(threads...), finding.KindLockContention, "lock-contention/info/possible:  | t1,t2,t3")
	expectOnly(t, oneDump(threads[:2]...), finding.KindLockContention, "")
	expectOnly(t, diagnoseAll([][]*threaddump.Thread{threads, threads, threads}), finding.KindLockContention,
		"lock-contention/warning/likely:  | t1,t2,t3")
	moved := []*threaddump.Thread{loads(1), loads(2),
		thread(3, "t3", at("java.lang.ClassLoader.loadClass", "Shop.close", "Shop.run"), used(1, 9))}
	moved[2].State = threaddump.Blocked
	expectOnly(t, diagnoseAll([][]*threaddump.Thread{threads, threads, moved}), finding.KindLockContention,
		"lock-contention/info/possible:  | t1,t2,t3")
}

// Arthas prints the owner of a lock alone, with the count of those that wait for it.
func TestAnOwnerWhoseWaitersAreNotListed(t *testing.T) {
	owner := func(top string) *threaddump.Thread {
		th := thread(1, "owner", at(top, "java.net.SocketInputStream.read", "Shop.load", "Shop.run"), holds(0xb))
		th.Locks[0].Blocks = 5
		return th
	}
	reads, works := owner("!java.net.SocketInputStream.socketRead0"), owner("Shop.parse")
	works.Stack = trace("Shop.parse", "Shop.run")
	expectOnly(t, oneDump(reads), finding.KindLockContention, "lock-contention/warning/likely: owner | ")
	expectOnly(t, oneDump(works), finding.KindLockContention, "lock-contention/info/possible: owner | ")
	listed := thread(2, "waiter", at("Shop.order", "Shop.run"), blockedOn(0xb))
	expectOnly(t, oneDump(reads, listed), finding.KindLockContention, "lock-contention/warning/likely: owner | waiter")
}

// Threads that accept by turns are no queue; a producer that the same lock keeps out is one.
func TestOneDumpTellsTurnsFromLockouts(t *testing.T) {
	owner := thread(1, "owner", parkedIn(condition, unsafePark, stack.JUC+"LinkedBlockingQueue.take", "Mill.next", "Mill.run"), holds(0xb))
	expectOnly(t, oneDump(owner, thread(2, "a", at("Mill.next", "Mill.run"), blockedOn(0xb))), finding.KindLockContention, "")
	expectOnly(t, oneDump(owner, thread(2, "a", at("Mill.fill", "Mill.run"), blockedOn(0xb))), finding.KindLockContention,
		"lock-contention/warning/likely: owner | a")
}

// pooled are workers of a pool in one call of a library that the program made.
func pooled(n int, call string) []*threaddump.Thread {
	var threads []*threaddump.Thread
	for i := range n {
		threads = append(threads, thread(int64(10+i), fmt.Sprintf("pool-1-thread-%d", i+1), parkedIn(condition, unsafePark,
			stack.JUC+"locks.AbstractQueuedSynchronizer$ConditionObject.await", call, "Shop.serve", "Shop.run",
			stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")))
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
	expectOnly(t, oneDump(thread(1, "DestroyJavaVM", at(), used(36, 30))), finding.KindHotThread, "")
}

func TestExecutorsThatKeepComing(t *testing.T) {
	look := func(n int, each time.Duration) *Report {
		var threads []*threaddump.Thread
		for i := range n {
			w := thread(int64(10+i), fmt.Sprintf("pool-%d-thread-1", i+1), parkedIn(condition, unsafePark, stack.JUC+"LinkedBlockingQueue.take",
				stack.JUC+"ThreadPoolExecutor.getTask", stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"))
			w.Locks[0].Address = uint64(0x100 + i)
			w.CPU, w.Elapsed = threaddump.Known(time.Millisecond), threaddump.Known(time.Duration(n-i)*each)
			threads = append(threads, w)
		}
		return oneDump(threads...)
	}
	if r := look(9, 10*time.Minute); r.Verdict.State != Suspicious || r.Findings[0].Kind != finding.KindThreadLeak {
		t.Errorf("one every ten minutes: %+v %v", r.Verdict, found(r))
	}
	expectOnly(t, look(9, time.Second), finding.KindThreadLeak, "")    // set up at the start
	expectOnly(t, look(5, 10*time.Minute), finding.KindThreadLeak, "") // too few
}
