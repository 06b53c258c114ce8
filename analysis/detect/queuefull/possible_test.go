package queuefull_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// A thread that two dumps show in one read is the possible consumer of a full queue if it alone is busy in the package
// that puts.
func TestThePossibleConsumerOfAFullQueue(t *testing.T) {
	reads := func(id int64, method string, cpu float64) func(int) *threaddump.Thread {
		return func(dump int) *threaddump.Thread {
			return Thread(id, "send", At("!sun.nio.ch.SocketDispatcher.read0", "java.net.Socket$SocketInputStream.read",
				method, "java.lang.Thread.run"), Used(1+cpu*float64(dump), 9+float64(dump)))
		}
	}
	look := func(others ...func(int) *threaddump.Thread) *analysis.Report {
		var dumps []timeline.Observation
		for i := range 3 {
			age := Used(1, 9+float64(i))
			threads := []*threaddump.Thread{Thread(1, "put", age, Puts(0xa, "app.queue.Inbox.put")),
				Thread(2, "put", age, Puts(0xa, "app.queue.Inbox.put"))}
			for _, other := range others {
				threads = append(threads, other(i))
			}
			dumps = append(dumps, Observe(float64(i), threads...))
		}
		return Diagnose(dumps...)
	}
	const unknown, named = "queue-full/warning/likely: put,put | ", "queue-full/warning/likely: send | put,put"
	inQueue, inOther := reads(3, "app.queue.Sender.send", 0), reads(4, "app.web.Client.ask", 0)
	for name, c := range map[string]struct {
		others []func(int) *threaddump.Thread
		want   string
	}{
		"one in the package":     {[]func(int) *threaddump.Thread{inQueue, inOther}, named},
		"one in another package": {[]func(int) *threaddump.Thread{inOther}, unknown},
		"two in the package": {[]func(int) *threaddump.Thread{inQueue,
			reads(5, "app.queue.Pinger.ping", 0)}, unknown},
		"one that makes progress":    {[]func(int) *threaddump.Thread{reads(3, "app.queue.Sender.send", 0.4)}, unknown},
		"no other thread is in work": {nil, unknown},
	} {
		t.Run(name, func(t *testing.T) {
			r := look(c.others...)
			ExpectOnly(t, r, finding.KindQueueFull, c.want)
			possible := strings.Contains(r.Verdict.Summary, finding.PossibleConsumer+`: "send"`)
			if possible != (c.want == named) {
				t.Errorf("headline %q", r.Verdict.Summary)
			}
		})
	}
}
