package cli

import (
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/capture"
)

// TestAProfileSaysWhyItCostMore: what the last lines say of one that cost its target more than it was to.
func TestAProfileSaysWhyItCostMore(t *testing.T) {
	const above = "more than the 2 % of --max-pause-share: "
	dear := capture.Sampled{Samples: 2, Elapsed: time.Second, Pause: 40 * time.Millisecond, Lost: 50 * time.Millisecond,
		Longest: 30 * time.Millisecond, FromCounters: true, Share: 0.02}
	for name, c := range map[string]struct {
		change func(*capture.Sampled)
		want   string
	}{
		"two dumps":        {func(*capture.Sampled) {}, above + "a profile needs two dumps. Use -d 3s or longer"},
		"a dear one":       {func(d *capture.Sampled) { d.Samples = 5 }, above + "single dumps took longer"},
		"an early end":     {func(d *capture.Sampled) { d.Gone = true }, above + "the profile ended early"},
		"without counters": {func(d *capture.Sampled) { d.FromCounters = false }, "counters). The target lost 50.0 ms"},
		"within":           {func(d *capture.Sampled) { d.Lost = 19 * time.Millisecond }, ""},
		"chosen interval":  {func(d *capture.Sampled) { d.Share = 0 }, ""},
	} {
		done := dear
		c.change(&done)
		got := pauseNote(done)
		if c.want == "" && strings.Contains(got, "--max-pause-share") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
