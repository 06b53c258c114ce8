package hotspot_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"

	"github.com/jstall/jstall/analysis/object"
)

// TestFacts reads values while the program holds them, on two JDKs. HEAVY=1 tries all, and further collectors and
// layouts.
func TestFacts(t *testing.T) {
	rows := []struct {
		from, to int
		flags    string
	}{
		{8, 99, ""}, {8, 99, "-XX:+UseSerialGC"}, {15, 99, "-XX:+UseZGC"}, {8, 99, "-XX:+UseParallelGC"},
		{8, 99, "-XX:-UseCompressedOops"}, {11, 99, "-XX:+UseShenandoahGC"}, {8, 99, "-XX:+UseG1GC"},
		{8, 99, "-Xcomp -XX:CompileCommand=quiet -XX:CompileCommand=compileonly,java/util/concurrent/*.*"},
		{24, 99, "-XX:+UnlockExperimentalVMOptions -XX:+UseCompactObjectHeaders"},
	}
	for _, jdk := range builds(t) {
		for i, row := range rows {
			usual := i == 0 && (jdk.Version == 8 || jdk.Version == 25)
			if jdk.Version < row.from || jdk.Version > row.to || !usual && !jvmtest.Everywhere() {
				continue
			}
			t.Run(fmt.Sprint(jdk.Version, row.flags), func(t *testing.T) {
				t.Parallel()
				jvm := start(t, jdk, "Holding", strings.Fields("-XX:+IgnoreUnrecognizedVMOptions "+row.flags)...)
				checkFacts(t, read(t, jvm.PID()))
			})
		}
	}
}

// heldFacts are those of testdata/hotspot/Holding.java in words.
var heldFacts = []string{
	"semaphore: 3 of 0 left, 2 semaphore",
	"latch: 6 of 0 left, 1 latch",
	"barrier: 2 of 3 left, 1 barrier",
	"lock: 2 holds of lock-owner, 0 readers [], 1 lock",
	"read-write-lock: 0 holds of -, 4 readers [reader reader-too], 1 writer",
	"monitor: 0 holds of monitor-owner, 0 readers [], 1 monitor",
	"FutureTask NEW, run by runner, queued in -, 1 future",
	"FutureTask NEW, run by -, queued in -, 1 future-not-begun",
	"FutureTask NEW, run by -, queued in self, 1 self",
	"FutureTask NEW, run by -, queued in slow, 1 asks",
	"CompletableFuture NEW, run by -, queued in -, 1 completable",
	"CompletableFuture NEW, run by -, queued in -, 1 completable-timed",
	"CompletableFuture NEW, run by -, queued in stages, 1 stages",
	"thread-pool RUNNING, 2 of 2 active, 2 to 2, 3 of 10 in LinkedBlockingQueue, due -, 2 linked",
	"thread-pool RUNNING, 1 of 1 active, 1 to 1, 2 of -1 in LinkedBlockingQueue, due -, 1 unbounded",
	"thread-pool RUNNING, 1 of 1 active, 1 to 1, 4 of 4 in ArrayBlockingQueue, due -, 1 array",
	"thread-pool RUNNING, 1 of 1 active, 1 to 1, 1 of 9 in LinkedBlockingDeque, due -, 1 deque",
	"thread-pool RUNNING, 3 of 3 active, 0 to 8, 0 of 0 in SynchronousQueue, due -, 3 direct",
	"thread-pool RUNNING, 0 of 2 active, 2 to 2147483647, 6 of -1 in DelayedWorkQueue, due 9 days, 2 scheduled",
	"thread-pool SHUTDOWN, 1 of 1 active, 3 to 3, 0 of -1 in LinkedBlockingQueue, due -, 1 ending",
	"thread-pool RUNNING, 1 of 1 active, 1 to 1, 1 of -1 in LinkedBlockingQueue, due -, 1 self",
	"thread-pool RUNNING, 1 of 1 active, 1 to 1, 1 of -1 in LinkedBlockingQueue, due -, 1 stages",
	"thread-pool RUNNING, 1 of 1 active, 1 to 1, 1 of -1 in LinkedBlockingQueue, due -, 1 slow",
	"thread-pool RUNNING, 1 of 1 active, 1 to 1, 0 of -1 in LinkedBlockingQueue, due -, 1 asks",
	"thread-pool RUNNING, 1 of 1 active, 1 to 1, 0 of -1 in LinkedBlockingQueue, due -, 1 wrapped",
	"fork-join , 0 of 2 active, 2 to 2, 3 of -1 in WorkQueue, due -, 2 ForkJoinPool-1",
	"2 of 2 in LinkedBlockingQueue, 2 producer",
	"0 of 3 in ArrayBlockingQueue, 1 consumer",
}

