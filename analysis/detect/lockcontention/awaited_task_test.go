package lockcontention_test

import (
	"slices"
	"strings"
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
	"jstall/threaddump"
)

// The owner of a lock that waits for a task is not the end of it: who runs the task is.
func TestTheOwnerOfALockWaitsForATask(t *testing.T) {
	const future, stage = stack.JUC + "FutureTask", stack.JUC + "CompletableFuture"
	owner := func(by string) *threaddump.Thread {
		return Thread(1, "owner", At("Shelf.fill", "Service.run"), Calls(by, 0xb0, by+".get"), Holds(0xa), Used(0, 9))
	}
	worker := func(id int64, name, of, body string) *threaddump.Thread {
		return Thread(id, name,
			At("!java.lang.Thread.sleep", body, of+".run", stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
				"ThreadPoolExecutor$Worker.run"), Sleeping, Used(0, 9))
	}
	for _, test := range []struct {
		name   string
		by     string
		others []*threaddump.Thread
		want   string
	}{
		{"a task of somebody else", future, []*threaddump.Thread{worker(2, "w", future, "Other.call")}, ""},
		{"one of two", future,
			[]*threaddump.Thread{worker(2, "w", future, "Other.call"), worker(3, "x", future, "Third.call")}, ""},
		{"its own of two", future, []*threaddump.Thread{worker(2, "w", future, "Other.call"),
			worker(3, "x", future, "Shelf.lambda$fill$0")}, `"x" runs that task: it sleeps`},
		{"its own stage", stage, []*threaddump.Thread{worker(3, "x", stage+"$AsyncSupply", "Shelf.lambda$fill$0")},
			`"x" runs that task: it sleeps`},
		{"the only stage, which others may complete", stage,
			[]*threaddump.Thread{worker(3, "x", stage+"$AsyncSupply", "Other.get")}, ""},
		{"a task of another sort", future, []*threaddump.Thread{worker(3, "x", stage+"$AsyncSupply", "Other.get")}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var all []timeline.Observation
			for _, when := range []float64{0, 1, 2} {
				all = append(all, Observe(when, append(append(Behind(4, 0xa), owner(test.by)), test.others...)...))
			}
			r := Diagnose(all...)
			at := slices.IndexFunc(r.Findings, func(f finding.Finding) bool {
				return f.Kind == finding.KindLockContention
			})
			if at < 0 {
				t.Fatal("no lock-contention")
			}
			f := r.Findings[at]
			if !strings.HasSuffix(f.Title, `held by "owner", which waits for a result`+map[bool]string{true: "; "}[test.want != ""]+test.want) {
				t.Errorf("title %q", f.Title)
			}
			if blamed := f.Culprits[0].Name != "owner"; blamed != (test.want != "") {
				t.Errorf("%v, %d wait", f.Culprits, f.VictimCount)
			}
		})
	}
}
