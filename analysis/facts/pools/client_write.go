package pools

import (
	"slices"

	"jstall/analysis/timeline"
)

// AllWriteToClients reports workers all of which wait so.
func (p *Pool) AllWriteToClients() bool {
	return !slices.ContainsFunc(p.Busy, func(h *timeline.History) bool { return !h.Last().WritesToClient() })
}
