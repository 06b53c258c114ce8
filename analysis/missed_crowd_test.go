package analysis

import (
	"fmt"
	"strings"
	"testing"

	"jstall/threaddump"
)

// Those that wait at one place, each for something of its own, are one finding; few are
// not, and those at another place are not among them.
func TestACrowdIsOneFinding(t *testing.T) {
	waiters := func(n int) []*threaddump.Thread {
		all := []*threaddump.Thread{thread(1, "other", at("Door.open", "Door.pass", "Door.main"), waiting(0x99), used(0, 900))}
		for i := range n {
			all = append(all, thread(int64(10+i), fmt.Sprintf("visitor-%d", 10+i),
				at("News.listen", "News.attend", "News.visit"), waiting(uint64(0x1000+16*i)), used(0, 900)))
		}
		return all
	}
	for n, want := range map[int]int{3: 4, 20: 2} {
		r := diagnose(observe(0, waiters(n)...), observe(2, waiters(n)...))
		var titles []string
		for _, f := range r.Findings {
			titles = append(titles, f.Title)
		}
		if len(titles) != want {
			t.Errorf("%d threads: %q", n, titles)
		}
		if crowd := fmt.Sprintf("%d threads wait each for a notify", n); n > crowdLeast && !strings.HasPrefix(titles[0], crowd) {
			t.Errorf("%q", titles)
		}
	}
}
