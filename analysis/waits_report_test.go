package analysis_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// row finds a thread of a report by its name.
func row(t *testing.T, r *analysis.Report, name string) analysis.ThreadReport {
	t.Helper()
	for _, row := range r.Threads {
		if row.Name == name {
			return row
		}
	}
	t.Fatalf("no thread %q", name)
	return analysis.ThreadReport{}
}

// TestReportSaysWhatThreadsWaitFor reads the fixture that has one thread for each way to wait,
// named after it.
func TestReportSaysWhatThreadsWaitFor(t *testing.T) {
	for _, jdk := range []string{"jdk8", "jdk11", "jdk17", "jdk21"} {
		r := DiagnoseDumps(Parse(t, jdk+"/waits-threaddump-l.txt")...)
		for name, want := range map[string]analysis.Wait{
			"w-Object.wait":     {Type: "notification", Operation: "Object.wait"},
			"w-park":            {Type: "unpark", Operation: "LockSupport.park"},
			"w-Condition.await": {Type: "condition", Operation: "AbstractQueuedSynchronizer$ConditionObject.await"},
			"w-latch":           {Type: "latch", Operation: "CountDownLatch.await"},
			"w-semaphore":       {Type: "permit", Operation: "Semaphore.acquireUninterruptibly"},
			"w-join":            {Type: "thread end", Operation: "Thread.join"},
			"w-future":          {Type: "result", Operation: "CompletableFuture.get"},
			"w-exchanger":       {Type: "exchange", Operation: "Exchanger.exchange"},
			"w-phaser":          {Type: "barrier", Operation: "Phaser.arriveAndAwaitAdvance"},
			"w-sleep":           {Type: "time", Operation: "Thread.sleep"},
			"w-process-waitFor": {Type: "process end"},
			"w-socket-read":     {Type: "input"},
			"w-mon-blocked-0":   {Type: "monitor", Owner: &finding.ThreadRef{Name: "w-mon-owner"}},
			"w-relock": {Type: "monitor", Operation: "Object.wait",
				Owner: &finding.ThreadRef{Name: "w-relock-owner"}},
			"w-syncmethod-blocked": {Type: "monitor", Owner: &finding.ThreadRef{Name: "w-syncmethod-owner"}},
			"w-rw-reader-blocked": {
				Type: "ownable synchronizer", Operation: "ReentrantReadWriteLock$ReadLock.lock",
				Owner: &finding.ThreadRef{Name: "w-rw-writer"},
			},
		} {
			got := row(t, r, name).WaitsFor
			switch {
			case got == nil:
				t.Errorf("%s: %s waits for nothing", jdk, name)
			case got.Type != want.Type, want.Operation != "" && got.Operation != want.Operation,
				ownerName(got) != ownerName(&want), got.Dumps != 1, got.Seconds != nil:
				t.Errorf("%s: %s waits for %+v", jdk, name, *got)
			}
		}
		for name, job := range map[string]string{"pool-1-thread-1": "worker", "w-nio-select": "selector",
			"w-timer": "timer"} {
			if got := row(t, r, name); got.Idle != job || got.WaitsFor != nil {
				t.Errorf("%s: %s is idle as %q and waits for %+v", jdk, name, got.Idle, got.WaitsFor)
			}
		}
	}
}

func ownerName(w *analysis.Wait) string {
	if w.Owner == nil {
		return ""
	}
	return w.Owner.Name
}

