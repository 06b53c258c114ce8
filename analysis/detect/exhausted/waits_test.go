package exhausted_test

import (
	"fmt"
	"slices"
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// Threads that wait for the same thing, with those who may be to blame, and with what makes them innocent.
func TestGatherings(t *testing.T) {
	permit := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name, At("Rink.skate", "Rink.day", "java.lang.Thread.run"),
			Calls("java.util.concurrent.Semaphore$NonfairSync", 0xa, "java.util.concurrent.Semaphore.acquire"),
			Used(1, 9))
	}
	calledBy := func(caller string) func(id int64, name string) *threaddump.Thread {
		return func(id int64, name string) *threaddump.Thread {
			return Thread(id, name, At("Rink.skate", caller, "java.lang.Thread.run"),
				Calls("java.util.concurrent.Semaphore$NonfairSync", 0xa,
					"java.util.concurrent.Semaphore.acquire"), Used(1, 9))
		}
	}
	request, started := calledBy("io.helidon.webserver.http.HttpRouting.route"),
		calledBy("io.netty.util.concurrent.FastThreadLocalRunnable.run")
	put := func(id int64, name string, cpu float64) *threaddump.Thread {
		return Thread(id, name, At("Mill.fill", "Mill.field", "java.lang.Thread.run"),
			Calls(Condition, 0xa, "java.util.concurrent.ArrayBlockingQueue.put"), Used(cpu, 9))
	}
	latch := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name, At("Race.line", "Race.cheer", "java.lang.Thread.run"),
			Calls("java.util.concurrent.CountDownLatch$Sync", 0xa, "java.util.concurrent.CountDownLatch.await"),
			Used(1, 9))
	}
	mainIn := func(methods ...string) *threaddump.Thread {
		return Thread(1, "main", At(methods...),
			Calls("java.util.concurrent.CountDownLatch$Sync", 0xa, "java.util.concurrent.CountDownLatch.await"),
			Used(1, 9))
	}
	keeper := latch(11, "a")
	keeper.Stack = slices.DeleteFunc(keeper.Stack, func(f *threaddump.Frame) bool { return f.Method == "cheer" })
	worker := func(id int64, name string) *threaddump.Thread {
		return Thread(id, name, At("Crew.next", "Hand.run"), Waiting(0xa), Used(1, 9))
	}
	gated := func(id int64, name string) *threaddump.Thread {
		t := Thread(id, name, At("Gate.enter", "java.lang.Thread.run"),
			Calls("", 0, "java.util.concurrent.locks.LockSupport.park"), Used(1, 9))
		t.Locks = nil
		return t
	}
	ticks := func(cpu float64) *threaddump.Thread {
		return Thread(70, "Timer-0", At("java.util.TimerThread.mainLoop", "java.util.TimerThread.run"), Waiting(0xd),
			Timed, Used(cpu, 9))
	}
	listens := func(id int64, name string, methods ...string) *threaddump.Thread {
		return Thread(id, name, At(append(methods, "java.lang.Thread.run")...), Waiting(0xa), Used(1, 9))
	}
	rested := func(n int) *threaddump.Thread {
		return Thread(int64(100+n), fmt.Sprintf("pool-1-thread-%d", n), IdleAt(0xc), Used(1, 9))
	}
	doneWorker := rested(9)
	grinder := Thread(20, "g", At("Mill.grind", "Mill.work", "java.lang.Thread.run"), Sleeping, Used(1, 9))
	lent := func(id int64, name string, cpu float64) *threaddump.Thread {
		return Thread(id, name, At("Shelf.borrow", "Sender.send", "java.lang.Thread.run"),
			Calls(Condition, 0xe, Condition+".awaitNanos"), Timed, Used(cpu, 9))
	}
	let := func(id int64, name string, cpu float64) *threaddump.Thread {
		return Thread(id, name, At("Meter.acquire", "Sender.send", "java.lang.Thread.run"),
			Calls(Condition, 0xe, Condition+".awaitNanos"), Timed, Used(cpu, 9))
	}
	tests := []struct {
		name   string
		first  []*threaddump.Thread
		second []*threaddump.Thread // as the first if nil
		want   []string
	}{
		{
			name:  "permits without a holder",
			first: []*threaddump.Thread{permit(11, "a"), permit(12, "b")},
			want:  []string{"resource-exhausted/warning/likely: a,b | "},
		},
		{
			name:  "permits without a holder, wanted by requests of a library's server",
			first: []*threaddump.Thread{request(11, "a"), request(12, "b")},
			want:  []string{"resource-exhausted/warning/likely: a,b | "},
		},
		{
			name:  "permits without a holder, in what a library's threads were started with",
			first: []*threaddump.Thread{started(11, "a"), started(12, "b")},
			want:  []string{"resource-exhausted/info/possible: a,b | "},
		},
		{
			name: "permits, and a heartbeat in the class that asks",
			first: []*threaddump.Thread{permit(11, "a"), permit(12, "b"),
				Thread(13, "c", At("Rink.beat", "Rink.pulse", "java.lang.Thread.run"), Sleeping, Used(1, 9))},
			want: []string{"resource-exhausted/warning/likely: a,b | "},
		},
		{
			name: "permits, and a heartbeat that was started in the same way",
			first: []*threaddump.Thread{
				Thread(11, "a", At("Rink.skate", "Rink.lambda$main$1", "Rink.lambda$go$0", "java.lang.Thread.run"),
					Calls("java.util.concurrent.Semaphore$NonfairSync", 0xa,
						"java.util.concurrent.Semaphore.acquire"), Used(1, 9)),
				Thread(12, "b", At("Rink.skate", "Rink.lambda$main$1", "Rink.lambda$go$0", "java.lang.Thread.run"),
					Calls("java.util.concurrent.Semaphore$NonfairSync", 0xa,
						"java.util.concurrent.Semaphore.acquire"), Used(1, 9)),
				Thread(13, "c", At("Rink.nap", "Rink.lambda$main$2", "Rink.lambda$go$0", "java.lang.Thread.run"),
					Sleeping, Used(1, 9))},
			want: []string{"resource-exhausted/warning/likely: a,b | "},
		},
		{
			name: "permits, and one in the work that asks",
			first: []*threaddump.Thread{permit(11, "a"), permit(12, "b"),
				Thread(13, "c", At("Rink.glide", "Rink.skate", "Rink.day", "java.lang.Thread.run"),
					Further("Rink.skate"), Sleeping, Used(1, 9))},
			want: []string{"resource-exhausted/warning/likely: c | a,b"},
		},
		{
			name: "permits, and one in other work of the class that asks",
			first: []*threaddump.Thread{permit(11, "a"), permit(12, "b"),
				Thread(13, "c", At("Rink.glide", "Rink.day", "java.lang.Thread.run"), Further("Rink.day"), Sleeping,
					Used(1, 9))},
			want: []string{"resource-exhausted/warning/likely: a,b | "},
		},
		{
			name:  "objects of a pool that others may have lost",
			first: []*threaddump.Thread{let(11, "a", 1), let(12, "b", 1)},
			want:  []string{"resource-exhausted/warning/possible: a,b | "},
		},
		{
			name:   "which they are lent, and look for now and then",
			first:  []*threaddump.Thread{lent(11, "a", 1), lent(12, "b", 1)},
			second: []*threaddump.Thread{lent(11, "a", 1.0002), lent(12, "b", 1.0002)},
			want:   []string{"resource-exhausted/warning/possible: a,b | "},
		},
		{
			name:   "turns that come to each in time",
			first:  []*threaddump.Thread{let(11, "a", 1), let(12, "b", 1)},
			second: []*threaddump.Thread{let(11, "a", 1.0002), let(12, "b", 1.0002)},
			want:   []string{"resource-exhausted/info/possible: a,b | "},
		},
		{
			name:  "a queue whose consumer sleeps",
			first: []*threaddump.Thread{put(11, "a", 1), put(12, "b", 1), grinder},
			want:  []string{"queue-full/warning/likely: g | a,b"},
		},
		{
			name:   "a queue in brisk use",
			first:  []*threaddump.Thread{put(11, "a", 1), put(12, "b", 1), grinder},
			second: []*threaddump.Thread{put(11, "a", 1.1), put(12, "b", 1.1), grinder},
		},
		{
			name: "permits whose holder waits for what another one has",
			first: []*threaddump.Thread{permit(11, "a"), permit(12, "b"),
				Thread(13, "c", At("Rink.glide", "Rink.skate", "Rink.day", "java.lang.Thread.run"),
					Further("Rink.skate"), BlockedOn(0xb), Used(1, 9)),
				Thread(14, "d", At("Ice.smooth", "Ice.work", "java.lang.Thread.run"), Sleeping, Holds(0xb),
					Used(1, 9))},
			want: []string{"resource-exhausted/warning/likely: d | a,b,c"},
		},
		{
			name:  "a latch in which main stays until shutdown",
			first: []*threaddump.Thread{mainIn("Node.await", "Node.start", "Loader.main"), doneWorker},
		},
		{
			name:  "a latch in main itself",
			first: []*threaddump.Thread{mainIn("Loader.main"), doneWorker},
		},
		{
			name:  "the same with a timer that has not run since",
			first: []*threaddump.Thread{gated(11, "a"), gated(12, "b"), ticks(1)},
		},
		{
			name:   "workers of a hand-written pool and a timer that may feed them",
			first:  []*threaddump.Thread{worker(11, "a"), worker(12, "b"), ticks(1)},
			second: []*threaddump.Thread{worker(11, "a"), worker(12, "b"), ticks(1.001)},
		},
		{
			name: "the same with an idle worker, which may get a task that does it",
			first: []*threaddump.Thread{listens(11, "a", "Bell.listen", "Bell.lambda$main$0"),
				listens(12, "b", "Bell.listen", "Bell.lambda$main$0"), doneWorker},
		},
		{
			name:  "idle workers of a hand-written pool",
			first: []*threaddump.Thread{worker(11, "a"), worker(12, "b"), IdleServer(60)},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			second := test.second
			if second == nil {
				second = test.first
			}
			Expect(t, Diagnose(Observe(0, test.first...), Observe(1, second...)), test.want...)
		})
	}
}
