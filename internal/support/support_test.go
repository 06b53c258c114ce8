package support

import (
	"testing"
	"time"
)

func day(t *testing.T, text string) time.Time {
	t.Helper()
	d, err := time.Parse(time.DateOnly, text)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The days that these builds give of themselves in their release files.
func TestDueDaysAreThoseOfRealReleases(t *testing.T) {
	table, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for version, want := range map[string]string{
		"17.0.15+6": "2025-04-15", "25.0.3+9": "2026-04-21", "21.0.1": "2023-10-17", "11.0.1": "2018-10-16",
		"17": "2021-09-14", "1.8.0_292": "2021-04-20", "1.8.0_402": "2024-01-16", "1.8.0_452-b09": "2025-04-15",
		"26.0.2+8": "2026-07-21",
	} {
		major := map[byte]int{'1': 0, '2': 0}[version[0]]
		for _, m := range []int{8, 11, 17, 21, 25, 26} {
			if l, ok := table.Line(m); ok && l.Due(version).Format(time.DateOnly) == want && prefix(version, m) {
				major = m
			}
		}
		if major == 0 {
			t.Errorf("%s: not due on %s", version, want)
		}
	}
}

func prefix(version string, major int) bool {
	if major == 8 {
		return version[:3] == "1.8"
	}
	return version[:2] == time.Date(2000+major, 1, 1, 0, 0, 0, 0, time.UTC).Format("06")
}

func TestEnds(t *testing.T) {
	table, err := Shipped()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		maker, by, day string
		major          int
	}{
		{"Eclipse Adoptium", "Eclipse Temurin", "2031-09-30", 25},
		{"SAP SE", "SapMachine", "2026-09-30", 17},
		{"Amazon.com Inc.", "Amazon Corretto", "2030-12-31", 8},
		{"Debian", "Eclipse Temurin (no date known for Debian)", "2027-10-31", 17},
		{"Azul Systems, Inc.", "Eclipse Temurin (no date known for Azul Systems, Inc.)", "2027-10-31", 11},
		{"Oracle Corporation", "the release of 20", "2023-03-21", 19},
	} {
		l, ok := table.Line(c.major)
		if !ok {
			t.Fatalf("no line %d", c.major)
		}
		if got, by := table.Ends(c.maker, l); by != c.by || got != day(t, c.day) {
			t.Errorf("%s %d: %s by %s, want %s by %s", c.maker, c.major, got.Format(time.DateOnly), by, c.day, c.by)
		}
	}
	if _, ok := table.Line(99); ok {
		t.Error("a line that is not there")
	}
}

func TestTablesThatAreNone(t *testing.T) {
	for _, text := range []string{"", "line\t8\t2014-03-18", "compared\tyesterday", "line\t8", "vendor\tA\tA\t8",
		"vendor\tA\tA\t8=soon", "what\tis\tthis"} {
		if _, err := parse(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func FuzzDue(f *testing.F) {
	f.Add("17.0.15+6", 17)
	f.Fuzz(func(t *testing.T, version string, major int) {
		l := Line{Major: major, Released: time.Date(2021, 9, 14, 0, 0, 0, 0, time.UTC)}
		if due := l.Due(version); !due.IsZero() && major >= 11 && due.Before(l.Released) {
			t.Errorf("%q is due on %s, before its line", version, due)
		}
	})
}
