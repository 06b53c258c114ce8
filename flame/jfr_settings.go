package flame

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// samplePeriod is how often a recording of ours samples.
const samplePeriod = 10 * time.Millisecond

// Settings are the event settings (.jfc) of a recording for a profile: the events it
// is made of, and nothing else. JDKs pass over the events that they do not know.
func (e Event) Settings() string {
	names := make([]string, 0, len(weights[e]))
	for name := range weights[e] {
		if strings.HasPrefix(name, "jdk.") {
			names = append(names, name)
		}
	}
	if e == EventAlloc {
		names = append(names, threadStart, allocStatistics)
	}
	slices.Sort(names)
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<configuration version="2.0" label="jstall" description="one profile" provider="jstall">
`)
	for _, name := range append(names, activeSetting) {
		fmt.Fprintf(&b, "  <event name=%q>\n", name)
		for _, s := range settingsOf(name) {
			fmt.Fprintf(&b, "    <setting name=%q>%s</setting>\n", s[0], s[1])
		}
		b.WriteString("  </event>\n")
	}
	b.WriteString("</configuration>\n")
	return b.String()
}

// settingsOf are the settings of one event.
func settingsOf(name string) [][2]string {
	all := [][2]string{{"enabled", "true"}}
	period := fmt.Sprintf("%d ms", samplePeriod.Milliseconds())
	switch name {
	case activeSetting, threadStart:
	case allocStatistics:
		all = append(all, [2]string{"period", "beginChunk"})
	case cpuTimeSample:
		all = append(all, [2]string{"throttle", strings.ReplaceAll(period, " ", "")})
	case executionSample, nativeSample:
		all = append(all, [2]string{"period", period})
	case allocSample:
		all = append(all, [2]string{"throttle", "1000/s"}, [2]string{"stackTrace", "true"})
	case allocInTLAB, allocOutside:
		all = append(all, [2]string{"stackTrace", "true"})
	default:
		all = append(all, [2]string{"threshold", "100 us"}, [2]string{"stackTrace", "true"})
	}
	return all
}
