package saturated_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Workers that wait in a stream of the server that called them want its clients to read.
func TestWorkersThatWriteToClients(t *testing.T) {
	const condition = stack.JUC + "locks.AbstractQueuedSynchronizer$ConditionObject"
	const stream, handle = "org.eclipse.jetty.io.content.ContentSinkOutputStream.write",
		"org.eclipse.jetty.server.Server.handle"
	for name, test := range map[string]struct {
		stream, server, want string
		advised              bool
	}{
		"of the server":       {stream, handle, "waits to write to a client", true},
		"of another library":  {"org.acme.store.BlobOutputStream.write", handle, "waits for a condition", false},
		"in no stream at all": {"org.eclipse.jetty.util.Blocker.block", handle, "waits for a condition", false},
	} {
		t.Run(name, func(t *testing.T) {
			worker := func(i int64, when float64) *threaddump.Thread {
				return Thread(i, "pool-1-thread-"+string(rune('0'+i)), Used(0.1, 9+when),
					At("App.send", "App.serve", test.server,
						stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
							"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"),
					Calls(condition, 0xa+uint64(i), condition+".await", test.stream))
			}
			var look []timeline.Observation
			for i := range 3 {
				when := float64(i)
				look = append(look, Observe(when, worker(1, when), worker(2, when), worker(3, when)))
			}
			for _, f := range Diagnose(look...).Findings {
				if f.Kind != finding.KindExecutorSaturated {
					continue
				}
				if !strings.Contains(f.Title, test.want) ||
					strings.Contains(f.Advice, "does not read") != test.advised {
					t.Errorf("%q, %q", f.Title, f.Advice)
				}
				return
			}
			t.Errorf("no %s", finding.KindExecutorSaturated)
		})
	}
}
