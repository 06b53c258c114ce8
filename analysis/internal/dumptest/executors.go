package dumptest

import (
	"fmt"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Ticking is the worker of a scheduler between two runs of a task.
func Ticking(cpu float64) *threaddump.Thread {
	schedule := stack.JUC + "ScheduledThreadPoolExecutor$DelayedWorkQueue.take"
	return Thread(70, "tick", ParkedIn(Condition, UnsafePark, Condition+".awaitNanos", schedule,
		stack.JUC+"ThreadPoolExecutor.getTask", stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
			"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), Timed, Used(cpu, 10))
}

// IdleServer is the thread of a server of the JDK that waits for connections.
func IdleServer(id int64) *threaddump.Thread {
	return Thread(id, "http", ParkedIn("", "!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select",
		"sun.net.httpserver.ServerImpl$Dispatcher.run", "java.lang.Thread.run"), Used(1, 10))
}

// Woken gives a thread as much CPU time since the first dump as a few wakeups cost.
func Woken(t *threaddump.Thread) *threaddump.Thread {
	Used(1.0002, 11)(t)
	return t
}

// InTask makes a worker of a ThreadPoolExecutor with frames above its loop, parked on an object of a class if that is
// not empty.
func InTask(class string, frames ...string) Part {
	return ParkedIn(class,
		append(frames, stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+"ThreadPoolExecutor$Worker.run",
			"java.lang.Thread.run")...)
}

// IdleAt makes a worker wait for work at a queue's condition.
func IdleAt(queue uint64) Part {
	return func(t *threaddump.Thread) {
		InTask("", UnsafePark, stack.JUC+"locks.LockSupport.park", stack.JUC+
			"locks.AbstractQueuedSynchronizer$ConditionObject.await",
			stack.JUC+"LinkedBlockingQueue.take", stack.JUC+"ThreadPoolExecutor.getTask")(t)
		t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
		LockOn(t, threaddump.Parking, queue, stack.JUC+"locks.AbstractQueuedSynchronizer$ConditionObject")
	}
}

// InGet returns the frames of a wait for a FutureTask, called from frames.
func InGet(frames ...string) []string {
	return append([]string{UnsafePark, stack.JUC + "locks.LockSupport.park", stack.JUC + "FutureTask.awaitDone",
		stack.JUC + "FutureTask.get"}, frames...)
}

func Caller(id int64) *threaddump.Thread {
	return Thread(id, fmt.Sprintf("c-%d", id),
		ParkedIn(stack.JUC+"FutureTask", InGet("App.ask", "java.lang.Thread.run")...), Used(1, 10))
}

func Worker(n int, parts ...Part) *threaddump.Thread {
	return Thread(int64(100+n), fmt.Sprintf("pool-1-thread-%d", n), append(parts, Used(1, 10))...)
}
