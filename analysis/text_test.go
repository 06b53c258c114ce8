package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
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
		"an executor whose threads have no names has no free worker": func(float64) []*threaddump.Thread {
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

// Sentences keep both ends of a long name, with the id, and virtual threads without a name have their ids.
func TestThreadsAreDistinguishedInSentences(t *testing.T) {
	long := strings.Repeat("request-handler-", 6) + "a/tail"
	cut := `"request-handler-request-handler-req…r-request-handler-a/tail"`
	for want, ref := range map[string]finding.ThreadRef{
		`"main"`:            {Name: "main", ID: 1, NativeID: 2},
		"virtual #31":       {ID: 31},
		cut + " #7":         {Name: long, ID: 7},
		cut + " (nid 3311)": {Name: long, NativeID: 3311},
	} {
		if got := ref.Called(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	virtual := []string{"virtual #31", "virtual #32", "virtual #33", "virtual #34"}
	if got := finding.Listed(virtual); got != "4 × virtual #31…" {
		t.Error(got)
	}
	if got := finding.Listed(virtual[:2]); got != "virtual #31 and virtual #32" {
		t.Error(got)
	}
}

// The headline has the place of a thread behind its whole name, with the id where the name is cut.
func TestTheHeadlineNamesBothSidesOfADeadlock(t *testing.T) {
	name := func(end string) string { return strings.Repeat("order-handler-of-region-", 4) + end }
	r := OneDump(Thread(11, name("a"), At("App.a"), BlockedOn(0xa1), Holds(0xb1)),
		Thread(12, name("b"), At("App.b"), BlockedOn(0xb1), Holds(0xa1)))
	for _, want := range []string{"region-a\" #11", "region-b\" #12"} {
		if !strings.Contains(r.Findings[0].Title, want) {
			t.Errorf("no %s in %s", want, r.Findings[0].Title)
		}
	}
}
