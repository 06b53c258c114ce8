package threadleak_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

func TestExecutorsThatKeepComing(t *testing.T) {
	look := func(n int, each time.Duration) *analysis.Report {
		var threads []*threaddump.Thread
		for i := range n {
			w := Thread(int64(10+i), fmt.Sprintf("pool-%d-thread-1", i+1),
				ParkedIn(Condition, UnsafePark, stack.JUC+"LinkedBlockingQueue.take",
					stack.JUC+"ThreadPoolExecutor.getTask", stack.JUC+"ThreadPoolExecutor.runWorker", stack.JUC+
						"ThreadPoolExecutor$Worker.run", "java.lang.Thread.run"))
			w.Locks[0].Address = uint64(0x100 + i)
			w.CPU, w.Elapsed = threaddump.Known(time.Millisecond), threaddump.Known(time.Duration(n-i)*each)
			threads = append(threads, w)
		}
		return OneDump(threads...)
	}
	if r := look(9, 10*time.Minute); r.Verdict.State != analysis.Suspicious ||
		r.Findings[0].Kind != finding.KindThreadLeak {
		t.Errorf("one every ten minutes: %+v %v", r.Verdict, Found(r))
	} else if got := r.Findings[0].Evidence; len(got) != 4 ||
		got[0].Text != "ages of these 9 threads, youngest first: 10 min, 20 min, 30 min, 40 min, 50 min, …" ||
		got[1].Text == got[2].Text {
		t.Errorf("the ages, and an own queue for each thread, are not the evidence: %+v", got)
	}
	ExpectOnly(t, look(9, time.Second), finding.KindThreadLeak, "")    // set up at the start
	ExpectOnly(t, look(5, 10*time.Minute), finding.KindThreadLeak, "") // too few
}
