package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// module has a package whose tests pass, fail and are skipped, one that does not compile, and one without tests.
var module = map[string]string{
	"go.mod":       "module example.com/m\n\ngo 1.26\n",
	"none/none.go": "package none\n",
	"bad/bad_test.go": `package bad

var x int = "text"
`,
	"good/good_test.go": `package good

import "testing"

func TestPasses(t *testing.T) {
	t.Log("printed by a test that passes")
	t.Run("one", func(t *testing.T) {})
	t.Run("two", func(t *testing.T) {})
}

func TestFails(t *testing.T) {
	t.Run("one", func(t *testing.T) { t.Error("printed by a test that fails") })
	t.Run("two", func(t *testing.T) {})
}

func TestIsSkipped(t *testing.T) { t.Skip("no browser") }
`,
	"early/early_test.go": `package early

import (
	"os"
	"testing"
)

func TestEndsTheProcess(t *testing.T) { os.Exit(3) }
`,
}

func TestResultsOfAModule(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range module {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	parts := []struct {
		name     string
		packages string
		ok       bool
	}{
		{"whole", "./...", false},
		{"empty", "./none", true},
	}
	var out strings.Builder
	for _, part := range parts {
		command := []string{"go", "test", "-json", "-vet", "off", part.packages}
		if ok, err := run(&out, folder, part.name, command); ok != part.ok || err != nil {
			t.Errorf("%s: ok is %v, want %v: %v", part.name, ok, part.ok, err)
		}
	}
	for text, shown := range map[string]bool{
		"a test that fails": true, "a test that passes": false, "FAIL\texample": true, "cannot use": true,
	} {
		if strings.Contains(out.String(), text) != shown {
			t.Errorf("the output has %q: %v, want %v:\n%s", text, !shown, shown, out.String())
		}
	}
	for _, c := range []struct {
		parts []string
		ok    bool
		want  []string
	}{
		{[]string{"whole", "empty"}, false, []string{
			"all: 3 passed, 3 failed, 1 skipped, ",
			"skipped: example.com/m/good TestIsSkipped: good_test.go:16: no browser\n",
			"failed: example.com/m/good TestFails/one\n", "failed: example.com/m/early TestEndsTheProcess\n",
			"failed: example.com/m/bad\n"}},
		{[]string{"empty"}, true, []string{"all: 0 passed, 0 failed, 0 skipped, "}},
		{[]string{"empty", "absent"}, false, []string{"absent       has no results: it did not run to its end\n"}},
	} {
		var shown strings.Builder
		ok, err := summary(&shown, folder, c.parts)
		if ok != c.ok || err != nil {
			t.Errorf("%v: ok is %v, want %v: %v", c.parts, ok, c.ok, err)
		}
		lacks := func(text string) bool { return !strings.Contains(shown.String(), text) }
		if at := slices.IndexFunc(c.want, lacks); at >= 0 {
			t.Errorf("the summary of %v lacks %q:\n%s", c.parts, c.want[at], shown.String())
		}
	}
}
