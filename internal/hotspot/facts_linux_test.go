package hotspot_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"jstall/internal/hotspot"
)

// TestFacts reads values while the program holds them, on two JDKs. MATRIX=1 tries all, and further collectors and
// layouts.
func TestFacts(t *testing.T) {
	rows := []struct {
		from, to int
		flags    string
	}{
		{8, 99, ""}, {8, 99, "-XX:+UseSerialGC"}, {15, 99, "-XX:+UseZGC"}, {8, 99, "-XX:+UseParallelGC"},
		{8, 99, "-XX:-UseCompressedOops"}, {11, 99, "-XX:+UseShenandoahGC"},
		{24, 99, "-XX:+UnlockExperimentalVMOptions -XX:+UseCompactObjectHeaders"},
	}
	for _, jdk := range builds(t) {
		for i, row := range rows {
			usual := i == 0 && (jdk.Version == 8 || jdk.Version == 25)
			if jdk.Version < row.from || jdk.Version > row.to || !usual && os.Getenv("MATRIX") == "" {
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

// checkFacts compares each fact in words with those of testdata/hotspot/Holding.java.
func checkFacts(t *testing.T, d *hotspot.Dump) {
	t.Helper()
	names := map[int64]string{0: "-"}
	for _, thread := range d.Threads {
		names[thread.ID] = thread.Name
	}
	first := func(ids []int64) string { return fmt.Sprint(len(ids), " ", names[ids[0]]) }
	want := map[string]bool{
		"semaphore: 3 left, 2 semaphore": true, "latch: 6 left, 1 latch": true,
		"lock: 2 holds of lock-owner, 1 lock":                                                    true,
		"read-write: 3 readers, first reader, 0 holds of -, 1 writer":                            true,
		"task NEW, run by runner, 1 future":                                                      true,
		"task NEW, run by -, 1 future-not-begun":                                                 true,
		"pool RUNNING, 2 of 2 active, 2 to 2, 3 of 10 in LinkedBlockingQueue, 2 linked":          true,
		"pool RUNNING, 1 of 1 active, 1 to 1, 2 of -1 in LinkedBlockingQueue, 1 unbounded":       true,
		"pool RUNNING, 1 of 1 active, 1 to 1, 4 of 4 in ArrayBlockingQueue, 1 array":             true,
		"pool RUNNING, 1 of 1 active, 1 to 1, 1 of 9 in LinkedBlockingDeque, 1 deque":            true,
		"pool RUNNING, 3 of 3 active, 0 to 8, 0 of 0 in SynchronousQueue, 3 direct":              true,
		"pool RUNNING, 0 of 2 active, 2 to 2147483647, 6 of -1 in DelayedWorkQueue, 2 scheduled": true,
		"pool SHUTDOWN, 1 of 1 active, 3 to 3, 0 of -1 in LinkedBlockingQueue, 1 ending":         true,
	}
	told := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); want[text] {
			delete(want, text)
		} else {
			t.Errorf("not held: %s", text)
		}
	}
	for _, s := range d.Facts.Synchronizers {
		switch s.Kind {
		case hotspot.Semaphore:
			told("semaphore: %d left, %s", s.Left, first(s.WaiterIDs))
		case hotspot.Latch:
			told("latch: %d left, %s", s.Left, first(s.WaiterIDs))
		case hotspot.ExclusiveLock:
			told("lock: %d holds of %s, %s", s.Holds, names[s.OwnerID], first(s.WaiterIDs))
		case hotspot.ReadWriteLock:
			told("read-write: %d readers, first %s, %d holds of %s, %s",
				s.Readers, names[s.FirstReaderID], s.Holds, names[s.OwnerID], first(s.WaiterIDs))
		}
	}
	for _, task := range d.Facts.Tasks {
		told("task %s, run by %s, %s", task.State, names[task.RunnerID], first(task.WaiterIDs))
	}
	for _, p := range d.Facts.Pools {
		if p.Queue == nil {
			t.Errorf("no queue of %+v", p)
			continue
		}
		class := p.Queue.Object.Class[strings.LastIndexAny(p.Queue.Object.Class, ".$")+1:]
		told("pool %s, %d of %d active, %d to %d, %d of %d in %s, %s", p.State, p.Active, p.Workers, p.Core, p.Most,
			p.Queue.Size, p.Queue.Capacity, class, first(p.WorkerIDs))
	}
	for text := range want {
		t.Errorf("not told: %s", text)
	}
}
