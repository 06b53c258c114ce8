package flame

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/google/pprof/profile"
)

// Collapsed writes a line per stack, outermost frame first: "a;b;c 12". A
// difference has two numbers on each, the base's and the profile's, as difffolded.pl
// has them. Stacks of no weight are left out.
func Collapsed(w io.Writer, p *profile.Profile, index int) error {
	lines := map[string][2]int64{}
	for _, s := range p.Sample {
		if s.Value[index] == 0 {
			continue
		}
		names := functions(s)
		words := make([]string, len(names))
		for i, f := range names {
			words[i] = escapeCollapsed(f.Name)
		}
		key := strings.Join(words, ";")
		sum := lines[key]
		if isBase(s) {
			sum[0] -= s.Value[index]
		} else {
			sum[1] += s.Value[index]
		}
		lines[key] = sum
	}
	return writeCollapsed(w, lines, IsDiff(p))
}

func writeCollapsed(w io.Writer, lines map[string][2]int64, diff bool) error {
	out := bufio.NewWriter(w)
	for _, stack := range slices.Sorted(maps.Keys(lines)) {
		if sum := lines[stack]; diff {
			_, _ = fmt.Fprintf(out, "%s %d %d\n", stack, sum[0], sum[1])
		} else {
			_, _ = fmt.Fprintf(out, "%s %d\n", stack, sum[1])
		}
	}
	return out.Flush()
}

// escapeCollapsed keeps a name within its frame and its line: a semicolon becomes
// a comma, what is no visible character an escape, and a blank one a question mark.
func escapeCollapsed(name string) string {
	plain := true
	for _, r := range name {
		plain = plain && r != ';' && (r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r))
	}
	if plain && strings.TrimSpace(name) != "" {
		return name
	}
	var b strings.Builder
	for _, r := range name {
		switch {
		case r == ';':
			b.WriteByte(',')
		case r == ' ' || unicode.IsGraphic(r) && !unicode.IsSpace(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	if strings.TrimSpace(b.String()) == "" {
		return "?"
	}
	return b.String()
}

// collapsedLine takes "a;b c;d 12" apart. The error continues the words "line 7".
func collapsedLine(line string) (stack []string, count int64, err error) {
	line = strings.TrimRight(line, " \r\n\t")
	at := strings.LastIndexAny(line, " \t")
	if at < 1 || !isDigits(line[at+1:]) {
		return nil, 0, fmt.Errorf("is no collapsed stack: %.100q", line)
	}
	count, err = strconv.ParseInt(line[at+1:], 10, 64)
	if err != nil {
		return nil, 0, fmt.Errorf("has a weight over 2^63 - 1: %.30q", line[at+1:])
	}
	return strings.Split(strings.TrimRight(line[:at], " \t"), ";"), count, nil
}

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }
