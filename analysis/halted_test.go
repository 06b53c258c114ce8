package analysis_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/threaddump"
)

// Dumps without the threads of the JVM itself, of threads that are RUNNABLE without CPU, are not called calm. One dump,
// a thread that used CPU and dumps with the VM thread do not count.
func TestHaltedThreads(t *testing.T) {
	text, err := os.ReadFile("../testdata/cases/h134.txt")
	if err != nil {
		t.Fatal(err)
	}
	vm := "\"VM Thread\" os_prio=0 cpu=10.00ms elapsed=29.53s tid=0x00007f1084000000 nid=1840 runnable\n\nJNI global"
	for name, c := range map[string]struct {
		change func(text string) string
		only   int
		want   analysis.VerdictState
	}{
		"as read":       {func(s string) string { return s }, 3, analysis.Unknown},
		"one dump":      {func(s string) string { return s }, 1, analysis.Ok},
		"the VM thread": {func(s string) string { return strings.ReplaceAll(s, "JNI global", vm) }, 3, analysis.Ok},
		"that used CPU": {strings.NewReplacer("cpu=67.96ms", "cpu=167.96ms", "cpu=69.69ms", "cpu=169.69ms").Replace, 3,
			analysis.Ok},
	} {
		dumps, err := threaddump.Parse([]byte(c.change(string(text))))
		if err != nil || len(dumps) != 3 {
			t.Fatalf("%s: %d dumps, %v", name, len(dumps), err)
		}
		r := DiagnoseDumps(dumps[:c.only]...)
		unseen := slices.Contains(r.Capture.Unseen, analysis.UnseenVMThreads)
		if r.Verdict.State != c.want || (r.Error != nil) != (c.want == analysis.Unknown) || unseen != (r.Error != nil) {
			t.Errorf("%s: %+v, %+v, unseen %q", name, r.Verdict, r.Error, r.Capture.Unseen)
		}
	}
}
