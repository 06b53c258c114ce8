package render

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestMethodsOnNarrowTerminals: no percentage is shown without what it is a part of.
func TestMethodsOnNarrowTerminals(t *testing.T) {
	m := Methods{Title: "t", Unit: "nanoseconds", Weight: "CPU TIME", Groups: []MethodGroup{{
		Samples: 2005, Total: 4e9, Rows: []MethodRow{{Name: "com.example.orders.CatalogIndexer.similarity",
			Samples: 1500,
			OnTop:   800, Total: 3e9, Self: 1e9}},
	}}}
	for width := 20; width <= 140; width++ {
		var b bytes.Buffer
		if err := MethodTable(&b, m, Options{Width: width}); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(b.String(), "\n")
		head := lines[slices.IndexFunc(lines, func(line string) bool { return strings.Contains(line, "%") })]
		amounts := strings.Count(head, "SAMPLES") + strings.Count(head, "SELF") + strings.Count(head, "CPU TIME")
		if n := strings.Count(head, "%"); n != amounts || !strings.Contains(head, "CPU TIME") {
			t.Errorf("at %d columns: %q", width, head)
		}
	}
}
