package hotspot_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
)

// TestUntrackedVirtualThreads: where the JDK does not track its threads the heap is searched, and where that cannot be
// done the result says so.
func TestUntrackedVirtualThreads(t *testing.T) {
	for _, row := range []struct {
		version, collector string
		searched           bool
	}{{"21", "Serial", true}, {"25", "G1", true}, {"26", "Shenandoah", true}, {"25", "Z", false}} {
		t.Run(row.version+" "+row.collector, func(t *testing.T) {
			t.Parallel()
			jdk := jvmtest.Find(t, row.version)
			jvm := jvmtest.Start(t, jdk, jvmtest.Options{
				Class: "com.acme.load.ParkedRequests", Args: []string{"800"}, ClassPath: jvmtest.VirtualClasses(t, jdk),
				JVMArgs: []string{"-Xmx128m", "-XX:+Use" + row.collector + "GC", "-Djdk.trackAllThreads=false"},
			})
			requests := countRequests(read(t, jvm.PID()))
			stop(t, jvm)
			d := read(t, jvm.PID())
			const tracked, all = 400, 800 // half of them are in an executor, which tracks its threads
			want := all
			if !row.searched {
				want = tracked
			}
			if stopped := countRequests(d); requests != want || stopped != want {
				t.Errorf("%d threads, %d of the stopped JVM, want %d", requests, stopped, want)
			}
			if missing := d.Virtual.Missing; row.searched != (missing == "") ||
				!row.searched && !strings.Contains(missing, "trackAllThreads") {
				t.Errorf("missing: %q", missing)
			}
		})
	}
}

// countRequests counts the threads of the program that have a stack, each once.
func countRequests(d *hotspot.Dump) int {
	ids := map[int64]bool{}
	for _, v := range d.Virtual.Threads {
		for _, f := range v.Frames {
			if strings.HasPrefix(f.Text, "com.acme.load.ParkedRequests.handle(") {
				ids[v.ID] = true
			}
		}
	}
	return len(ids)
}
