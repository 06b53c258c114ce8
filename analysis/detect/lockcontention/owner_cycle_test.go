package lockcontention_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/object"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// upgrading is a dump of a thread that holds a read lock and waits for the write lock, and of readers behind it.
func upgrading(at float64) timeline.Observation {
	const class = "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync"
	waits := func(lock string) Part {
		return func(t *threaddump.Thread) {
			t.State, t.StateDetail, t.Condition = threaddump.Waiting, "parking", "waiting on condition"
			t.Stack = Trace("!jdk.internal.misc.Unsafe.park", "java.util.concurrent.locks.LockSupport.park",
				"java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire",
				stack.JUC+"locks.ReentrantReadWriteLock$"+lock+".lock", "Catalog.find", "Catalog.handle")
			LockOn(t, threaddump.Parking, 0xa, class)
		}
	}
	threads := []*threaddump.Thread{Thread(12, "qtp-12", waits("WriteLock"))}
	ids := []int64{12}
	for id := int64(14); id < 23; id++ {
		threads, ids = append(threads, Thread(id, "qtp-"+string(rune('0'+id%10)), waits("ReadLock"))), append(ids, id)
	}
	o := Observe(at, threads...)
	o.Objects = &object.Set{Synchronizers: []object.Synchronizer{{
		Object: object.ID{Address: 0xa, Class: class}, Kind: object.ReadWriteLock, Readers: 1,
		ReaderIDs: []int64{12}, WaiterIDs: ids,
	}}}
	return o
}

// An owner that waits in a cycle gets no advice to shorten its section, and is called deadlocked only if that is
// proven.
func TestOwnerThatMayBeDeadlocked(t *testing.T) {
	r := Diagnose(upgrading(0))
	found := 0
	for _, f := range r.Findings {
		switch f.Kind {
		case finding.KindLockContention:
			found++
			if !strings.HasSuffix(f.Title, `held by "qtp-12", which may itself be deadlocked`) ||
				!strings.HasPrefix(f.Advice, "Take a second dump") {
				t.Errorf("%s: %s", f.Title, f.Advice)
			}
		case finding.KindDeadlock:
			found++
			if f.Confidence != finding.Possible {
				t.Errorf("%+v", f)
			}
		}
	}
	if found != 2 {
		t.Errorf("%+v", r.Findings)
	}
	for _, f := range Diagnose(upgrading(0), upgrading(2), upgrading(4)).Findings {
		if strings.Contains(f.Advice, "Shorten") {
			t.Errorf("%+v", f)
		}
	}
}
