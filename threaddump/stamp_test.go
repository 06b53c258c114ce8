package threaddump

import (
	"slices"
	"testing"
)

// A dump in a log has the time of the log line above it, or of the prefix of its lines.
func TestTheTimeOfADumpInALog(t *testing.T) {
	const thread = "\"a\" prio=5 Id=12 WAITING on java.lang.Object@1\n" +
		"\tat java.base@11/java.lang.Object.wait(Native Method)\n\tat app//App.run(App.java:7)\n\n"
	for name, c := range map[string]struct {
		log  string
		want []string
	}{
		"lines above": {"2026-04-14 02:00:13.402 WARN no progress\n" + thread +
			"2026-04-14T02:01:13,402 WARN no progress\n" + thread,
			[]string{"2026-04-14 02:00:13.402", "2026-04-14 02:01:13.402"}},
		"brackets":         {"[2026-04-14T02:00:13] no progress\n" + thread, []string{"2026-04-14 02:00:13"}},
		"no time":          {"no progress at 2026-04-14 02:00:13\n" + thread, []string{""}},
		"no line above":    {thread, []string{""}},
		"another line too": {"2026-04-14 02:00:13 WARN no progress\nthreads:\n" + thread, []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			dumps, err := Parse([]byte(c.log))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range dumps {
				at := ""
				if !d.Logged.IsZero() {
					at = d.Logged.Format("2006-01-02 15:04:05.999")
				}
				got = append(got, at)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
