package render_test

import (
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/render"
)

// The header of a live report has the use and the growth of the heap; that of a saved one does not.
func TestHeaderHasTheHeap(t *testing.T) {
	r := deadlocked()
	used, most, growth := int64(120<<20), int64(256<<20), int64(-80<<20)
	r.Capture.HeapUsedBytes, r.Capture.HeapMaxBytes, r.Capture.HeapGrowthBytes = &used, &most, &growth
	out := text(t, render.Status, r, render.Options{})
	if !strings.Contains(out, "heap 120 MB of 256 MB, -80.0 MB over 2.00 s") {
		t.Error(out)
	}
	r.Capture.Source = "file"
	if out := text(t, render.Status, r, render.Options{}); strings.Contains(out, "heap ") {
		t.Error(out)
	}
}
