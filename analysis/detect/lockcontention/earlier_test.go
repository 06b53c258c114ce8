package lockcontention_test

import (
	"slices"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
)

// The owner of a lock that only an earlier dump shows contended has the stack of that dump. In the last dump it is
// idle.
func TestAnOwnerHasTheStackOfTheDumpThatShowsIt(t *testing.T) {
	r := DiagnoseDumps(Parse(t, "waits/turns.txt")...)
	if len(r.Findings) != 1 || r.Findings[0].Kind != finding.KindLockContention {
		t.Fatalf("findings: %v", Found(r))
	}
	f := r.Findings[0]
	owner := f.Culprits[0]
	if owner.Dump == nil || *owner.Dump != *f.Evidence[0].Dump || owner.State != "TIMED_WAITING" ||
		!slices.Contains(owner.Stack, "Turns.work(Turns.java:24)") {
		t.Errorf("owner %+v, evidence %+v", owner, f.Evidence[0])
	}
	for _, w := range f.Victims {
		if w.Dump == nil || *w.Dump != *owner.Dump || w.Stack != nil || w.Frame != "Turns.work" {
			t.Errorf("waiter %+v", w)
		}
	}
	for _, row := range r.Threads {
		if row.Name == owner.Name && row.Idle == "" {
			t.Errorf("the last dump shows the owner %s in %q", owner.Name, row.Stack)
		}
	}
}
