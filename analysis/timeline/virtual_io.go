package timeline

import (
	"slices"
	"strings"

	"jstall/analysis/stack"
)

// CarriersRested reports that no worker which may run virtual threads used any CPU over
// a capture long enough: none of these threads has moved then.
func CarriersRested(f *Timeline) bool {
	if wall := f.Wall(); !wall.Known || wall.Value < stack.IOLeast {
		return false
	}
	return !slices.ContainsFunc(f.Alive(), func(h *History) bool {
		worker := strings.HasPrefix(h.Thread.Name, "ForkJoinPool-") && strings.Contains(h.Thread.Name, "-worker-")
		return (worker || Carries(h.Last())) && (!h.CPU.Known || h.CameRound())
	})
}
