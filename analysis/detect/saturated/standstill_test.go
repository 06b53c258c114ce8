package saturated_test

import (
	"slices"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// All workers that wait without a time limit are a standstill in one dump as well, unless what
// they wait for may come.
func TestStandstill(t *testing.T) {
	each := func(class string, frames ...string) []*threaddump.Thread {
		var workers []*threaddump.Thread
		for n := range 3 {
			workers = append(workers, Worker(n+1, InTask(class, append([]string{UnsafePark}, frames...)...)))
		}
		return workers
	}
	const signaller, await = stack.JUC + "CompletableFuture$Signaller", stack.JUC + "CountDownLatch.await"
	joins := each(signaller, stack.JUC+"CompletableFuture.waitingGet", stack.JUC+"CompletableFuture.join",
		"shop.desk.Desk.price", "shop.desk.Desk.handle")
	blocks := each(stack.JUC+"CountDownLatch$Sync", await,
		"reactor.core.publisher.BlockingSingleSubscriber.blockingGet",
		"reactor.core.publisher.Mono.block", "shop.desk.Desk.price")
	inReactor := each(stack.JUC+"CountDownLatch$Sync", await,
		"reactor.core.publisher.BlockingSingleSubscriber.blockingGet",
		"reactor.core.publisher.Mono.block",
		"shop.desk.Desk.price", "reactor.core.publisher.MonoCallable.call", "reactor.core.scheduler.SchedulerTask.call")
	gets := each(stack.JUC+"FutureTask", stack.JUC+"FutureTask.awaitDone", stack.JUC+"FutureTask.get",
		"shop.desk.Desk.price", "shop.desk.Desk.handle")
	latches := each(stack.JUC+"CountDownLatch$Sync", await, "shop.desk.Desk.price")
	stages := each(signaller, stack.JUC+"CompletableFuture.waitingGet", stack.JUC+"CompletableFuture.join",
		"shop.desk.Desk.price", stack.JUC+"CompletableFuture$AsyncSupply.run")
	client := Thread(61, "HttpClient-1-SelectorManager",
		ParkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select",
			"jdk.internal.net.http.HttpClientImpl$SelectorManager.run"), Used(1, 10))
	consumes := each(Condition, stack.JUC+"locks.AbstractQueuedSynchronizer$ConditionObject.await",
		"shop.desk.Line.next", "shop.desk.Desk.serve")
	calls := func(below ...string) []*threaddump.Thread {
		return each("", append([]string{"java.util.concurrent.locks.LockSupport.park",
			"io.grpc.stub.ClientCalls$ThreadlessExecutor.waitAndDrain", "io.grpc.stub.ClientCalls.blockingUnaryCall",
			"shop.desk.Desk.price"}, below...)...)
	}
	parked := func(threads []*threaddump.Thread) []*threaddump.Thread {
		for _, th := range threads {
			WaitingState(th)
		}
		return threads
	}
	onOne := func(threads []*threaddump.Thread) []*threaddump.Thread {
		for _, th := range threads {
			th.Locks[0].Address = 0xa
		}
		return threads
	}
	other := func(frames ...string) *threaddump.Thread {
		return Thread(50, "pool-2-thread-1", Asleep(frames...), Used(1, 10))
	}
	events := Thread(60, "e-1", ParkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select",
		"io.netty.channel.nio.NioEventLoop.run", "java.lang.Thread.run"), Used(1, 10))
	idle := []*threaddump.Thread{Thread(51, "pool-3-thread-1", IdleAt(0xc), Used(1, 10)), Ticking(1),
		Thread(52, "nap", At("shop.Night.watch", "java.lang.Thread.run"), Sleeping, Used(1, 10)), IdleServer(53)}
	const warning = "executor-saturated/warning/likely: pool-1-thread-1,pool-1-thread-2,pool-1-thread-3 | "
	const hint = "executor-saturated/info/possible: pool-1-thread-1,pool-1-thread-2,pool-1-thread-3 | "
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    string
	}{
		{"futures", gets, warning},
		{"futures, with idle threads", slices.Concat(gets, idle), warning},
		{"futures, while an executor of another application works",
			slices.Concat(gets, []*threaddump.Thread{other("net.stock.Stock.load", stack.JUC+"FutureTask.run")}),
			"executor-saturated/info/possible: pool-2-thread-1 | pool-1-thread-1,pool-1-thread-2,pool-1-thread-3"},
		{"results that anybody may bring", joins, hint},
		{"stages in a stage", stages, warning},
		{"results, two workers", joins[:2], ""},
		{"results, and a free worker", slices.Concat(joins, []*threaddump.Thread{Worker(4, IdleAt(0xa))}), ""},
		{"results that an event loop may complete", slices.Concat(joins, []*threaddump.Thread{events}), hint},
		{"results of another executor's task", slices.Concat(joins,
			[]*threaddump.Thread{other("shop.desk.Desk.load")}),
			"executor-saturated/info/possible: pool-2-thread-1 | pool-1-thread-1,pool-1-thread-2,pool-1-thread-3"},
		{"results, while another executor of the application works",
			slices.Concat(joins, []*threaddump.Thread{other("shop.desk.Stock.load")}), hint},
		{"a library's blocking call", blocks, hint},
		{"a library's blocking call in a task of the library", inReactor, warning},
		{"a library's blocking call that an event loop may end", slices.Concat(blocks, []*threaddump.Thread{events}),
			hint},
		{"a latch for each", latches, hint},
		{"one latch for all", onOne(each(stack.JUC+"CountDownLatch$Sync", await, "shop.desk.Desk.untilDone")), hint},
		{"a latch that a thread of the class may open",
			slices.Concat(latches, []*threaddump.Thread{Thread(54, "t",
				At("shop.desk.Desk.count", "java.lang.Thread.run"), Used(1, 10))}), ""},
		{"consumers", consumes, ""},
		{"calls to another process", parked(calls()), ""},
		{"results that a client may bring", slices.Concat(joins, []*threaddump.Thread{client}), ""},
		{"results of stages, with a client", slices.Concat(stages, []*threaddump.Thread{client}), hint},
		{"calls from a handler of the same library",
			parked(calls("io.grpc.stub.ServerCalls$UnaryServerCallHandler$UnaryServerCallListener.onHalfClose")),
			warning},
	} {
		t.Run(test.name, func(t *testing.T) {
			ExpectOnly(t, DiagnoseAll(Same(test.threads...)[:1]), finding.KindExecutorSaturated, test.want)
		})
	}
	for name, threads := range map[string][]*threaddump.Thread{"results": joins, "a library's blocking call": blocks,
		"latches": latches} {
		t.Run(name+" in several dumps", func(t *testing.T) {
			ExpectOnly(t, DiagnoseAll(Same(threads...)), finding.KindExecutorSaturated, warning)
		})
	}
}
