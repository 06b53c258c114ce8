package analysis_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
)

func TestWhoTakesTheDumpIsNotAtWork(t *testing.T) {
	r := OneDump(Thread(1, "RMI TCP Connection(2)",
		At("!sun.management.ThreadImpl.dumpThreads0", "sun.management.ThreadImpl.dumpAllThreads", "App.run"),
		Used(9.5, 10)))
	if r.Verdict.State != analysis.Ok || strings.Contains(r.Verdict.Summary, "running") {
		t.Errorf("%+v", r.Verdict)
	}
}
