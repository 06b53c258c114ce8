package attach_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// footprint is what a JVM takes of the machine.
type footprint struct {
	threads int
	rss     int64 // bytes
}

func footprintOf(t *testing.T, pid int) footprint {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	status, err := kernel.ParseStatus(raw)
	if err != nil {
		t.Fatal(err)
	}
	return footprint{status.Threads, status.VmRSS.Value}
}

// TestFootprint dumps a JVM of some 30 threads again and again: it gets its attach
// listener and no other thread, and after ten dumps it has what memory it needs
// for them.
func TestFootprint(t *testing.T) {
	eachJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		// interpreted: compiler threads come and go by themselves
		j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", Args: []string{"15"}, JVMArgs: []string{"-Xint"}})
		c := patient()
		before := footprintOf(t, j.PID())
		dumps := func(n int) footprint {
			for range n {
				dump(t, c, j, jdk.Version)
			}
			return footprintOf(t, j.PID())
		}
		ten, fifty := dumps(10), dumps(40)
		if fifty.threads > before.threads+1 {
			t.Errorf("%d threads after fifty dumps, %d before", fifty.threads, before.threads)
		}
		if grown := fifty.rss - ten.rss; grown >= 1<<20 {
			t.Errorf("RSS grew by %d bytes from the tenth dump to the fiftieth", grown)
		}
	})
}
