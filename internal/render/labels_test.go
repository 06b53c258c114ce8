package render_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/threaddump"
)

// Threads that wait for a row are not labelled as owners of it.
func TestWaitersForARowAreLabelledWaiting(t *testing.T) {
	var dump strings.Builder
	dump.WriteString("Full thread dump OpenJDK 64-Bit Server VM (17.0.15+6 mixed mode, sharing):\n\n")
	for i := range 2 {
		fmt.Fprintf(&dump, "\"order-%d\" #1%d prio=5 os_prio=0 cpu=9.00ms elapsed=9.00s tid=0x00007f000000%d000 "+
			"nid=0x1%d in Object.wait()  [0x00007f9ce85f1000]\n"+
			"   java.lang.Thread.State: TIMED_WAITING (on object monitor)\n"+
			"\tat java.lang.Object.wait(java.base@17.0.15/Native Method)\n"+
			"\t- waiting on <0x00000000ff24913%d> (a org.apache.derby.impl.services.locks.ActiveLock)\n"+
			"\tat org.apache.derby.impl.services.locks.ActiveLock.waitForGrant(ActiveLock.java:118)\n"+
			"\tat com.acme.Stock.take(Stock.java:6)\n\n", i, i, i, i, i)
	}
	cut := dump.String()
	out := status(t, cut+"JNI global refs: 15, weak refs: 0\n")
	if !strings.Contains(out, `Waiting   2 × "order-*"`) || strings.Contains(out, "Owner") {
		t.Error(out)
	}
	if out := status(t, cut); !strings.Contains(out, `Waiting   "order-0"`) {
		t.Errorf("of a cut dump: %s", out)
	}
}

// status is the report of a dump.
func status(t *testing.T, dump string) string {
	t.Helper()
	dumps, err := threaddump.Parse([]byte(dump))
	if err != nil {
		t.Fatal(err)
	}
	series := timeline.NewSeries()
	series.Add(timeline.Observation{Dump: dumps[0]})
	return text(t, render.Status, analysis.Diagnose(series, analysis.Options{}), render.Options{})
}
