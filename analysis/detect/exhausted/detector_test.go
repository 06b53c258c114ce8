package exhausted_test

import (
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// A thread that waits for a permit in the middle of a task lacks it; one that waits in the method it was started with
// may be a worker that gets its work by permits.
func TestPermitsThatThoseInTheMiddleWait(t *testing.T) {
	waits := func(id int64, name string, methods ...string) *threaddump.Thread {
		frames := append(append([]string{stack.JUC + "Semaphore.acquire"}, methods...), "java.lang.Thread.run")
		return Thread(id, name, At(frames...),
			Calls(stack.JUC+"Semaphore$FairSync", 0xe, stack.JUC+"Semaphore.acquire"), Used(1, 9))
	}
	begin := []*threaddump.Thread{waits(11, "a", "Mine.pump"), waits(12, "b", "Mine.pump")}
	middle := []*threaddump.Thread{waits(13, "c", "Mine.clear", "Mine.drill"),
		waits(14, "d", "Mine.clear", "Mine.drill")}
	for want, threads := range map[string][]*threaddump.Thread{
		"resource-exhausted/info/possible: a,b | ":      begin,
		"resource-exhausted/warning/likely: c,d | ":     middle,
		"resource-exhausted/warning/likely: a,b,c,d | ": append(begin, middle...),
	} {
		ExpectOnly(t, DiagnoseAll([][]*threaddump.Thread{threads, threads, threads}), finding.KindResourceExhausted,
			want)
	}
}
