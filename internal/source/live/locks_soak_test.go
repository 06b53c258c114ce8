package live

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/source/observe"
)

// TestThePredictedPauseIsNearTheRealOne holds the prediction for a dump with lock
// owners against what the JVM itself logs, on heaps full of small objects, the
// dearest kind. It runs under `make soak`: it fills gigabytes.
func TestThePredictedPauseIsNearTheRealOne(t *testing.T) {
	if os.Getenv("SOAK") == "" {
		t.Skip("runs under `make soak`: it fills gigabytes of heap")
	}
	for _, run := range []struct {
		jdk, collector string
		megabytes      int
	}{
		{"17", "Serial", 100}, {"17", "Serial", 1000}, {"17", "G1", 100}, {"17", "G1", 1000}, {"17", "G1", 3000},
		{"21", "G1", 1000}, {"21", "Z", 100}, {"21", "Z", 1000}, {"21", "Z", 3000},
	} {
		t.Run(fmt.Sprintf("%s-%s-%d", run.jdk, run.collector, run.megabytes), func(t *testing.T) {
			log := filepath.Join(t.TempDir(), "safepoints")
			vm := jvmtest.Start(t, jvmtest.Find(t, run.jdk), jvmtest.Options{
				Class: "FullHeap", Args: []string{strconv.Itoa(run.megabytes)},
				JVMArgs: []string{
					"-XX:+Use" + run.collector + "GC", "-Xmx" + strconv.Itoa(2*run.megabytes+300) + "m",
					"-Xlog:safepoint=info:file=" + log,
				},
			})
			k, p := known(t, vm)
			r, err := observe.Take(t.Context(), &Source{Kernel: k, Process: p, Count: 1, Timeout: time.Minute},
				observe.Plan{MaxPause: time.Hour})
			if err != nil || !r.Cost.Locks.Asked {
				t.Fatalf("%v, %+v", err, r.Cost.Locks)
			}
			real, predicted := longestDump(t, log), r.Cost.Locks.Predicted
			t.Logf("predicted %v, was %v", predicted, real)
			const factor = 3
			if real > factor*predicted || predicted > factor*real {
				t.Errorf("predicted %v, was %v", predicted, real)
			}
		})
	}
}

// safepoint is a line of -Xlog:safepoint for one of the operations of a dump.
var safepoint = regexp.MustCompile(`Safepoint "(?:ThreadDump|PrintThreads)".*Total: +(\d+) ns`)

func longestDump(t *testing.T, log string) (longest time.Duration) {
	text, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range safepoint.FindAllSubmatch(text, -1) {
		ns, err := strconv.ParseInt(string(m[1]), 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		longest = max(longest, time.Duration(ns))
	}
	if longest == 0 {
		t.Fatalf("no dump in the log:\n%s", text)
	}
	return longest
}
