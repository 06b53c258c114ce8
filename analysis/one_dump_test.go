package analysis_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

func TestOneDumpShowsAnOwnerThatCannotContinue(t *testing.T) {
	blocked := Thread(2, "waiter", At("Shop.order", "Shop.run"), BlockedOn(0xb))
	for name, test := range map[string]struct {
		owner *threaddump.Thread
		want  string
	}{
		"a result": {Thread(1, "owner",
			ParkedIn(stack.JUC+"FutureTask", UnsafePark, stack.JUC+"FutureTask.get", "Shop.load",
				"Shop.run"), Holds(0xb)), "warning/likely"},
		"a socket": {Thread(1, "owner",
			At("!java.net.SocketInputStream.socketRead0", "java.net.SocketInputStream.read", "Shop.load",
				"Shop.run"), Holds(0xb)), "warning/likely"},
		"a socket with a time limit": {Thread(1, "owner",
			At("!sun.nio.ch.Net.poll", "sun.nio.ch.NioSocketImpl.timedRead", "java.net.Socket$SocketInputStream.read",
				"Shop.load", "Shop.run"),
			Holds(0xb)), "info/possible"},
		"a sleep": {Thread(1, "owner", Sleeping, Holds(0xb)), "info/possible"},
		"a file": {Thread(1, "owner",
			At("!java.io.RandomAccessFile.writeBytes", "java.io.RandomAccessFile.write", "Shop.load",
				"Shop.run"), Holds(0xb)), "info/possible"},
	} {
		t.Run(name, func(t *testing.T) {
			ExpectOnly(t, OneDump(test.owner, blocked), finding.KindLockContention, "lock-contention/"+test.want+
				": owner | waiter")
		})
	}
}

func TestOneDumpLeavesOwnersThatWorkAlone(t *testing.T) {
	ExpectOnly(t, OneDump(Thread(1, "owner", At("Shop.count", "Shop.run"), Holds(0xb)),
		Thread(2, "waiter", At("Shop.order", "Shop.run"), BlockedOn(0xb))), finding.KindLockContention, "")
}

// A write to a file ends by itself; with most of the owner's pool behind it the file may be a pipe without a reader.
func TestAWriterThatStopsItsPool(t *testing.T) {
	writer := Thread(1, "pay-1",
		At("!java.io.FileOutputStream.writeBytes", "java.io.FileOutputStream.write", "Pay.book"), Holds(0xb))
	blocked := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name, At("Pay.book", "Pay.run"), BlockedOn(0xb))
	}
	others := []*threaddump.Thread{writer, blocked(2, "pay-2"), blocked(3, "pay-3"), blocked(4, "pay-4")}
	idle := []*threaddump.Thread{Thread(5, "pay-5", At("Pay.run")), Thread(6, "pay-6", At("Pay.run"))}
	ExpectOnly(t, OneDump(others...), finding.KindLockContention,
		"lock-contention/warning/likely: pay-1 | pay-2,pay-3,pay-4")
	ExpectOnly(t, OneDump(others[:3]...), finding.KindLockContention,
		"lock-contention/info/possible: pay-1 | pay-2,pay-3")
	ExpectOnly(t, OneDump(append(others, idle...)...), finding.KindLockContention,
		"lock-contention/info/possible: pay-1 | pay-2,pay-3,pay-4")
}

// Arthas prints the owner of a lock alone, with the count of those that wait for it.
func TestAnOwnerWhoseWaitersAreNotListed(t *testing.T) {
	owner := func(top string) *threaddump.Thread {
		th := Thread(1, "owner", At(top, "java.net.SocketInputStream.read", "Shop.load", "Shop.run"), Holds(0xb))
		th.Locks[0].Blocks = 5
		return th
	}
	reads, works := owner("!java.net.SocketInputStream.socketRead0"), owner("Shop.parse")
	works.Stack = Trace("Shop.parse", "Shop.run")
	ExpectOnly(t, OneDump(reads), finding.KindLockContention, "lock-contention/warning/likely: owner | ")
	ExpectOnly(t, OneDump(works), finding.KindLockContention, "lock-contention/info/possible: owner | ")
	listed := Thread(2, "waiter", At("Shop.order", "Shop.run"), BlockedOn(0xb))
	ExpectOnly(t, OneDump(reads, listed), finding.KindLockContention, "lock-contention/warning/likely: owner | waiter")
}

// Threads that accept by turns are no queue; a producer that the same lock keeps out is one.
func TestOneDumpSeparatesTurnsFromLockouts(t *testing.T) {
	owner := Thread(1, "owner",
		ParkedIn(Condition, UnsafePark, stack.JUC+"LinkedBlockingQueue.take", "Mill.next", "Mill.run"), Holds(0xb))
	ExpectOnly(t, OneDump(owner, Thread(2, "a", At("Mill.next", "Mill.run"), BlockedOn(0xb))),
		finding.KindLockContention, "")
	ExpectOnly(t, OneDump(owner, Thread(2, "a", At("Mill.fill", "Mill.run"), BlockedOn(0xb))),
		finding.KindLockContention,
		"lock-contention/warning/likely: owner | a")
}

