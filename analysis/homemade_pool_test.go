package analysis

import (
	"fmt"
	"testing"

	"jstall/threaddump"
)

// Threads of the program's own run its jobs, and each waits in one for another.
func TestACrewWaitsForItsOwnJobs(t *testing.T) {
	worker := func(id int64, object uint64, frames ...string) *threaddump.Thread {
		return thread(id, fmt.Sprintf("w-%d", id), at(append(frames, "Crew.work", "java.lang.Thread.run")...), waiting(object), used(1, 9))
	}
	inJob := []string{"Job.result", "Agency.price", "Job.perform"}
	asks := func(id int64) *threaddump.Thread { return worker(id, uint64(id), inJob...) }
	late := asks(2)
	timed(late)
	rests := worker(3, 0xf, "Crew.next")
	main := thread(9, "main", asleepIn("Agency.main"), timed, used(1, 9))
	other := func(parts ...part) *threaddump.Thread {
		return thread(8, "other", append(parts, used(1, 9))...)
	}
	for _, test := range []struct {
		name, want string
		threads    []*threaddump.Thread
	}{
		{"all of them", "pool-deadlock/warning/likely: w-1,w-2 | ", []*threaddump.Thread{asks(1), asks(2)}},
		{"the only one, which may be who waits for the end", "", []*threaddump.Thread{asks(1)}},
		{"in a method that waits for the end", "", []*threaddump.Thread{
			worker(1, 1, "Job.awaitShutdown", "Agency.price", "Job.perform"), worker(2, 2, "Job.awaitShutdown", "Agency.price", "Job.perform")}},
		{"beside who accepts connections", "", []*threaddump.Thread{asks(1), asks(2),
			other(at("!sun.nio.ch.Net.accept", "sun.nio.ch.ServerSocketChannelImpl.accept", "Door.run"))}},
		{"beside one that asks from outside", "pool-deadlock/warning/likely: w-1,w-2 | ", []*threaddump.Thread{asks(1), asks(2),
			other(at("Job.result", "Agency.report", "Clock.run"), waiting(0xe))}},
		{"but one that rests", "", []*threaddump.Thread{asks(1), asks(2), rests}},
		{"for one and the same", "", []*threaddump.Thread{worker(1, 0xa, inJob...), worker(2, 0xa, inJob...)}},
		{"in no job", "", []*threaddump.Thread{worker(1, 1, "Job.result", "Job.await"), worker(2, 2, "Job.result", "Job.await")}},
		{"beside another crew in such a job", "", []*threaddump.Thread{asks(1), asks(2), other(at("Agency.room", "Job.perform", "Guests.run"), calls(juc+"CountDownLatch$Sync", 0xd, juc+"CountDownLatch.await"))}},
		{"for some time", "", []*threaddump.Thread{asks(1), late}},
		{"beside one that reads", "", []*threaddump.Thread{asks(1), asks(2), other(at("!sun.nio.ch.EPoll.wait", "sun.nio.ch.SelectorImpl.select", "Line.run"))}},
		{"beside a timer", "", []*threaddump.Thread{asks(1), asks(2), ticking(1)}},
		{"beside one that has work", "", []*threaddump.Thread{asks(1), asks(2), other(at("Clock.tick", "Clock.run"))}},
	} {
		t.Run(test.name, func(t *testing.T) {
			threads := append(test.threads, main)
			expectOnly(t, diagnose(observe(0, threads...), observe(1, threads...), observe(2, threads...)), KindPoolDeadlock, test.want)
		})
	}
}
