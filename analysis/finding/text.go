package finding

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/jstall/jstall/threaddump"
)

const (
	unnamed        = "a thread without a name"
	unnamedVirtual = "virtual #" // before the id of a virtual thread
)

// PossibleHolder begins the description of threads that may hold what others wait for, which no dump proves.
const PossibleHolder = "possible holder"

const (
	longestName = 60 // in characters, of a name in a sentence
	nameTail    = 24 // the part of it after what is left out of a longer name
)

// QuoteName quotes a thread's name for a sentence: control characters are escaped, the middle of long names is left
// out. Two different names that are cut may look the same: see [ThreadRef.Called].
func QuoteName(name string) string {
	if name == "" {
		return unnamed
	}
	if isCut(name) {
		all := []rune(name)
		name = string(all[:longestName-1-nameTail]) + "…" + string(all[len(all)-nameTail:])
	}
	return strconv.Quote(name)
}

// isCut reports whether a name is too long to be quoted in full.
func isCut(name string) bool { return utf8.RuneCountInString(name) > longestName }

// Called is the thread's name for a sentence, in quotes; "virtual #31" for a virtual thread without a name. A name that
// is cut is followed by the thread's id.
func (r ThreadRef) Called() string {
	switch {
	case r.Name == "" && r.ID != 0 && r.NativeID == 0:
		return unnamedVirtual + strconv.FormatInt(r.ID, 10)
	}
	return QuoteName(r.Name) + r.Mark()
}

// Mark is the id that follows a cut name to distinguish threads: " #31", " (nid 4711)", or nothing.
func (r ThreadRef) Mark() string {
	switch {
	case !isCut(r.Name):
		return ""
	case GivenID(r.ID):
		return fmt.Sprintf(" #%d", r.ID)
	case r.NativeID != 0:
		return fmt.Sprintf(" (nid %d)", r.NativeID)
	}
	return ""
}

// GivenID reports whether the id is from a JVM. An id that is missing or derived from a name should not be shown.
func GivenID(id int64) bool { return id != 0 && !threaddump.IsMadeID(id) }

// ThreadsNamed describes threads by the pattern of their names.
func ThreadsNamed(pattern string) string {
	if pattern == "" {
		return "threads without a name"
	}
	return "threads named " + quotePattern(pattern)
}

// ExecutorNamed names an executor by the pattern of its threads' names.
func ExecutorNamed(pattern string) string {
	if pattern == "" {
		return "an executor whose threads have no names"
	}
	return quotePattern(pattern)
}

// ExecutorCalled is ExecutorNamed for sentences that do not mention an executor before: `executor "pool-1-thread-*"`.
func ExecutorCalled(pattern string) string {
	if pattern == "" {
		return ExecutorNamed(pattern)
	}
	return "executor " + ExecutorNamed(pattern)
}

// quotePattern quotes a pattern of names with * for each number.
func quotePattern(pattern string) string { return QuoteName(strings.ReplaceAll(pattern, "#", "*")) }

// QuoteNames lists names, the first three of them in full.
func QuoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = QuoteName(n)
	}
	return Listed(quoted)
}

// Listed joins the first three of some words, and counts the rest.
func Listed(words []string) string {
	const shown = 3
	switch n := len(words); {
	case n > 1 && !slices.ContainsFunc(words, func(w string) bool { return w != unnamed }):
		return "all without a name"
	case n > 1 && !slices.ContainsFunc(words, func(w string) bool { return w != words[0] }):
		return fmt.Sprintf("%s × %s", Thousands(n), words[0])
	case n > shown && !slices.ContainsFunc(words, isNamed):
		return fmt.Sprintf("%s × %s…", Thousands(n), words[0])
	case n > shown:
		return strings.Join(words[:shown], ", ") + fmt.Sprintf(" and %d more", n-shown)
	case n > 1:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// isNamed reports whether a word is not the label of a virtual thread without a name.
func isNamed(word string) bool { return !strings.HasPrefix(word, unnamedVirtual) }

// Counted formats a number of things: "1 thread", "3 threads".
func Counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Thousands(n) + " " + thing + "s"
}

// Thousands is a number with its thousands apart: 12,345.
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// AllWords formats a whole number of things, two at least: "both workers", "all 3 workers".
func AllWords(n int, thing string) string {
	if n == 2 {
		return "both " + thing + "s"
	}
	return "all " + Counted(n, thing)
}

// Percent formats a share of one core.
func Percent(share float64) string {
	switch p := share * 100; {
	case p >= 10:
		return fmt.Sprintf("%.0f %%", p)
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

// CoresUsed formats an amount of CPU: percent of a core up to one core, then cores.
func CoresUsed(share float64) string {
	if share < 1.05 {
		return Percent(share) + " of a core"
	}
	return fmt.Sprintf("%.1f cores", share)
}

// Seconds is "0.4 s", and "12 s" from ten seconds on.
func Seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// LongTime is "45 s", "12 min", "15.8 h".
func LongTime(d time.Duration) string {
	const minutes, hours = 2 * time.Minute, 2 * time.Hour
	switch {
	case d < minutes:
		return Seconds(d)
	case d < hours:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

// Hex is an address as HotSpot prints it: "0x000000076ab0c1d8".
func Hex(address uint64) string { return fmt.Sprintf("0x%016x", address) }

// Verb is the form of a verb for n things: one or more.
func Verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// CountIf is 1 if b holds, else 0: a term of a count.
func CountIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Rounded rounds to the measured precision.
func Rounded(v, perUnit float64) *float64 {
	v = math.Round(v*perUnit) / perUnit
	return &v
}
