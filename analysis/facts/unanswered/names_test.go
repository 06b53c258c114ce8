package unanswered

import (
	"testing"

	"github.com/jstall/jstall/threaddump"
)

func TestNamesThatTheKernelCut(t *testing.T) {
	for comm, want := range map[string]bool{"G1 Refi..ontrol": true, "G1 Refinement W": true, "G1 Refine Contr": true,
		"G1": false, "G1 Refine#0": true} {
		if got := isComm(comm, "G1 Refine"); got != want {
			t.Errorf("%q: %v", comm, got)
		}
	}
	if kind, role := kindOfComm("G1 Refinement W"); kind != "vm" || role != threaddump.GC {
		t.Errorf("a refinement worker is %s %s", kind, role)
	}
}
