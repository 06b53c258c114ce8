package redact

import (
	"cmp"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// secretsOf are the secrets of matches in a line.
func secretsOf(r *Rule, line string, matches [][]int) (all [][2]int) {
	for _, m := range matches {
		if from, to := r.secret([]byte(line), m); from < to {
			all = append(all, [2]int{from, to})
		}
	}
	return all
}

// What a rule finds near its needles is what its expression finds in the whole line.
func TestNearFindsWhatTheExpressionFinds(t *testing.T) {
	rules, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	n := newNeedles(rules)
	lines := append(mixedLines(3_000), linesOfFiles(t)...)
	nears := 0
	for i := range rules {
		r := &rules[i]
		if r.near == nil {
			continue
		}
		nears++
		found := 0
		made := samples(t, r.pattern().String(), 200)
		for i := range made {
			made[i] += "=a1b2c3"
		}
		for _, line := range append(made, lines...) {
			var set ruleSet
			f := finder{scratch: &scratch{}, places: n.texts(nil, []byte(line), appendLower(nil, []byte(line)), &set)}
			f.places = n.shapes(f.places, []byte(line), &set)
			if !slices.Contains(slices.Collect(set.all), i) {
				continue // a made-up text without the vendor's name
			}
			got := secretsOf(r, line, r.places(nil, []byte(line), f.begins(r, i)))
			want := secretsOf(r, line, r.pattern().FindAllStringSubmatchIndex(line, -1))
			found += len(want)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s %s\nin %q: %v, want %v", r.Kind, r.pattern(), line, got, want)
			}
		}
		if found == 0 {
			t.Errorf("%s: no match proves nothing", r.pattern())
		}
	}
	if nears < 40 {
		t.Errorf("only %d rules", nears)
	}
}

// A match is found in the whole of what it is in, be it long or behind another.
func TestNear(t *testing.T) {
	for expression, lines := range map[string][]string{
		`\buser=\w+`:    {"user=a", "xuser=a user=b", "é user=é user=b", "user=" + strings.Repeat("x", 5000) + " user=c"},
		`^user`:         {"user user", " user"},
		`user$`:         {"user user", strings.Repeat("x", 3000) + "user"},
		`\Buser`:        {"xuser user", "user"},
		`(?:by|)-?user`: {"by-user -user user"},
		`.{16}user`:     {strings.Repeat("x", 15) + "user" + strings.Repeat("y", 17) + "user"},
	} {
		for _, line := range lines {
			var begins []int
			for at := range line {
				if strings.HasPrefix(line[at:], "user") {
					begins = append(begins, at)
				}
			}
			got := newNear(expression, 16).places(nil, []byte(line), begins)
			want := regexp.MustCompile(expression).FindAllStringSubmatchIndex(line, -1)
			if !reflect.DeepEqual(got, want) {
				t.Errorf("%s in %q: %v, want %v", expression, line, got, want)
			}
		}
	}
}

// The matcher finds all that is there: needles that overlap, begin others, and are in any case.
func TestTheMatcherFindsEveryNeedle(t *testing.T) {
	rules, err := ParseRules("a\tpass pas ss assword x\tx\nb\tpass wor\tx")
	if err != nil {
		t.Fatal(err)
	}
	var set ruleSet
	line := []byte("PASSword Spass x")
	got := newNeedles(rules).texts(nil, line, appendLower(nil, line), &set)
	var want []place
	for i, r := range rules {
		for _, text := range r.needles {
			for at := range line {
				if strings.HasPrefix(strings.ToLower(string(line))[at:], text) {
					want = append(want, place{i, at})
				}
			}
		}
	}
	byPlace := func(a, b place) int { return cmp.Or(a.rule-b.rule, a.at-b.at) }
	slices.SortFunc(got, byPlace)
	slices.SortFunc(want, byPlace)
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
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
		n.texts(nil, []byte(line), appendLower(nil, []byte(line)), &set)
		n.shapes(nil, []byte(line), &set)
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
