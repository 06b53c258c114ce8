package hotspot_test

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

// TestMountedThreadsWithFramesInTheHeap: the frames of a thread that runs and has others in the heap are those of one
// moment, or none are shown. HEAVY=1 reads more of them.
func TestMountedThreadsWithFramesInTheHeap(t *testing.T) {
	stacks := 40
	if os.Getenv("HEAVY") != "" {
		stacks = 2000
	}
	for _, row := range []struct{ version, flags string }{
		{"21", "-XX:+UseG1GC"}, {"25", "-XX:+UseZGC"}, {"26", "-XX:+UseSerialGC"}, {"26", "-Xint"},
	} {
		t.Run(row.version+" "+row.flags, func(t *testing.T) {
			jdk := jvmtest.Find(t, row.version)
			jvm := jvmtest.Start(t, jdk, jvmtest.Options{
				Class: "com.acme.load.HalfReturned", Args: []string{"4"}, ClassPath: jvmtest.VirtualClasses(t, jdk),
				JVMArgs: []string{"-Xmx96m", row.flags, "-Djdk.virtualThreadScheduler.parallelism=3"},
			})
			readRings(t, jvm.PID(), stacks)
		})
	}
}

// readRings reads dumps until so many stacks of mounted threads were checked, that of the thread that spins among them.
func readRings(t *testing.T, pid, stacks int) {
	t.Helper()
	p, err := hotspot.OpenProcess(t.Context(), kernel.New("/proc"), pid)
	if err != nil {
		t.Fatal(err)
	}
	dumps, spins, returns, unread := 0, 0, 0, 0
	for spins == 0 || spins+returns < stacks {
		d, err := p.Dump(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if errors.Is(d.Sampling, fs.ErrPermission) {
			jvmtest.Lack(t, "the right to sample by perf")
		}
		dumps++
		for i := range d.Virtual.Threads {
			v := &d.Virtual.Threads[i]
			switch {
			case len(v.Frames) == 0:
				unread++
				continue
			case v.Name == "spins":
				spins++
			case v.CarrierID != 0:
				returns++
			}
			if !isRing(v.Frames) {
				t.Fatalf("%s %s is in no ring:\n%s", v, v.State, frameLines(v.Frames))
			}
		}
	}
	t.Logf("%d dumps, %d stacks of the thread that spins, %d of others on carriers, %d unread", dumps, spins, returns,
		unread)
}

// isRing reports that the frames of the ring follow each other, from ring0 on, which the thread's first method calls. A
// thread may not have come so far.
func isRing(frames []hotspot.Frame) bool {
	const program = "com.acme.load.HalfReturned."
	const notBegun = -1
	rings := notBegun // how many frames of the ring there are
	for i := len(frames) - 1; i >= 0; i-- {
		own, isOwn := strings.CutPrefix(frames[i].Text, program)
		number, isRing := strings.CutPrefix(own, "ring")
		switch {
		case !isOwn || strings.HasPrefix(own, "lambda$"):
		case strings.HasPrefix(own, "goRound(") && rings == notBegun:
			rings = 0
		case isRing && rings >= 0 && number[0] == byte('0'+rings%4):
			rings++
		case isRing || rings <= 0:
			return false
		}
	}
	return strings.HasPrefix(frames[len(frames)-1].Text, "java.lang.VirtualThread.run(")
}
