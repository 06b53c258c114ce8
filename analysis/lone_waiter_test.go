package analysis

import (
	"strings"
	"testing"
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
