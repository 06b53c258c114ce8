package saturated_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
)

// All workers of a fork-join pool are blocked while tasks are in its queues, as memory shows: a real JVM. With fewer
// workers than it may have, or without a waiting task, it is not a finding.
func TestForkJoinPoolWithoutAFreeWorker(t *testing.T) {
	for name, workers := range map[string]string{
		"orchard-8":  "ForkJoinPool-1-worker-0,ForkJoinPool-1-worker-1",
		"orchard-25": "ForkJoinPool-1-worker-1,ForkJoinPool-1-worker-2",
	} {
		ExpectOnly(t, Diagnose(ReadObjects(t, name)...), finding.KindExecutorSaturated,
			"executor-saturated/info/proven: "+workers+" | ")
		for _, change := range []func(most, queued *int){
			func(most, _ *int) { *most++ },
			func(_, queued *int) { *queued = 0 },
		} {
			read := ReadObjects(t, name)
			for _, o := range read {
				change(&o.Objects.Executors[0].Core, &o.Objects.Executors[0].Queue.Size)
			}
			ExpectOnly(t, Diagnose(read...), finding.KindExecutorSaturated, "")
		}
	}
}
