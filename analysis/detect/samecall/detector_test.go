package samecall_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

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

// 198 of the 199 threads of a pool in a real JVM wait in one method of the program.
func TestARealPoolInOneCall(t *testing.T) {
	r := DiagnoseDumps(Parse(t, "../cases/h34.txt")...)
	if len(r.Findings) != 1 {
		t.Fatal(Found(r))
	}
	const title = `198 of 199 threads "http-*" wait in com.acme.orders.Gateway.awaitWritable`
	f := r.Findings[0]
	if f.Kind != finding.KindExecutorSaturated || f.Severity != finding.Info || f.Title != title ||
		len(f.Culprits) != 198 || f.Culprits[0].Frame != "com.acme.orders.Gateway.awaitWritable" {
		t.Errorf("%s %s: %s; %d threads, %+v", f.Severity, f.Kind, f.Title, len(f.Culprits), f.Culprits[0])
	}
}
