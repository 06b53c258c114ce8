package analysis

import (
	"slices"
	"strings"
	"testing"

	"jstall/threaddump"
)

// One that waits alone, while all others come and go, may have the lock itself.
func TestOneWaitsForWhatItMayHaveTaken(t *testing.T) {
	const update = juc + "locks.ReentrantReadWriteLock$ReadLock.lock"
	stamp := calls(stamped, 0xa, stamped+".acquireWrite", stamped+".writeLock")
	reads := calls(stamped, 0xa, stamped+".acquireRead", stamped+".readLock")
	for name, test := range map[string]struct {
		wait          part
		title, advice string
	}{
		"a stamp to write": {stamp, `"a" waits for a StampedLock, to write; no other`, "A StampedLock cannot be taken twice by one thread"},
		"a stamp to read":  {reads, `"a" waits for a StampedLock, to read; no other`, "A StampedLock cannot be taken twice by one thread"},
		"a write lock":     {writes(0xa), `"a" waits for a ReentrantReadWriteLock, to write; no other`, "A read lock cannot become a write lock"},
		"a read lock":      {calls(readWrite, 0xa, update), "1 thread waits for a ReentrantReadWriteLock; no thread", "Release the lock in a finally block"},
	} {
		look := func(second float64) Observation {
			return observe(second, thread(1, "a", at("Board.adjust", "java.lang.Thread.run"), test.wait, used(0, 9+second)),
				thread(2, "b", at("Page.watch", "java.lang.Thread.run"), sleeping, used(second*0.01, 9+second)))
		}
		f := diagnose(look(0), look(1), look(2)).Findings[0]
		if f.Kind != KindLockContention || f.Severity != Warning || !strings.HasPrefix(f.Title, test.title) || !strings.HasPrefix(f.Advice, test.advice) {
			t.Errorf("%s: %s %s %q %q", name, f.Kind, f.Severity, f.Title, f.Advice)
		}
		if converts := strings.Contains(f.Advice, "tryConvertToWriteLock"); converts != (name == "a stamp to write") {
			t.Errorf("%s: %q", name, f.Advice)
		}
	}
}

// Readers stand behind the one that wants to write. Where the dumps name owners and nobody else
// is seen in the class of the lock, it may read itself; a helper that sleeps for many in the
// class of main is no sign of who holds it.
func TestReadersBehindTheOnlyWriter(t *testing.T) {
	reads := calls(readWrite, 0xa, juc+"locks.ReentrantReadWriteLock$ReadLock.lock")
	writer := thread(1, "w", at("Tariffs.refresh", "Shop.lambda$main$1", "java.lang.Thread.run"), writes(0xa), used(0, 9))
	ticker := func(second float64) *threaddump.Thread {
		return thread(4, "t", at("Shop.rest", "Shop$Ledger.lambda$start$0", "java.lang.Thread.run"), sleeping, used(second*0.01, 9+second))
	}
	reader := thread(2, "r", at("Tariffs.look", "Shop.lambda$main$0", "Shop$Desk.serve", "java.lang.Thread.run"), reads, used(0, 9))
	busy := thread(5, "b", at("Import.next", "Import.all", "java.lang.Thread.run"), blockedOn(0xd), used(0, 9))
	owner := thread(6, "o", at("Report.next", "Report.all", "java.lang.Thread.run"), sleeping, owns(0xc), used(0, 9))
	var printing []*threaddump.Thread
	for i := range int64(9) {
		printing = append(printing, thread(10+i, "p", at("Tariffs.print", "Night.all", "java.lang.Thread.run"), sleeping, used(0, 9)))
	}
	for name, test := range map[string]struct {
		threads []*threaddump.Thread
		culprit string
	}{
		"one writer":             {[]*threaddump.Thread{writer, reader, busy, owner}, "w"},
		"two writers":            {[]*threaddump.Thread{writer, thread(3, "w2", at("Tariffs.refresh", "Night.all", "java.lang.Thread.run"), writes(0xa), used(0, 9)), reader, busy, owner}, ""},
		"no reader":              {[]*threaddump.Thread{writer, busy, owner}, ""},
		"no dump names an owner": {[]*threaddump.Thread{writer, reader, busy, thread(6, "o", at("Report.next", "Report.all", "java.lang.Thread.run"), sleeping, used(0, 9))}, ""},
		"a reader in the class":  {[]*threaddump.Thread{writer, reader, busy, owner, thread(7, "c", at("Tariffs.print", "Night.all", "java.lang.Thread.run"), sleeping, used(0, 9))}, "c"},
		"many readers in it":     {append([]*threaddump.Thread{writer, reader, busy, owner}, printing...), ""},
	} {
		look := func(second float64) Observation {
			return observe(second, slices.Concat(test.threads, []*threaddump.Thread{ticker(second)})...)
		}
		var culprit, title string
		for _, f := range diagnose(look(0), look(1), look(2)).Findings {
			if title = f.Title; f.Kind == KindLockContention && strings.Contains(title, "ReentrantReadWriteLock") {
				for _, c := range f.Culprits {
					culprit += c.Name
				}
				break
			}
		}
		if culprit != test.culprit {
			t.Errorf("%s: %q of %q, want %q", name, culprit, title, test.culprit)
		}
	}
}

// All that one thread waits for is worded of one.
func TestOneThreadWaits(t *testing.T) {
	q := queue{waiters: []*Sample{{}}, lock: lockID{address: 0xa}, class: stamped}
	if got := q.wait(); got != "1 thread waits for a StampedLock" {
		t.Error(got)
	}
}

// One thread on which others depend is told by its name and what it is for.
func TestAnEventLoopThatWaitsAloneIsNamed(t *testing.T) {
	for loop, want := range map[string]string{
		"io.netty.channel.nio.NioEventLoop.run": `"a", which serves its connections, waits for a java.lang.Object that "b" keeps while it sleeps`,
		"App.run":                               `1 thread waits for a java.lang.Object that "b" keeps while it sleeps`,
	} {
		look := func(second float64) Observation {
			return observe(second, thread(1, "a", at("App.look", loop, "java.lang.Thread.run"), blockedOn(0xa), used(0, 9+second)),
				thread(2, "b", at("App.load", "App.reload", "java.lang.Thread.run"), sleeping, holds(0xa), used(0, 9+second)))
		}
		if f := diagnose(look(0), look(1), look(2)).Findings[0]; f.Kind != KindLockContention || f.Title != want {
			t.Errorf("%s %q", f.Kind, f.Title)
		}
	}
}
