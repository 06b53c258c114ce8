package iowait_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
)

// The advice on a read names the threads that wait for room in a queue of its package.
func TestReadsWhileAQueueOfThePackageIsFull(t *testing.T) {
	for put, want := range map[string]string{
		"app.queue.Inbox.put": "Set a timeout on the call: 1 thread waits for room in a queue of the same package",
		"app.web.Inbox.put":   "Ignore this if the peer may be silent: no thread is seen to depend on this wait",
	} {
		var dumps []timeline.Observation
		for i := range 3 {
			age := Used(1, 9+float64(i))
			reads := At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read",
				"app.queue.Sender.answer", "app.queue.Sender.send", "java.lang.Thread.run")
			dumps = append(dumps, Observe(float64(i), Thread(1, "put", age, Puts(0xa, put)), Thread(2, "a", age, reads),
				Thread(3, "b", age, reads)))
		}
		for _, f := range Diagnose(dumps...).Findings {
			if f.Kind == finding.KindIOWait && !strings.HasPrefix(f.Advice, want) {
				t.Errorf("%s: %s", put, f.Advice)
			}
			if f.Kind == finding.KindIOWait {
				want = ""
			}
		}
		if want != "" {
			t.Errorf("%s: no io-wait", put)
		}
	}
}
