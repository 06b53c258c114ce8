package observe

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/threaddump"
)

// mostNamed bounds how many threads a warning names.
const mostNamed = 3

// unreadStacks notes which frames a dump from memory lacks, and which places are approximate.
func unreadStacks(d *threaddump.Dump) []string {
	unread := wordReasons(d, "frames unknown", func(t *threaddump.Thread) string { return t.Unread })
	return append(unread,
		wordReasons(d, "read while running", func(t *threaddump.Thread) string { return t.Approximate })...)
}

// wordReasons names the threads of each reason.
func wordReasons(d *threaddump.Dump, what string, reasonOf func(*threaddump.Thread) string) []string {
	names := map[string][]string{}
	var reasons []string
	for _, t := range d.Threads {
		reason := reasonOf(t)
		if reason == "" {
			continue
		}
		if names[reason] == nil {
			reasons = append(reasons, reason)
		}
		names[reason] = append(names[reason], fmt.Sprintf("%q", t.Name))
	}
	slices.Sort(reasons)
	var warnings []string
	for _, reason := range reasons {
		all := names[reason]
		which := strings.Join(all[:min(len(all), mostNamed)], ", ")
		if rest := len(all) - mostNamed; rest > 0 {
			which += fmt.Sprintf(" and %d more", rest)
		}
		warnings = append(warnings, fmt.Sprintf("%s in the last dump: %s: %s", what, which, reason))
	}
	return warnings
}
