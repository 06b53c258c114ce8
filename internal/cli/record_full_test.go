package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"jstall/internal/jvmtest"
)

// What --full adds is replayed by flame and class-histogram, and changes nothing of
// what the looks show.
func TestFullRecording(t *testing.T) {
	onEveryJDK(t, func(t *testing.T, jdk jvmtest.JDK) {
		pid, _ := launch(t, jdk, "Burn", "50", "10")
		file := filepath.Join(t.TempDir(), "r.zip")
		got := run(t, "", "record", pid, "-o", file, "--count", "2", "--interval", "50ms", "--full", "--profile", "1s", "--max-pause", "5s", "--redact")
		if got.code != exitDone {
			t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
		}
		if got := run(t, "", "record", "summary", file); !strings.Contains(got.stdout, ": 2 dumps, a profile of ") {
			t.Errorf("the summary does not tell of the profile:\n%s", got.stdout)
		}
		if got := run(t, "", "flame", file); !strings.Contains(got.stdout, "Burn.burn") || strings.Contains(got.stdout, " 2 looks") {
			t.Errorf("flame shows the looks, not the profile:\n%s%s", got.stdout, got.stderr)
		}
		if got := run(t, "", "dump", file); strings.Count(got.stdout, "Full thread dump") != 2 {
			t.Errorf("%d dumps, want 2", strings.Count(got.stdout, "Full thread dump"))
		}
		if got := run(t, "", "class-histogram", file, "--json"); !strings.Contains(got.stdout, `"java.lang.String"`) {
			t.Errorf("no histogram: exit %d\n%.500s%s", got.code, got.stdout, got.stderr)
		}
	})
}

// A histogram is not asked for that would stop the JVM for longer than allowed.
func TestFullRecordingKeepsThePauseRule(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	file := filepath.Join(t.TempDir(), "r.zip")
	got := run(t, "", "record", pid, "-o", file, "--count", "1", "--full", "--profile", "0s", "--max-pause", "1us")
	if got.code != exitDone {
		t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	why := "GC.class_histogram not asked: a pause of about "
	if got := run(t, "", "record", "summary", file); !strings.Contains(got.stdout, why) || strings.Contains(got.stdout, "profile of") {
		t.Errorf("the summary does not say why there is no histogram:\n%s", got.stdout)
	}
	if got := run(t, "", "class-histogram", file); got.code != exitNothing || !strings.Contains(got.stderr, why) {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
