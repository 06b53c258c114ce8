package exhausted_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/finding"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
)

// Threads behind the place where others wait for a permit may have come there without one: they are named as possible
// holders, whatever their number, and the advice is to check this.
func TestThreadsPastAnAcquireArePossibleHolders(t *testing.T) {
	r := DiagnoseDumps(Parse(t, "holders/branch.txt")...)
	if len(r.Findings) == 0 || r.Findings[0].Kind != finding.KindResourceExhausted {
		t.Fatalf("findings: %v", Found(r))
	}
	f := r.Findings[0]
	if !strings.Contains(f.Title, `possible holders: 32 × "order-*"; all sleep`) ||
		strings.Contains(f.Title, "hold one") ||
		!strings.HasPrefix(f.Advice, "Check whether these threads hold a permit.") {
		t.Errorf("%s\n%s", f.Title, f.Advice)
	}
}
