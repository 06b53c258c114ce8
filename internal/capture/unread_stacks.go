package capture

import (
	"fmt"
	"slices"
	"strings"

	"jstall/threaddump"
)

// mostNamed bounds how many threads a warning names.
const mostNamed = 3

// unreadStacks tells of which threads of a dump frames are missing, by the reason; nil if of none.
func unreadStacks(d *threaddump.Dump) []string {
	names := map[string][]string{}
	var reasons []string
	for _, t := range d.Threads {
		if t.Unread == "" {
			continue
		}
		if names[t.Unread] == nil {
			reasons = append(reasons, t.Unread)
		}
		names[t.Unread] = append(names[t.Unread], fmt.Sprintf("%q", t.Name))
	}
	slices.Sort(reasons)
	var warnings []string
	for _, reason := range reasons {
		all := names[reason]
		which := strings.Join(all[:min(len(all), mostNamed)], ", ")
		if rest := len(all) - mostNamed; rest > 0 {
			which += fmt.Sprintf(" and %d more", rest)
		}
		warnings = append(warnings, fmt.Sprintf("frames unknown in the last dump: %s: %s", which, reason))
	}
	return warnings
}
