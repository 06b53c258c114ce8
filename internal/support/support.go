// Package support has the release dates of the lines of Java, their quarterly updates, and the vendors' ends of
// support, from a dated table that is a part of jstall. Pure: the day comes from the caller.
package support

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"time"
)

//go:embed table.tsv
var shipped string

// Table has the facts about lines and vendors.
type Table struct {
	// Compared is the day on which it was last compared with the vendors' statements.
	Compared time.Time
	lines    []Line
	vendors  []vendor
}

// Line is a feature release with its updates.
type Line struct {
	Major    int
	Released time.Time
	LTS      bool
}

type vendor struct {
	name, sign string
	ends       map[int]time.Time
}

// Shipped is the table that is a part of jstall.
func Shipped() (*Table, error) { return parse(shipped) }

// parse reads a table; see table.tsv.
func parse(text string) (*Table, error) {
	t := &Table{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		if err := t.add(strings.Split(line, "\t")); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
	}
	if len(t.lines) == 0 || len(t.vendors) == 0 || t.Compared.IsZero() {
		return nil, fmt.Errorf("it has no lines, no vendors or no date")
	}
	return t, nil
}

func (t *Table) add(words []string) (err error) {
	switch {
	case words[0] == "compared" && len(words) == 2:
		t.Compared, err = time.Parse(time.DateOnly, words[1])
	case words[0] == "line" && (len(words) == 3 || len(words) == 4 && words[3] == "lts"):
		l := Line{LTS: len(words) == 4}
		if l.Major, err = strconv.Atoi(words[1]); err == nil {
			l.Released, err = time.Parse(time.DateOnly, words[2])
		}
		t.lines = append(t.lines, l)
	case words[0] == "vendor" && len(words) > 3:
		v := vendor{words[1], words[2], map[int]time.Time{}}
		for _, w := range words[3:] {
			if err = v.add(w); err != nil {
				return err
			}
		}
		t.vendors = append(t.vendors, v)
	default:
		return fmt.Errorf("%q is no row of this table", strings.Join(words, " "))
	}
	return err
}

// add reads "17=2027-10-31".
func (v vendor) add(word string) error {
	line, day, _ := strings.Cut(word, "=")
	major, err := strconv.Atoi(line)
	if err != nil {
		return err
	}
	v.ends[major], err = time.Parse(time.DateOnly, day)
	return err
}

// Line returns the line of a feature release; false if the table does not have it.
func (t *Table) Line(major int) (Line, bool) {
	for _, l := range t.lines {
		if l.Major == major {
			return l, true
		}
	}
	return Line{}, false
}

// Ends is the last day of support for a release line, and whose date that is: the vendor's of the JDK, or that of the
// first vendor of the table. Support of a line without LTS ends with the next release. The zero time means unknown.
func (t *Table) Ends(maker string, l Line) (day time.Time, by string) {
	if !l.LTS {
		for _, next := range t.lines {
			if next.Major == l.Major+1 {
				return next.Released, fmt.Sprintf("the release of %d", next.Major)
			}
		}
		return time.Time{}, ""
	}
	for _, v := range t.vendors {
		if day, ok := v.ends[l.Major]; ok && strings.Contains(maker, v.sign) {
			return day, v.name
		}
	}
	first := t.vendors[0]
	if maker == "" {
		maker = "its vendor"
	}
	return first.ends[l.Major], fmt.Sprintf("%s (no date known for %s)", first.name, maker)
}

// Updates returns the days of the line's quarterly updates up to a day: the third Tuesdays of January, April, July and
// October after the line's release. Up to 2020 some came a week earlier.
func (l Line) Updates(until time.Time) []time.Time {
	var days []time.Time
	for year := l.Released.Year(); year <= until.Year(); year++ {
		for _, month := range []time.Month{time.January, time.April, time.July, time.October} {
			if day := thirdTuesday(year, month); day.After(l.Released) && !day.After(until) {
				days = append(days, day)
			}
		}
	}
	return days
}

func thirdTuesday(year int, month time.Month) time.Time {
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	return first.AddDate(0, 0, (int(time.Tuesday)-int(first.Weekday())+7)%7+14)
}

// The updates of 8 are numbered by tens since 8u252, of April 2020.
const (
	first8, step8 = 252, 10
	year8, month8 = 2020, 4
)

// Due is the day on which a version is due according to its number, "17.0.15+6" or "1.8.0_504-b01"; the zero time if
// unknown.
func (l Line) Due(version string) time.Time {
	version, _, _ = strings.Cut(version, "+")
	version, _, _ = strings.Cut(version, "-")
	if _, update, ok := strings.Cut(version, "_"); ok && l.Major == 8 {
		n, err := strconv.Atoi(update)
		if err != nil || n < first8 {
			return time.Time{}
		}
		quarters := (n - first8) / step8
		month := month8 - 1 + 3*quarters
		return thirdTuesday(year8+month/12, time.Month(month%12+1))
	}
	parts := strings.Split(version, ".")
	if len(parts) < 3 {
		return l.Released
	}
	n, err := strconv.Atoi(parts[2])
	if err != nil || l.Major < 11 || n < 0 || n > 200 {
		return time.Time{}
	}
	if n == 0 {
		return l.Released
	}
	return l.Updates(l.Released.AddDate(0, 3*n+3, 0))[n-1]
}
