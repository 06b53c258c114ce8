package shell

import (
	"strings"

	"github.com/xrash/smetrics"
)

// Dashed is a flag's name with its dashes.
func Dashed(name string) string {
	if len(name) > 1 {
		return "--" + name
	}
	return "-" + name
}

// Mistyped returns the first of the names that are closest to the word, empty if none is close.
func Mistyped(word string, names []string) string {
	near, least := "", 0
	for _, name := range names {
		limit := 1
		if len(name) > 4 {
			limit = 2
		}
		if d := smetrics.WagnerFischer(strings.ToLower(word), name, 1, 1, 1); d <= limit && (near == "" || d < least) {
			near, least = name, d
		}
	}
	return near
}

// IsLongFlag recognises two dashes and a name.
func IsLongFlag(arg string) bool {
	return len(arg) > 2 && arg[:2] == "--" && (arg[2] >= 'a' && arg[2] <= 'z' || arg[2] >= 'A' && arg[2] <= 'Z')
}

// FlagName is the name in a word such as --count=3.
func FlagName(arg string) string {
	name, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
	return name
}

// AfterDashes returns the words after "--", nil without "--".
func AfterDashes(args []string) []string {
	for i, arg := range args {
		if arg == "--" {
			return args[i+1:]
		}
	}
	return nil
}

// WordInName changes a word so that every system accepts it in a file name.
func WordInName(word string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' {
			return r
		}
		return '-'
	}, word)
}

// Plural returns the word in the form for n.
func Plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