func TestWaitLastsAsLongAsNothingMoves(t *testing.T) {
	at17 := At("com.acme.Till.pay", "com.acme.Till.run")
	look := func(at float64, blocked ...*threaddump.Thread) timeline.Observation { return Observe(at, blocked...) }
	r := Diagnose(
		look(0, Thread(1, "long", at17, BlockedOn(7)), Thread(2, "came", At("com.acme.Till.run"))),
		look(1, Thread(1, "long", at17, BlockedOn(7)), Thread(2, "came", at17, BlockedOn(7))),
		look(3, Thread(1, "long", at17, BlockedOn(9)), Thread(2, "came", at17, BlockedOn(9))),
	)
	three, two := 3.0, 2.0
	for name, want := range map[string]analysis.Wait{"long": {Dumps: 3, Seconds: &three},
		"came": {Dumps: 2, Seconds: &two}} {
		got := row(t, r, name).WaitsFor
		if got == nil || got.Dumps != want.Dumps || got.Seconds == nil || *got.Seconds != *want.Seconds {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// A thread that used CPU between two dumps was woken: it is at the same place again.
func TestWaitLastsNoLongerThanTheThreadSleeps(t *testing.T) {
	place := At("com.acme.Till.pay", "com.acme.Till.run")
	look := func(cpu float64) *analysis.Wait {
		r := Diagnose(
			Observe(0, Thread(1, "a", place, Waiting(7), Used(1, 5))),
			Observe(1, Thread(1, "a", place, Waiting(7), Used(1+cpu, 6))),
			Observe(2, Thread(1, "a", place, Waiting(7), Used(1+cpu, 7))),
		)
		return row(t, r, "a").WaitsFor
	}
	if w := look(0.000004); w == nil || w.Dumps != 3 || w.Seconds == nil || *w.Seconds != 2 {
		t.Errorf("asleep all the time: %+v", w)
	}
	if w := look(0.018); w == nil || w.Dumps != 3 || w.Seconds != nil {
		t.Errorf("woken in between: %+v", w)
	}
}

// Object.wait() releases the monitor, however often the stack shows it as locked.
func TestWaiterInObjectWaitOwnsNothing(t *testing.T) {
	r := Diagnose(Observe(0,
		Thread(1, "waiter", Waiting(7), Holds(7)),
		Thread(2, "blocked", BlockedOn(7)),
	))
	if got := row(t, r, "blocked").WaitsFor; got == nil || got.Owner != nil {
		t.Errorf("%+v", got)
	}
}

func TestEveryWaitHasAWord(t *testing.T) {
	for k := stack.WaitMonitor; k <= stack.WaitSelect; k++ {
		if k != stack.WaitWork && !k.ForLock() && k.Awaited() == "" {
			t.Errorf("wait %d", k)
		}
	}
	for k := stack.OpLock; k <= stack.OpResolve; k++ {
		if what := k.Awaited(); what == "" || stack.WaitWords(what) == what {
			t.Errorf("operation %d: %q", k, what)
		}
	}
}

// Whatever a thread can wait for is in the schema of the reports.
func TestEveryWaitIsInTheSchema(t *testing.T) {
	schema, err := os.ReadFile("../internal/render/schema.json")
	if err != nil {
		t.Fatal(err)
	}
	enum := regexp.MustCompile(`\[[^\]]*"unpark"[^\]]*\]`).FindString(string(schema))
	known := func(what string) {
		if what != "" && !strings.Contains(enum, `"`+what+`"`) {
			t.Errorf("%q is not in schema.json", what)
		}
	}
	for kind := range stack.OpKind(50) {
		known(kind.Awaited())
	}
	for kind := range stack.WaitKind(50) {
		known(kind.Awaited())
	}
}

// A thread that reads straight from its own run method, or what the next request of a client is, has nothing to do:
// the rows of threads that wait do not have it. One that was called to read has.
func TestReadersOfTheNextMessageAreIdle(t *testing.T) {
	read := []string{
		"!sun.nio.ch.SocketDispatcher.read0", "sun.nio.ch.NioSocketImpl.read", "java.net.Socket$SocketInputStream.read",
	}
	in := func(frames ...string) Part { return At(append(slices.Clone(read), frames...)...) }
	accepted := map[int64]timeline.Task{1003: {File: "accepted-socket"}, 1004: {File: "accepted-socket"}}
	var all []timeline.Observation
	for i := range 3 {
		o := Observe(float64(i),
			Thread(1, "receiver", in("shop.Receiver.run")),
			Thread(2, "client", in("shop.Rates.fetch", "shop.Rates.run")),
			Thread(3, "session", in("shop.Wire.readInt", "shop.Session.serve", "shop.Session.run")),
			Thread(4, "handler", in("shop.Upload.body", "org.apache.tomcat.util.Handler.service")),
			Thread(5, "owner", in("shop.Receiver.run"), Holds(0xa)),
			Thread(6, "waiter", BlockedOn(0xa)))
		o.Tasks = accepted
		all = append(all, o)
	}
	r := Diagnose(all...)
	for name, idle := range map[string]string{"receiver": "reader", "session": "reader", "client": "", "handler": "",
		"owner": ""} {
		got := row(t, r, name)
		if got.Idle != idle || (got.WaitsFor == nil) != (idle != "") {
			t.Errorf("%s: idle %q, waits for %+v", name, got.Idle, got.WaitsFor)
		}
	}
}
