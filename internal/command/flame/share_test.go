package flame

import (
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/profile"
)

// TestAProfileSaysWhyItCostMore: what the last lines say of one that cost its target more than it was to.
func TestAProfileSaysWhyItCostMore(t *testing.T) {
	const above = "more than the 2 % of --max-pause-share: "
	dear := profile.Sampled{Samples: 2, Elapsed: time.Second, Pause: 40 * time.Millisecond, Lost: 50 * time.Millisecond,
		Longest: 30 * time.Millisecond, FromCounters: true, Share: 0.02}
	for name, c := range map[string]struct {
		change func(*profile.Sampled)
		want   string
	}{
		"two dumps":        {func(*profile.Sampled) {}, above + "a profile needs two dumps. Use -d 3s or longer"},
		"a dear one":       {func(d *profile.Sampled) { d.Samples = 5 }, above + "single dumps took longer"},
		"an early end":     {func(d *profile.Sampled) { d.Gone = true }, above + "the profile ended early"},
		"without counters": {func(d *profile.Sampled) { d.FromCounters = false }, "counters). The target lost 50.0 ms"},
		"within":           {func(d *profile.Sampled) { d.Lost = 19 * time.Millisecond }, ""},
		"chosen interval":  {func(d *profile.Sampled) { d.Share = 0 }, ""},
	} {
		done := dear
		c.change(&done)
		got := pauseNote(done)
		if c.want == "" && strings.Contains(got, "--max-pause-share") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %s", name, got)
		}
	}
}
