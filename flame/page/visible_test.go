package page

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisible(t *testing.T) {
	for name, want := range map[string]string{
		"a.B.c": "a.B.c", "": "", "größe 火": "größe 火", "a\nb\tc": `a\nb\tc`, "\x1b[31m": `\u001b[31m`,
		"a\u202eb":   `a\u202eb`,
		"\U000E0041": `\U000e0041`, "\xff": "\uFFFD", "</script>": "</script>", "\u200b": `\u200b`,
	} {
		if got := visible(name); got != want {
			t.Errorf("visible(%q) is %q, want %q", name, got, want)
		}
	}
	long := visible(strings.Repeat("火", 10_000))
	if len(long) > maxName+3 || !utf8.ValidString(long) || !strings.HasSuffix(long, "火…") {
		t.Errorf("a long name has %d bytes and ends in %q", len(long), long[len(long)-9:])
	}
}
