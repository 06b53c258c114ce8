package analysis_test

import (
	"slices"
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
)

// Lambdas and proxies have another number in each run.
func TestOnePlaceIsComparedOnce(t *testing.T) {
	look := func(threads int, lambda, proxy string) *analysis.Report {
		o := Observe(0)
		for i := range threads {
			o.Dump.Threads = append(o.Dump.Threads,
				Thread(int64(1+i), "w",
					At("App.await", "App$$Lambda"+lambda+".run", "jdk.proxy"+proxy+".$Proxy"+proxy+".serve",
						"App.run")))
		}
		return Diagnose(o)
	}
	c := analysis.Compare(look(10, "$6/0x00007f12d0001a28", "2"), look(20, "$5/0x00000007c0003c00", "3"))
	if len(c.Stacks) != 1 || c.Stacks[0].Good != 10 || c.Stacks[0].Bad != 20 ||
		!slices.Equal(c.Stacks[0].Stack,
			[]string{"App.await", "App$$Lambda.run", "jdk.proxy.$Proxy.serve", "App.run"}) {
		t.Errorf("%+v", c.Stacks)
	}
	if c := analysis.Compare(look(10, "/0x1a", "2"), look(10, "/0x2b", "2")); len(c.Stacks) != 0 {
		t.Errorf("nothing changed: %+v", c.Stacks)
	}
}
