package classfile

import (
	"strings"
	"testing"
)

// What a synchronizer lends is gone until it is given back; a latch lets all through.
func TestSynchronizersThatLend(t *testing.T) {
	const source = `import java.util.concurrent.locks.*;
class Bulkhead {
	static class Slots extends AbstractQueuedSynchronizer { protected int tryAcquireShared(int n) { while (true) { int now = getState(), left = now - n; if (left < 0 || compareAndSetState(now, left)) return left; } } }
	static class Gate extends AbstractQueuedSynchronizer { protected int tryAcquireShared(int n) { return getState() == 0 ? 1 : -1; } }
	static class Book extends AbstractQueuedSynchronizer { protected boolean tryAcquire(int n) { return compareAndSetState(0, -1); } protected int tryAcquireShared(int n) { int now = getState(); return now >= 0 && compareAndSetState(now, now + 1) ? 1 : -1; } }
	final Slots slots = new Slots(); final Gate gate = new Gate(); final Book book = new Book(); final java.util.concurrent.Semaphore permits = new java.util.concurrent.Semaphore(3);
	void call() throws Exception { slots.acquireSharedInterruptibly(1); } // slots
	void pass() throws Exception { gate.acquireSharedInterruptibly(1); } // gate
	void read() throws Exception { book.acquireSharedInterruptibly(1); } // book
	void permit() throws Exception { permits.acquire(); } // permits
}
`
	made := compile(t, source)
	classes := map[string]*Class{}
	for name, text := range made {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		classes[name] = c
	}
	for mark, want := range map[string]bool{"slots": true, "gate": false, "book": false, "permits": false} {
		before, _, _ := strings.Cut(source, "// "+mark)
		method := map[string]string{"slots": "call", "gate": "pass", "book": "read", "permits": "permit"}[mark]
		callee := "acquireSharedInterruptibly"
		if mark == "permits" {
			callee = "acquire"
		}
		name := classes["Bulkhead"].SynchronizerAt(Place{"Bulkhead", method, 1 + strings.Count(before, "\n"), callee})
		if (name != "") != (mark != "permits") {
			t.Errorf("%s: synchronizer %q", mark, name)
		}
		if of := classes[name]; (of != nil && of.Lends()) != want {
			t.Errorf("%s lends: %t", mark, !want)
		}
	}
}
