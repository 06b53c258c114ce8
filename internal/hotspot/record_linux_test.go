package hotspot_test

import (
	"fmt"
	"os"
	"syscall"
	"testing"
	"time"

	"jstall/internal/hotspot"
	"jstall/internal/jvmtest"
)

// TestRecordFixtures writes the fixtures anew, of stopped JVMs: RECORD=1.
func TestRecordFixtures(t *testing.T) {
	if os.Getenv("RECORD") == "" {
		t.Skip("set RECORD=1")
	}
	for _, version := range []string{"8", "17", "25"} {
		jdk := jvmtest.Find(t, version)
		jvm := jvmtest.Start(t, jdk, jvmtest.Options{Class: "LockDeadlock", Args: []string{"mixed"}})
		jvm.Signal(syscall.SIGSTOP)
		bases, err := hotspot.Libraries(jvm.PID())
		if err != nil {
			t.Fatal(err)
		}
		r := &recorder{hotspot.ProcessMemory(jvm.PID()), map[uint64]bool{}}
		j, err := hotspot.Open(t.Context(), r, bases[0])
		if err != nil {
			t.Fatal(err)
		}
		d, err := j.Dump(t.Context(), time.Date(2026, 11, 20, 15, 4, 5, 0, time.UTC), nil)
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("../../testdata/hotspot/lock-deadlock-%s", version)
		if err := os.WriteFile(name+".txt", d.Text(), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := r.write(name+".pages.gz", bases[0]); err != nil {
			t.Fatal(err)
		}
	}
}
