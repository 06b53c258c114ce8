package analysis_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/object"
)

// TestWhatWasRead has dumps of testdata/java/Held.java with and without what was read from memory with them.
func TestWhatWasRead(t *testing.T) {
	for _, test := range []struct{ name, want, title, without string }{
		{"lock", "lock-contention//proven: owner | waiter-1,waiter-2", `held by "owner"`,
			"lock-contention/warning/likely:  | waiter-1,waiter-2"},
		{"readers", "lock-contention//proven: reader | writer-1,writer-2", `held by "reader"`,
			"lock-contention/warning/likely:  | writer-1,writer-2"},
		{"semaphore", "resource-exhausted/info/proven: call-1,call-2,call-3 | ", "Semaphore exhausted (0 permits left)",
			"resource-exhausted/info/possible: call-1,call-2,call-3 | "},
		{"queue", "queue-full/warning/proven: producer-1,producer-2 | ", "(queue 2 of 2)",
			"queue-full/warning/likely: producer-1,producer-2 | "},
		{"latch", "missed-signal/info/possible: starter | ", "a CountDownLatch (count 3)",
			"missed-signal/info/possible: starter | "},
		{"barrier", "missed-signal/info/possible: party-1,party-2 | ", "a CyclicBarrier (2 of 4 parties absent)",
			"missed-signal/info/possible: party-1,party-2 | "},
		{"executor", "executor-saturated/info/proven: worker-1,worker-2,worker-3 | ", "5 of 6 tasks in its queue", ""},
		{"cycle", "deadlock/critical/likely: reader,writer | ", `"reader" (in `,
			"lock-contention/warning/likely:  | reader,writer"},
	} {
		// a lock that is held for a second is critical; dumps of 8 are whole seconds apart
		for jdk, severity := range map[string]string{"8": "critical", "25": "warning"} {
			t.Run(test.name+jdk, func(t *testing.T) {
				read := ReadObjects(t, "held-"+test.name+"-"+jdk)
				r := Diagnose(read...)
				found := Found(r)
				want := strings.Replace(test.want, "//", "/"+severity+"/", 1)
				if !slices.Contains(found, want) || !strings.Contains(r.Verdict.Summary, test.title) {
					t.Errorf("%v, %q", found, r.Verdict.Summary)
				}
				for i := range read {
					read[i].Objects = nil
				}
				if found := Found(Diagnose(read...)); strings.Join(found, "; ") != test.without {
					t.Errorf("without: %v", found)
				}
			})
		}
	}
}

// TestAThreadThatMovedIsNotAnOwner changes what was read of the owner of a lock.
func TestAThreadThatMovedIsNotAnOwner(t *testing.T) {
	for name, change := range map[string]func(s *object.Synchronizer){
		"it was at another line":        func(s *object.Synchronizer) { s.HolderAt[4] += "1" },
		"its frames are not known":      func(s *object.Synchronizer) { s.HolderAt = nil },
		"they wait for another lock":    func(s *object.Synchronizer) { s.Object.Address += 8 },
		"others waited":                 func(s *object.Synchronizer) { s.WaiterIDs = []int64{1} },
		"the owner is not in the dump":  func(s *object.Synchronizer) { s.OwnerID = 12345 },
		"the owner waits for it itself": func(s *object.Synchronizer) { s.OwnerID = s.WaiterIDs[0] },
	} {
		read := ReadObjects(t, "held-lock-25")
		for i := range read {
			change(&read[i].Objects.Synchronizers[0])
		}
		const want = "lock-contention/warning/likely:  | waiter-1,waiter-2"
		if found := Found(Diagnose(read...)); !slices.Equal(found, []string{want}) {
			t.Errorf("%s: %v", name, found)
		}
	}
}

// TestPoolsThatWereRead has dumps of testdata/hotspot/pooling with what was read from memory with them.
func TestPoolsThatWereRead(t *testing.T) {
	for _, jdk := range []string{"8", "25"} {
		var titles []string
		for _, f := range Diagnose(ReadObjects(t, "pooling-"+jdk)...).Findings {
			if f.Confidence == finding.Proven {
				titles = append(titles, f.Title)
			}
			if f.Kind == finding.KindSingleThreadBlocked && len(f.Victims) > 0 {
				t.Errorf("%s: %v wait for pools, not for the loop", jdk, NamesOf(f.Victims))
			}
		}
		for _, want := range []string{"exhausted (3 of 3 in use): 2 threads wait", "; 4 tasks wait for it"} {
			if !slices.ContainsFunc(titles, func(title string) bool { return strings.Contains(title, want) }) {
				t.Errorf("%s: no %q in %q", jdk, want, titles)
			}
		}
	}
}

// TestABarrierThatOpenedIsNotReported changes what was read of a barrier: all four parties are absent, though the dump
// shows two that wait, so they went on before the memory was read.
func TestABarrierThatOpenedIsNotReported(t *testing.T) {
	for _, jdk := range []string{"8", "25"} {
		read := ReadObjects(t, "held-barrier-"+jdk)
		for i := range read {
			barrier := &read[i].Objects.Synchronizers[0]
			barrier.Left = barrier.Parties
		}
		if found := Found(Diagnose(read...)); len(found) > 0 {
			t.Errorf("%s: %v", jdk, found)
		}
	}
}

// TestABarrierThatWasReadEarlier has nothing that was read after the last dump. The parties that waited before still
// wait.
func TestABarrierThatWasReadEarlier(t *testing.T) {
	for _, jdk := range []string{"8", "25"} {
		read := ReadObjects(t, "held-barrier-"+jdk)
		read[len(read)-1].Objects = nil
		if r := Diagnose(read...); !strings.Contains(r.Verdict.Summary, "(2 of 4 parties absent)") {
			t.Errorf("%s: %s", jdk, r.Verdict.Summary)
		}
		read[0].Objects.Synchronizers[0].Left-- // a third party arrived that the dump does not show
		if r := Diagnose(read...); strings.Contains(r.Verdict.Summary, "absent") {
			t.Errorf("%s: %s", jdk, r.Verdict.Summary)
		}
	}
}
