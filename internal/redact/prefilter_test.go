package redact

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// What is found from where a match may begin is what the expression finds.
func TestStartsFindWhatTheExpressionFinds(t *testing.T) {
	lines := append(mixedLines(3_000), linesOfFiles(t)...)
	for expression, s := range prefiltersOfRules(t) {
		whole := regexp.MustCompile(expression)
		found, passed := 0, 0
		for _, line := range append(samples(t, expression, 20), lines...) {
			got, ok := s.places([]byte(line))
			if !ok {
				continue
			}
			passed++
			want := whole.FindAllStringSubmatchIndex(line, -1)
			found += len(want)
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("%s\nin %q: %v, want %v", expression, line, got, want)
			}
		}
		if found == 0 || passed < len(lines)/2 {
			t.Errorf("%s: %d matches in %d lines prove nothing", expression, found, passed)
		}
	}
}

// A line in which a rule has something to find holds one of its needles.
func TestNeedlesMissNothing(t *testing.T) {
	rules, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	n := newNeedles(rules)
	for _, line := range mixedLines(1_000) {
		var set ruleSet
		n.texts([]byte(line), &set)
		n.shapes([]byte(line), &set)
		for i, r := range rules {
			m := r.pattern().FindStringSubmatchIndex(line)
			if m == nil {
				continue
			}
			from, to := r.secret([]byte(line), m)
			if to <= from {
				continue
			}
			found := line[from:to]
			if slices.Contains(slices.Collect(set.all), i) ||
				r.Kind == "ipv6" && !strings.ContainsAny(found, "0123456789") { // the name of a C++ method
				continue
			}
			t.Fatalf("%s: %q in %q is passed over", r.Kind, found, line)
		}
	}
}

// prefiltersOfRules are those of the rules that have them, and of expressions that are harder.
func prefiltersOfRules(t *testing.T) map[string]*prefilter {
	t.Helper()
	rules, err := ParseRules(shipped)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]*prefilter{}
	kinds := map[string]bool{}
	for _, r := range rules {
		if s := r.prefilter(); s != nil {
			all[r.pattern().String()], kinds[r.Kind] = s, true
		}
	}
	for _, kind := range []string{"user", "ipv4", "password", "token", "url-host"} {
		if !kinds[kind] {
			t.Errorf("the rule for %s is tried on whole lines", kind)
		}
	}
	for _, expression := range []string{
		`\buser\b`, `^user`, `user$`, `(?m)^user`, `a|ab`, `ab|a`, `(?:user)+?`, `\Buser`, `10(?:\.\d+)*`, `e.*e`,
		`=[^=]*=?`, `\S=\b`,
	} {
		if s := newPrefilter(expression); s != nil {
			all[expression] = s
		}
	}
	return all
}

// An expression that may begin everywhere, match nothing or is long has no prefilter.
func TestNoStarts(t *testing.T) {
	for _, expression := range []string{`.x`, `[a-zA-Z]+@`, `\b`, `x*`, strings.Repeat("x", 65), `(`} {
		if newPrefilter(expression) != nil {
			t.Errorf("%q has some", expression)
		}
	}
}

// mixedLines are made of parts of secrets and of what is like them.
func mixedLines(n int) []string {
	parts := []string{
		"user", "User", "superuser", "login", "name", "Id", "_", "-D", "=", ": ", ":", " ", "  ", `"`, "'", "/",
		"a", "e", "x7", "asmith", "password", "passphrase", "pass", "\\",
		"token", "secret", "host", "key", "api", "1", "10", "255", "256", ".", "@", "://", "/home/", "\t", ",",
		"(", ")", "ghp_", "é", "\xc3", "€", "\x80",
		strings.Repeat(" ", 40), "redacted-", "10.20.30.40", "::1", "basic ", "bearer ", "AKIAIOSFODNN7EXAMPLE",
		"-----BEGIN PRIVATE KEY-----MII", "eyJhbGciOiJI", ".corp",
	}
	for _, c := range secrets {
		parts = append(parts, c.line)
	}
	r := rand.New(rand.NewPCG(1, 2))
	lines := make([]string, n)
	for i := range lines {
		for range r.IntN(9) {
			lines[i] += parts[r.IntN(len(parts))]
		}
	}
	return lines
}

func linesOfFiles(t *testing.T) []string {
	t.Helper()
	paths, _ := filepath.Glob("../../testdata/views/*")
	var lines []string
	for _, path := range paths {
		if text, err := os.ReadFile(path); err == nil {
			lines = append(lines, strings.SplitN(string(text), "\n", 500)...)
		}
	}
	if len(lines) == 0 {
		t.Fatal("no files")
	}
	return lines
}
