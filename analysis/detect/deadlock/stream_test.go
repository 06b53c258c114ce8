package deadlock_test

import (
	"os"
	"strings"
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// otherStream are frames of a thread that evaluates a stream too, so that the worker may run a part of that one.
const otherStream = `
	at java.util.stream.ReduceOps$ReduceOp.evaluateParallel(java.base@17.0.15/ReduceOps.java:927)
	at java.util.stream.AbstractPipeline.evaluate(java.base@17.0.15/AbstractPipeline.java:233)
	at com.acme.harbour.Manifest.audit(Manifest.java:30)`

// A parallel stream under a monitor that its parts take: one whole dump shows the deadlock if no other stream is
// evaluated.
func TestOneDumpOfAStreamUnderAMonitor(t *testing.T) {
	text, err := os.ReadFile("../../../testdata/cases/h131.txt")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	const cleaner = `
	at jdk.internal.ref.CleanerImpl.run(java.base@17.0.15/CleanerImpl.java:140)`
	const hint = "deadlock/info/possible: main,ForkJoinPool.commonPool-worker-1 | "
	for name, test := range map[string]struct{ text, want string }{
		"whole":          {whole, "deadlock/critical/likely: main,ForkJoinPool.commonPool-worker-1 | "},
		"another stream": {strings.Replace(whole, cleaner, otherStream, 1), hint},
		"cut":            {whole[:strings.Index(whole, `"VM Periodic`)], hint},
	} {
		dumps, err := threaddump.Parse([]byte(test.text))
		if err != nil || len(dumps) != 1 {
			t.Fatalf("%s: %d dumps, %v", name, len(dumps), err)
		}
		if got := Found(OnlyDeadlocks(DiagnoseDumps(dumps...))); len(got) != 1 || got[0] != test.want {
			t.Errorf("%s: %q, not %q", name, got, test.want)
		}
	}
}
