package finding_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/jstall/jstall/analysis/finding"
)

// Cut names differ where the names do, wherever that is, and are not longer than asked for.
func TestDistinctNames(t *testing.T) {
	long := strings.Repeat("settlement-", 9)
	for name, test := range map[string]struct{ names, want []string }{
		"short ones stay": {[]string{"a", "b"}, []string{"a", "b"}},
		"in the middle": {
			[]string{"begin-" + long + "east" + long + "-end", "begin-" + long + "west" + long + "-end"},
			[]string{"begin-sett…ea…ement--end", "begin-sett…we…ement--end"}},
		"at the beginning": {[]string{"north" + long, "south" + long},
			[]string{"northsettle…-settlement-", "southsettle…-settlement-"}},
		"at the end": {[]string{long + "north", long + "south"},
			[]string{"settlement-s…ement-north", "settlement-s…ement-south"}},
		"one that goes on": {[]string{long, long + "1"}, nil},
		"non-ASCII":        {[]string{strings.Repeat("ä", 40) + "ö" + long, strings.Repeat("ä", 40) + "ü" + long}, nil},
	} {
		got := finding.Distinct(test.names, 24)
		if test.want != nil && !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
		if got[0] == got[1] {
			t.Errorf("%s: both are %q", name, got[0])
		}
		for _, n := range got {
			if utf8.RuneCountInString(n) > 24 {
				t.Errorf("%s: %q has %d characters", name, n, utf8.RuneCountInString(n))
			}
		}
	}
}