// checkFacts compares each fact in words with those that the program holds.
func checkFacts(t *testing.T, d *hotspot.Dump) {
	t.Helper()
	want := map[string]bool{}
	for _, text := range heldFacts {
		want[text] = true
	}
	for _, text := range inWords(d) {
		if want[text] {
			delete(want, text)
		} else {
			t.Errorf("not held: %s", text)
		}
	}
	for text := range want {
		t.Errorf("not read: %s", text)
	}
}

// inWords are the facts of a dump with the names of threads. Queues of idle workers are left out.
func inWords(d *hotspot.Dump) []string {
	names := map[int64]string{0: "-"}
	for _, thread := range d.Threads {
		names[thread.ID], _, _ = strings.Cut(thread.Name, "-worker-")
	}
	first := func(ids []int64) string { return fmt.Sprint(len(ids), " ", names[slices.Min(ids)]) }
	all := func(ids []int64) []string {
		var named []string
		for _, id := range ids {
			named = append(named, names[id])
		}
		return named
	}
	var texts []string
	tell := func(format string, args ...any) { texts = append(texts, fmt.Sprintf(format, args...)) }
	for _, s := range d.Facts.Synchronizers {
		switch s.Kind {
		case object.Semaphore, object.Latch, object.Barrier:
			tell("%s: %d of %d left, %s", s.Kind, s.Left, s.Parties, first(s.WaiterIDs))
		default:
			tell("%s: %d holds of %s, %d readers %v, %s", s.Kind, s.Holds, names[s.OwnerID], s.Readers,
				all(s.ReaderIDs), first(s.WaiterIDs))
		}
	}
	workers, owned := map[uint64]string{0: "-"}, map[uint64]bool{}
	for _, e := range d.Facts.Executors {
		workers[e.Object.Address] = names[e.WorkerIDs[0]]
		if e.Queue == nil {
			tell("no queue of %+v", e)
			continue
		}
		owned[e.Queue.Object.Address] = true
		due := "-"
		if e.DueNanos != nil {
			due = fmt.Sprint(math.Round(float64(*e.DueNanos)/float64(24*time.Hour)), " days")
		}
		tell("%s %s, %d of %d active, %d to %d, %d of %d in %s, due %s, %s", e.Kind, e.State, e.Active, e.Workers,
			e.Core, e.Most, e.Queue.Size, e.Queue.Capacity, simple(e.Queue.Object), due, first(e.WorkerIDs))
	}
	for _, f := range d.Facts.Futures {
		tell("%s %s, run by %s, queued in %s, %s", simple(f.Object), f.State, names[f.RunnerID], workers[f.QueuedIn],
			first(f.WaiterIDs))
	}
	for _, q := range d.Facts.Queues {
		if !owned[q.Object.Address] {
			tell("%d of %d in %s, %s", q.Size, q.Capacity, simple(q.Object), first(q.ThreadIDs))
		}
	}
	return texts
}

// simple is the class of an object without its package and outer class.
func simple(o hotspot.Object) string {
	return strings.TrimSuffix(o.Class[strings.LastIndexAny(o.Class, ".$")+1:], ";")
}
