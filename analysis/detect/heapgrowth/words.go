package heapgrowth

import (
	"fmt"

	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// told is what was in use, and when.
func (g growing) told() string {
	if g.unseen {
		return fmt.Sprintf("in use after the last collection, %s after the start: %s", finding.Seconds(g.span),
			timeline.Megabytes(g.to))
	}
	return fmt.Sprintf("in use after collections: %s, then %s", timeline.Megabytes(g.from), timeline.Megabytes(g.to))
}
