package render

import (
	"testing"

	"github.com/jstall/jstall/analysis"
)

// TestOverheadOfDumpsFromMemory: reading memory stops nothing; what the JVM gave before has a pause.
func TestOverheadOfDumpsFromMemory(t *testing.T) {
	pause := 0.0042
	for want, c := range map[string]analysis.Capture{
		"; JVM not paused; no files left behind": {},
		"; JVM paused at most 4.20 ms (time of the requests: the JVM has no counters); no files left behind": {
			Given: 1, PauseSeconds: &pause, PauseFrom: "requests"},
	} {
		if got := memoryCost(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
