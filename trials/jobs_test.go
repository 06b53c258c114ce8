//go:build linux

package trials_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/jvmtest"
)

// collector is a garbage collector and the releases that have it.
type collector struct {
	name, flags string
	from, to    int
}

var collectors = []collector{
	{"Serial", "-XX:+UseSerialGC", 0, 0},
	{"Parallel", "-XX:+UseParallelGC", 0, 0},
	{"CMS", "-XX:+UseConcMarkSweepGC", 0, 11},
	{"G1", "-XX:+UseG1GC", 0, 0},
	{"ZGC", "-XX:+UnlockExperimentalVMOptions -XX:+UseZGC", 11, 0},
	{"ZGC", "-XX:+UseZGC -XX:+ZGenerational", 21, 23}, // the only one from 24 on
	{"Shenandoah", "-XX:+UnlockExperimentalVMOptions -XX:+UseShenandoahGC", 11, 0},
	{"Epsilon", "-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC", 11, 0},
}

// jobs are the main job, on a JVM with a deadlock: with every collector, and without a compiler.
func jobs() []trial {
	all := []trial{
		{name: "status, deadlock, threads, most-work", run: mainJob},
		{name: "interpreter alone (-Xint)", run: func(t *testing.T, jdk jvmtest.JDK) { deadlocked(t, jdk, "-Xint") }},
	}
	for _, gc := range collectors {
		flags := strings.Fields(gc.flags)
		name := gc.name + " collector"
		if slices.Contains(flags, "-XX:+ZGenerational") {
			name = "ZGC collector, generational"
		}
		all = append(all, trial{name: name, from: gc.from, to: gc.to, run: func(t *testing.T, jdk jvmtest.JDK) {
			c := deadlocked(t, jdk, append(flags, "-Xmx64m")...)
			for _, p := range list(t) {
				if p.PID == c.pid && p.HeapMaxBytes == 0 {
					t.Error("its counters do not tell its heap")
				}
			}
		}})
	}
	return all
}

// deadlocked captures a JVM in which two threads block each other.
func deadlocked(t *testing.T, jdk jvmtest.JDK, jvmArgs ...string) client {
	t.Helper()
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "MonitorDeadlock", JVMArgs: jvmArgs})
	c := client{pid: j.PID()}
	r, o := c.report(t, "status", "--count", "2", "--interval", "200ms")
	if o.code != exitDeadlock || r.Findings[0].Kind != finding.KindDeadlock ||
		r.Findings[0].Confidence != finding.Proven {
		t.Errorf("exit %d, %+v, error %+v", o.code, r.Verdict, r.Error)
	}
	gc := slices.ContainsFunc(r.Threads, func(t analysis.ThreadReport) bool { return t.Role == "gc" })
	if none := slices.ContainsFunc(jvmArgs, withoutGCThreads); gc == none && len(jvmArgs) > 1 {
		t.Errorf("threads of the collector: %v", gc)
	}
	harmless(t, j)
	return c
}

func withoutGCThreads(flag string) bool {
	return flag == "-XX:+UseSerialGC" || flag == "-XX:+UseEpsilonGC"
}

func mainJob(t *testing.T, jdk jvmtest.JDK) {
	c := deadlocked(t, jdk)
	for command, want := range map[string]int{"deadlock": exitDeadlock, "threads": exitDeadlock,
		"most-work": exitDeadlock, "dependency-tree": exitDeadlock, "dump": exitDone} {
		o := c.run(t, command)
		if o.code != want || o.stdout == "" {
			t.Errorf("%s: exit %d: %s%s", command, o.code, o.stdout, o.stderr)
		}
	}
}
