package lockcontention_test

import (
	"strings"
	"testing"

	. "github.com/jstall/jstall/analysis/internal/dumptest"
)

// An owner that waits without a time limit gets no advice to shorten its section, also from one dump; one that works
// does.
func TestAdviceOnAnOwnerThatWaitsWithoutALimit(t *testing.T) {
	for name, test := range map[string]struct {
		owner Part
		want  string
	}{
		"for a latch": {Latched(0xb), "Do not call CountDownLatch.await while holding this lock"},
		"at work":     {At("Sum.add", "Sum.run"), "Shorten the section"},
	} {
		owner := Thread(1, "o", At("Book.hold", "Book.run"), test.owner, Holds(0xa))
		r := OneDump(append(Behind(3, 0xa), owner)...)
		if len(r.Findings) == 0 || !strings.HasPrefix(r.Findings[0].Advice, test.want) {
			t.Errorf("%s: %+v", name, r.Findings)
		}
	}
}
