package analysis

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"jstall/threaddump"
)

const unnamed = "a thread without a name"

// quoteName quotes a thread's name for a sentence: control characters escaped,
// long names shortened.
func quoteName(name string) string {
	const longest = 60
	if utf8.RuneCountInString(name) > longest {
		name = string([]rune(name)[:longest-1]) + "…"
	}
	if name == "" {
		return unnamed
	}
	return strconv.Quote(name)
}

// threadsNamed words threads by the pattern of their names.
func threadsNamed(pattern string) string {
	if pattern == "" {
		return "threads without a name"
	}
	return "threads named " + quoteName(pattern)
}

// executorNamed words an executor by the pattern of its threads' names.
func executorNamed(pattern string) string {
	if pattern == "" {
		return "an executor whose threads have no names"
	}
	return quoteName(pattern)
}

// quoteNames lists names, the first three of them in full.
func quoteNames(names []string) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = quoteName(n)
	}
	return listed(quoted)
}

// called is the thread's name in quotes, of a virtual thread without one "virtual #31".
func (t *Thread) called() string {
	if t.Virtual && t.Name == "" {
		return fmt.Sprintf("virtual #%d", t.ID)
	}
	return quoteName(t.Name)
}

// quoteThreads lists threads as quoteNames does names.
func quoteThreads(samples []*Sample) string {
	quoted := make([]string, len(samples))
	for i, s := range samples {
		quoted[i] = s.Thread.called()
	}
	return listed(quoted)
}

// listed joins the first three of some words, and counts the rest.
func listed(words []string) string {
	const shown = 3
	switch n := len(words); {
	case n > 1 && !slices.ContainsFunc(words, func(w string) bool { return w != unnamed }):
		return "all without a name"
	case n > 1 && !slices.ContainsFunc(words, func(w string) bool { return w != words[0] }):
		return fmt.Sprintf("%s × %s", Thousands(n), words[0])
	case n > shown:
		return strings.Join(words[:shown], ", ") + fmt.Sprintf(" and %d more", n-shown)
	case n > 1:
		return strings.Join(words[:n-1], ", ") + " and " + words[n-1]
	}
	return strings.Join(words, "")
}

// Counted words a number of things: "1 thread", "3 threads".
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

// allOf words a whole number of things, two at least: "both workers", "all 3 workers".
func allOf(n int, thing string) string {
	if n == 2 {
		return "both " + thing + "s"
	}
	return "all " + Counted(n, thing)
}

// percent words a share of one core.
func percent(share float64) string {
	switch p := share * 100; {
	case p >= 10:
		return fmt.Sprintf("%.0f %%", p)
	default:
		return fmt.Sprintf("%.1f %%", p)
	}
}

// coresUsed words an amount of CPU: percent of a core up to one core, then cores.
func coresUsed(share float64) string {
	if share < 1.05 {
		return percent(share) + " of a core"
	}
	return fmt.Sprintf("%.1f cores", share)
}

func seconds(d time.Duration) string {
	if d < 10*time.Second {
		return fmt.Sprintf("%.1f s", d.Seconds())
	}
	return fmt.Sprintf("%.0f s", d.Seconds())
}

// longTime is "45 s", "12 min", "15.8 h".
func longTime(d time.Duration) string {
	const minutes, hours = 2 * time.Minute, 2 * time.Hour
	switch {
	case d < minutes:
		return seconds(d)
	case d < hours:
		return fmt.Sprintf("%.0f min", d.Minutes())
	}
	return fmt.Sprintf("%.1f h", d.Hours())
}

func hex(address uint64) string { return fmt.Sprintf("0x%016x", address) }

// text is the lock's line as HotSpot prints it: with the object's address in a
// text dump, with its identity hash in a dump that Java code wrote.
func (l *lock) text(instant bool) string {
	object := fmt.Sprintf("<%s> (a %s)", hex(l.address), l.class)
	if !instant {
		object = fmt.Sprintf("<%s@%x>", l.class, l.address)
	}
	switch l.op {
	case threaddump.WaitingToLock:
		return "- waiting to lock " + object
	case threaddump.WaitingOn:
		if l.address == 0 {
			return "- waiting on <no object reference available>"
		}
		return "- waiting on " + object
	case threaddump.WaitingToRelock:
		return "- waiting to re-lock in wait() " + object
	case threaddump.Parking:
		if !instant {
			return "- parking to wait for " + object
		}
		return "- parking to wait for  " + object
	case threaddump.Locked:
		return "- locked " + object
	case threaddump.Eliminated:
		if l.address == 0 {
			return "- eliminated <owner is scalar replaced> (a " + l.class + ")"
		}
		return "- eliminated " + object
	case threaddump.OwnsSynchronizer:
		return "- " + object
	case threaddump.WaitingForClassInit:
		return "- waiting on the Class initialization monitor for " + l.class
	}
	return "- " + l.class
}

// place words a frame's source: "OrderService.java:42", empty if unknown.
func place(file string, line int) string {
	switch {
	case file == "":
		return ""
	case line <= 0:
		return file
	}
	return file + ":" + strconv.Itoa(line)
}

// where words where a thread stands: "at Class.method (File.java:42)", empty if the
// application has no frame there.
func (r ThreadRef) where() string {
	if r.Frame == "" {
		return ""
	}
	if p := place(r.File, r.Line); p != "" {
		return "at " + r.Frame + " (" + p + ")"
	}
	return "at " + r.Frame
}
