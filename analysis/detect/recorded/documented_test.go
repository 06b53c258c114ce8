package recorded_test

import (
	"os"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/detect/recorded"
)

// TestEventsAreDocumented holds the table of docs/diagnosis.md against the rules, and that one rule alone says what is
// hidden without an event.
func TestEventsAreDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/diagnosis.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rows, _ := strings.Cut(string(page), "| event | what is reported |")
	rows, _, _ = strings.Cut(rows, "\n\n")
	listed, hides := map[string]bool{}, map[string]bool{}
	for _, row := range strings.Split(rows, "\n| ")[1:] {
		events, _, _ := strings.Cut(row, " | ")
		for i, name := range strings.Split(events, "`") {
			if i%2 == 1 {
				listed[name] = true
			}
		}
	}
	for _, e := range recorded.Detector.Events {
		if !listed[e.Name] {
			t.Errorf("docs/diagnosis.md does not list %s", e.Name)
		}
		if e.Hides != "" && hides[e.Name] {
			t.Errorf("two rows say what is hidden without %s", e.Name)
		}
		hides[e.Name] = hides[e.Name] || e.Hides != ""
	}
	for _, e := range recorded.Detector.Events {
		delete(listed, e.Name)
	}
	for name := range listed {
		t.Errorf("docs/diagnosis.md lists %s, which no rule needs", name)
	}
}
