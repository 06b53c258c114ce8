package views

import (
	"regexp"
	"testing"
)

// TestEveryViewCanBeAsked parses all views, which have a title, a sentence and a place each.
func TestEveryViewCanBeAsked(t *testing.T) {
	all, err := All()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 70 {
		t.Errorf("%d views", len(all))
	}
	name := regexp.MustCompile(`^[a-z0-9-]+$`)
	seen := map[string]bool{}
	for _, v := range all {
		if _, err := v.Parse(); err != nil {
			t.Error(err)
		}
		if seen[v.Name] || !name.MatchString(v.Name) || v.Title == "" || v.Shows == "" || v.Of == "" {
			t.Errorf("%+v", v)
		}
		seen[v.Name] = true
	}
}
