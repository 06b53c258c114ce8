package hotspot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
)

// TestMatrix compares with the JVM's own dump under each collector and each way of running code and
// of laying objects out that a JDK has. It takes minutes: HEAVY=1.
func TestMatrix(t *testing.T) {
	if !jvmtest.Everywhere() {
		t.Skip("set HEAVY=1")
	}
	rows := []struct {
		from, to int
		flags    string
	}{
		{8, 99, "-XX:+UseSerialGC"}, {8, 99, "-XX:+UseParallelGC"}, {8, 99, "-XX:+UseG1GC"},
		{8, 11, "-XX:+UseConcMarkSweepGC"},
		{15, 99, "-XX:+UseZGC"},
		{21, 23, "-XX:+UseZGC -XX:+ZGenerational"},
		{11, 99, "-XX:+UseShenandoahGC"}, {11, 99, "-XX:+UnlockExperimentalVMOptions -XX:+UseEpsilonGC"},
		{8, 99, "-XX:-UseCompressedOops"}, {8, 24, "-XX:-UseCompressedOops -XX:-UseCompressedClassPointers"},
		{8, 24, "-XX:-UseCompressedClassPointers"}, {8, 99, "-Xmx40g -XX:+UseG1GC"},
		{24, 99, "-XX:+UnlockExperimentalVMOptions -XX:+UseCompactObjectHeaders"},
		{8, 99, "-Xint"}, {8, 99, "-Xcomp"}, {8, 99, "-XX:TieredStopAtLevel=1"},
		{8, 99, "-XX:-TieredCompilation -Xbatch"},
		{8, 99, "-XX:-UseCodeCacheFlushing -XX:-Inline"},
		{21, 23, "-XX:+UnlockExperimentalVMOptions -XX:LockingMode=2"},
		{22, 25, "-XX:+UnlockDiagnosticVMOptions -XX:+UseObjectMonitorTable"},
		{21, 99, "-XX:+PreserveFramePointer"}, {8, 99, "-Xshare:off"}, {8, 99, "-XX:+UseG1GC -Xmn2m -Xmx64m"},
		{11, 99, "-XX:-SegmentedCodeCache"}, {9, 99, "-XX:+UseLargePages"},
	}
	for _, jdk := range jvmtest.Builds(t) {
		for _, row := range rows {
			if jdk.Version < row.from || jdk.Version > row.to {
				continue
			}
			t.Run(fmt.Sprintf("%s %s", jdk.Label(), row.flags), func(t *testing.T) {
				jvm := startStanding(t, jdk, strings.Fields("-XX:+IgnoreUnrecognizedVMOptions "+row.flags)...)
				compare(t, jvm, jdk.Version)
			})
		}
	}
}

// TestPrograms compares other programs that do not run. It takes minutes: HEAVY=1.
func TestPrograms(t *testing.T) {
	if !jvmtest.Everywhere() {
		t.Skip("set HEAVY=1")
	}
	for _, jdk := range jvmtest.Builds(t) {
		for _, line := range []string{
			"OddNames", "LockDeadlock", "LockDeadlock mixed", "MonitorDeadlock 3 2", "Contention 5",
			"ClassInitDeadlock",
			"ManyThreads 5000 20", "Idle 20 500",
		} {
			if jdk.Version == 8 && line == "OddNames" {
				continue // a name forges a thread in the JVM's own dump
			}
			t.Run(fmt.Sprintf("%s %s", jdk.Label(), line), func(t *testing.T) {
				words := strings.Fields(line)
				jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: words[0], Args: words[1:]})
				compare(t, jvm, jdk.Version)
			})
		}
	}
}
