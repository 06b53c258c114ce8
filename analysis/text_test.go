package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"jstall/analysis/finding"
	. "jstall/analysis/internal/dumptest"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

func TestCountSetsThousandsApart(t *testing.T) {
	for n, want := range map[int]string{0: "0 threads", 1: "1 thread", 999: "999 threads", 1002: "1,002 threads",
		1234567: "1,234,567 threads"} {
		if got := finding.Counted(n, "thread"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

// Threads may have no name at all, and are many then.
func TestThreadsWithoutANameAreWorded(t *testing.T) {
	unnamed := func(n int, p ...Part) func(float64) []*threaddump.Thread {
		return func(second float64) (all []*threaddump.Thread) {
			for id := range n + 10*int(second) {
				all = append(all, Thread(int64(1+id), "", append(p, Used(1, 9+second))...))
			}
			return all
		}
	}
	task := InTask(stack.JUC+"FutureTask", InGet("App.rake", "App.lambda$rake$0")...)
	for want, threads := range map[string]func(float64) []*threaddump.Thread{
		"threads without a name grow by": unnamed(10, Latched(0xabc)),
		"both workers of an executor whose threads have no names": func(float64) []*threaddump.Thread {
			return []*threaddump.Thread{Worker(1, task), Worker(2, task)}
		},
	} {
		r := thrice(func(second float64) []*threaddump.Thread {
			all := threads(second)
			for _, th := range all {
				th.Name = ""
			}
			return all
		})
		if !slices.ContainsFunc(r.Findings, func(f finding.Finding) bool { return strings.Contains(f.Title, want) }) {
			t.Errorf("%s: %+v", want, r.Findings)
		}
	}
}
