package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"jstall/analysis"
)

// Where a JVM runs virtual threads, silence about them is no all-clear.
func TestUncheckedVirtualThreadsAreTold(t *testing.T) {
	for _, jdk := range []string{"jdk21", "jdk25"} {
		virtual, plain := filepath.Join(dumps, jdk, "V-vdl-threaddump-l.txt"),
			filepath.Join(dumps, jdk, "idle-threaddump-l.txt")
		if got := run(t, "", "deadlock", virtual); !strings.HasPrefix(got.stdout,
			"No deadlock among platform threads in 1 dump") ||
			!strings.Contains(got.stdout, "virtual threads were not checked") {
			t.Errorf("%s: deadlock:\n%s", jdk, got.stdout)
		}
		if got := run(t, "", "status", virtual); !strings.Contains(got.stdout, "virtual threads were not checked") {
			t.Errorf("%s: status:\n%s", jdk, got.stdout)
		}
		for _, command := range []string{"deadlock", "status"} {
			if got := run(t, "", command, plain); strings.Contains(got.stdout, "virtual threads") ||
				strings.Contains(got.stdout, "platform") {
				t.Errorf("%s: %s of a JVM without:\n%s", jdk, command, got.stdout)
			}
		}
		r, _ := reportOf(t, "deadlock", virtual)
		if !r.Capture.VirtualUnseen || r.Verdict.State != analysis.NoDeadlock ||
			!strings.Contains(r.Verdict.Summary, "among platform threads") {
			t.Errorf("%s: %+v", jdk, r.Verdict)
		}
	}
}

func TestDeadlockOffersNoVirtualThreads(t *testing.T) {
	file := filepath.Join(dumps, "jdk21/V-vdl-threaddump-l.txt")
	if got := run(t, "", "deadlock", "--help"); strings.Contains(got.stdout, "or always (Java code") ||
		!strings.Contains(got.stdout, "never lists virtual threads") {
		t.Error(got.stdout)
	}
	for mode, code := range map[string]int{"auto": exitDone, "never": exitDone, "always": exitUsage} {
		if got := run(t, "", "deadlock", "--virtual", mode, file); got.code != code {
			t.Errorf("--virtual %s: exit %d, %s", mode, got.code, got.stderr)
		}
	}
}
