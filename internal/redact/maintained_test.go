package redact

import (
	"slices"
	"testing"

	"github.com/pelletier/go-toml/v2"
)

// TestTheirRulesAreThoseOfTheFile compares the rules of gitleaks with what go-toml decodes.
func TestTheirRulesAreThoseOfTheFile(t *testing.T) {
	var want struct {
		Rules []struct {
			ID       string
			Regex    string
			Keywords []string
		}
	}
	if err := toml.Unmarshal(theirFile, &want); err != nil {
		t.Fatal(err)
	}
	got, err := theirRulesIn(theirFile)
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want.Rules) {
		t.Fatalf("%d rules, want %d", len(got), len(want.Rules))
	}
	for i, r := range want.Rules {
		if got[i].id != r.ID || got[i].regex != r.Regex || !slices.Equal(got[i].keywords, r.Keywords) {
			t.Errorf("rule %d: %q, want %q", i, got[i], r)
		}
	}
	if _, err := theirRulesIn([]byte("[[rules]]\nid = ")); err == nil {
		t.Error("no error of a file that is cut off")
	}
}