// pooled are workers of a pool in one call of a library that the program made.
func pooled(n int, call string) []*threaddump.Thread {
	var threads []*threaddump.Thread
	for i := range n {
		threads = append(threads,
			Thread(int64(10+i), fmt.Sprintf("pool-1-thread-%d", i+1), ParkedIn(Condition, UnsafePark,
				stack.JUC+"locks.AbstractQueuedSynchronizer$ConditionObject.await", call, "Shop.serve", "Shop.run",
				stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
					"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")))
	}
	return threads
}

func TestManyInOneCallLead(t *testing.T) {
	const call = "org.eclipse.jetty.server.HttpOutput.close"
	for n, told := range map[int]bool{2: false, 4: true, 30: true} {
		r := OneDump(pooled(n, call)...)
		if got := r.Verdict.State == analysis.Suspicious && strings.Contains(r.Verdict.Summary, call); got != told {
			t.Errorf("%d threads: %+v", n, r.Verdict)
		}
	}
}

// A virtual thread is made for one task: its read in the middle of that is no wait for the next job.
func TestManyVirtualThreadsInOneReadLead(t *testing.T) {
	read := []string{"java.lang.VirtualThread.park", "sun.nio.ch.Poller.poll", "sun.nio.ch.NioSocketImpl.park",
		"sun.nio.ch.NioSocketImpl.read", "java.net.Socket$SocketInputStream.read"}
	for name, c := range map[string]struct {
		n, others int
		stack     []string
		want      analysis.VerdictState
	}{
		"all of them":        {8, 0, []string{"Shop.ask", "Shop.serve"}, analysis.Suspicious},
		"too few":            {2, 0, []string{"Shop.ask", "Shop.serve"}, analysis.Ok},
		"few of many":        {8, 8, []string{"Shop.ask", "Shop.serve"}, analysis.Ok},
		"readers of clients": {8, 0, []string{"Shop.serve"}, analysis.Ok},
	} {
		var threads []*threaddump.Thread
		for i := range c.n + c.others {
			th := virtualReader(i, append(read, c.stack...))
			if i >= c.n {
				th = Virtual(int64(10+i), fmt.Sprintf("order-%d", i), Sleeping)
			}
			threads = append(threads, th)
		}
		if r := OneDump(threads...); r.Verdict.State != c.want {
			t.Errorf("%s: %+v %v", name, r.Verdict, Found(r))
		}
	}
}

func virtualReader(i int, frames []string) *threaddump.Thread {
	th := Virtual(int64(10+i), fmt.Sprintf("order-%d", i), At(frames...))
	th.State = threaddump.Waiting
	return th
}

func TestWhoTakesTheDumpIsNotAtWork(t *testing.T) {
	r := OneDump(Thread(1, "RMI TCP Connection(2)",
		At("!sun.management.ThreadImpl.dumpThreads0", "sun.management.ThreadImpl.dumpAllThreads", "App.run"),
		Used(9.5, 10)))
	if r.Verdict.State != analysis.Ok || strings.Contains(r.Verdict.Summary, "running") {
		t.Errorf("%+v", r.Verdict)
	}
}

func TestDestroyJavaVMIsNotHot(t *testing.T) {
	ExpectOnly(t, OneDump(Thread(1, "DestroyJavaVM", At(), Used(36, 30))), finding.KindHotThread, "")
}

func TestExecutorsThatKeepComing(t *testing.T) {
	look := func(n int, each time.Duration) *analysis.Report {
		var threads []*threaddump.Thread
		for i := range n {
			w := Thread(int64(10+i), fmt.Sprintf("pool-%d-thread-1", i+1),
				ParkedIn(Condition, UnsafePark, stack.JUC+"LinkedBlockingQueue.take",
					stack.JUC+"ThreadPoolExecutor.getTask", stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
						"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"))
			w.Locks[0].Address = uint64(0x100 + i)
			w.CPU, w.Elapsed = threaddump.Known(time.Millisecond), threaddump.Known(time.Duration(n-i)*each)
			threads = append(threads, w)
		}
		return OneDump(threads...)
	}
	if r := look(9, 10*time.Minute); r.Verdict.State != analysis.Suspicious ||
		r.Findings[0].Kind != finding.KindThreadLeak {
		t.Errorf("one every ten minutes: %+v %v", r.Verdict, Found(r))
	}
	ExpectOnly(t, look(9, time.Second), finding.KindThreadLeak, "")    // set up at the start
	ExpectOnly(t, look(5, 10*time.Minute), finding.KindThreadLeak, "") // too few
}
