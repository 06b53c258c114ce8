package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/shell"
)

// Lines repeat from dump to dump, so that many of them cost little.
func TestRecordingOfManyDumpsIsSmall(t *testing.T) {
	t.Parallel()
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "ManyThreads", "1000", "16")
	file := filepath.Join(t.TempDir(), "r.zip")
	got := run(t, "", "record", pid, "-o", file, "--count", "100", "--interval", "10ms", "--timeout", "60s")
	if got.code != shell.ExitDone {
		t.Fatalf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	r, err := recording.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	dumps, raw := 0, int64(0)
	for _, reading := range r.Manifest.JVMs[0].Readings {
		for _, e := range reading.Entries {
			if e.Kind == recording.ThreadDump {
				dumps++
				raw += e.Length
			}
		}
	}
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if dumps != 100 || info.Size()*50 > raw {
		t.Errorf("%d dumps of %d bytes became %d", dumps, raw, info.Size())
	}
}
