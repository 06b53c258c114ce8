package analysis

import (
	"strings"
	"testing"

	"jstall/threaddump"
)

// Tasks that wait for what does not come are to blame, not those that wait for their
// results.
func TestTasksThatAreStuckAreToBlame(t *testing.T) {
	t.Skip("TODO")
	caller := func(id int64, name string) *threaddump.Thread {
		return thread(id, name, at("Shop.page", "Shop.serve", "java.lang.Thread.run"), used(1, 9),
			calls(juc+"CompletableFuture$Signaller", 0xf, juc+"CompletableFuture.join"))
	}
	task := func(id int64, name string, frames ...string) *threaddump.Thread {
		all := append(frames, juc+"CompletableFuture$AsyncSupply.run", juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run")
		return thread(id, name, at(all...), used(1, 9), calls(juc+"SynchronousQueue$TransferStack", 0xc, juc+"SynchronousQueue.take"))
	}
	idle := thread(9, "w-9", parkedIn("", unsafePark, juc+"LinkedBlockingQueue.take", juc+"ThreadPoolExecutor.getTask", juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"), used(1, 9), waitingState)
	locks := thread(3, "w-1", at("Shop.load", "Shop.lambda$page$0", juc+"CompletableFuture$AsyncSupply.run", juc+"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"),
		used(1, 9), calls(reentrant, 0xd, juc+"locks.AbstractQueuedSynchronizer.acquire", juc+"locks.ReentrantLock.lock"))
	born, other := "Shop.lambda$page$0", "Mail.lambda$page$0"
	for _, test := range []struct {
		name    string
		threads []*threaddump.Thread
		want    string
	}{
		{"lambdas of the callers' method", []*threaddump.Thread{caller(1, "a"), caller(2, "b"), task(3, "w-1", "Shop.load", born), task(4, "w-2", "Shop.load", born), idle},
			"missed-signal/warning/likely: w-1,w-2 | a,b"},
		{"behind a lock whose owner no dump tells", []*threaddump.Thread{caller(1, "a"), locks, idle}, "missed-signal/warning/likely: w-1 | a"},
		{"tasks of another class", []*threaddump.Thread{caller(1, "a"), caller(2, "b"), task(3, "w-1", "Mail.load", other), idle},
			"missed-signal/warning/likely: a,b | "},
	} {
		t.Run(test.name, func(t *testing.T) {
			expect(t, diagnose(observe(0, test.threads...), observe(1, test.threads...)), test.want)
		})
	}
	one := []*threaddump.Thread{caller(1, "a"), task(3, "w-1", "Shop.load", born), idle}
	title := diagnose(observe(0, one...), observe(1, one...)).Findings[0].Title
	if !strings.Contains(title, `the task that "w-1" runs is stuck: it waits for an element of a queue, while 1 thread waits for its result`) {
		t.Error(title)
	}
}

// Tasks that sleep may wake up: whoever waits for their results is told of as long as
// none of them has in three dumps.
func TestTasksThatSleepThroughout(t *testing.T) {
	caller := func() *threaddump.Thread {
		return thread(1, "a", at("Shop.page", "Shop.serve", "java.lang.Thread.run"), used(1, 9),
			calls(juc+"CompletableFuture$Signaller", 0xf, juc+"CompletableFuture.join"))
	}
	task := func(cpu float64) *threaddump.Thread {
		return thread(3, "t", at("Shop.load", "Shop.lambda$page$0", juc+"CompletableFuture$AsyncSupply.run", "java.lang.Thread.run"), sleeping, used(cpu, 9))
	}
	for _, test := range []struct {
		want string
		cpu  []float64
	}{
		{"missed-signal/warning/likely: t | a", []float64{1, 1, 1}},
		{"missed-signal/info/possible: t | a", []float64{1, 1}},
	} {
		var all []Observation
		for i, cpu := range test.cpu {
			all = append(all, observe(float64(i), caller(), task(cpu)))
		}
		expect(t, diagnose(all...), test.want)
	}
	expect(t, diagnose(observe(0, caller(), task(1)), observe(1, caller(), task(1.1)), observe(2, caller(), task(1.2))))
}
