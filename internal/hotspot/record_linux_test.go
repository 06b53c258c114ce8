package hotspot_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvmtest"
)

// shrink clears what a dump does not depend on: most of the list of classes.
func (p *pages) shrink(t *testing.T) {
	t.Helper()
	text := func() string {
		d, err := p.dump(t.Context())
		if err != nil {
			return ""
		}
		return string(append(d.Text(), d.VirtualText()...))
	}
	want := text()
	for _, at := range slices.Sorted(maps.Keys(p.at)) {
		for _, block := range []int{pageSize, 256} {
			for from := 0; from < pageSize; from += block {
				part := p.at[at][from : from+block]
				before := bytes.Clone(part)
				if clear(part); text() != want {
					copy(part, before)
				}
			}
			if p.at[at] == nil || bytes.Count(p.at[at], []byte{0}) == pageSize {
				break
			}
		}
	}
}

// TestRecordFixtures writes the fixtures anew, of stopped JVMs: RECORD=1, RECORD_ONLY=26 those of one release.
func TestRecordFixtures(t *testing.T) {
	if os.Getenv("RECORD") == "" {
		t.Skip("set RECORD=1")
	}
	for _, version := range []string{"8", "17", "25", "26"} {
		jdk := jvmtest.Find(t, version)
		name, options := "lock-deadlock", jvmtest.Options{Class: "LockDeadlock", Args: []string{"mixed"}}
		if version == "26" {
			name, options = "every-wait", jvmtest.Options{
				Class: "com.acme.load.EveryWait", Args: []string{"0", t.TempDir()},
				ClassPath: jvmtest.VirtualClasses(t, jdk),
				JVMArgs: []string{
					"-Xmx24m", "-XX:+UseSerialGC", "--enable-preview", "-Djdk.virtualThreadScheduler.parallelism=8",
				},
			}
		}
		if only := os.Getenv("RECORD_ONLY"); only != "" && only != version {
			continue
		}
		jvm := jvmtest.Start(t, jdk, options)
		stop(t, jvm)
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
		name = fmt.Sprintf("../../testdata/hotspot/%s-%s", name, version)
		if err := os.WriteFile(name+".txt", append(d.Text(), d.VirtualText()...), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := r.write(name+".pages.gz", bases[0]); err != nil {
			t.Fatal(err)
		}
		if d.Virtual != nil && len(d.Virtual.Threads) > 0 {
			p := loadPages(t, name+".pages.gz")
			p.shrink(t)
			if err := p.write(name + ".pages.gz"); err != nil {
				t.Fatal(err)
			}
		}
	}
}
