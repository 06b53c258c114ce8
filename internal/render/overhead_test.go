package render

import (
	"testing"

	"jstall/analysis"
)

// TestOverheadOfDumpsFromMemory tells of threads that were stopped, and says so if none was.
func TestOverheadOfDumpsFromMemory(t *testing.T) {
	total, longest := 0.0042, 0.0021
	for want, c := range map[string]analysis.Capture{
		"; JVM not paused; no files left behind": {},
		"; running threads paused one at a time, 4.20 ms in total, longest 2.10 ms; no files left behind": {
			PauseSeconds: &total, LongestPauseSeconds: &longest, PauseFrom: "stops"},
	} {
		if got := memoryCost(c); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
