package hotspot_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
)

// TestCycleOfThreadsThatStandStill: of the threads that wait for each other in recorded pages none may have run
// while they were read. fakeKernel counts how often they did.
func TestCycleOfThreadsThatStandStill(t *testing.T) {
	for _, name := range fixturesWithCycle(t) {
		pages := loadPages(t, name)
		d, err := pages.dump(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range []struct {
			runs int // so many questions long does import-1 run
			told bool
		}{{0, true}, {4, true}, {1000, false}} {
			kernel := fakeKernel{of: d, runs: test.runs}
			j, err := hotspot.Open(t.Context(), pages, pages.libjvm)
			if err != nil {
				t.Fatal(err)
			}
			got, err := j.Dump(t.Context(), time.Now(), kernel.tasks)
			if err != nil {
				t.Fatal(err)
			}
			waits, torn := 0, 0
			for _, thread := range got.Threads {
				if thread.Waits != nil && thread.Waits.OwnerID != 0 {
					waits++
				}
				if thread.Torn && len(thread.Frames) == 0 {
					torn++
				}
			}
			if told := waits == 2 && torn == 0; told != test.told || !test.told && torn != 2 {
				t.Errorf("%s: running for %d questions: %d wait for others, %d are torn", name, test.runs, waits, torn)
			}
		}
	}
}

// fixturesWithCycle are the recorded pages of a JVM with a deadlock.
func fixturesWithCycle(t *testing.T) []string {
	t.Helper()
	names := slices.DeleteFunc(fixtures(t), func(name string) bool { return !strings.Contains(name, "deadlock") })
	if len(names) == 0 {
		t.Fatal("no fixture has a cycle")
	}
	return names
}

// fakeKernel has the threads of a dump.
type fakeKernel struct {
	of    *hotspot.Dump
	runs  int
	asked int
}

func (k *fakeKernel) tasks() (map[int]hotspot.Task, error) {
	tasks := map[int]hotspot.Task{}
	k.asked++
	for _, t := range k.of.Threads {
		task := hotspot.Task{CPU: time.Millisecond, Turns: 7}
		if t.Name == "import-1" {
			task.Turns += int64(min(k.asked, k.runs))
		}
		tasks[t.NativeID] = task
	}
	return tasks, nil
}
