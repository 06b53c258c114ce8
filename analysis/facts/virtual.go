package facts

import (
	"slices"

	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// OnlyVirtual keeps the findings of what Java code wrote that are about virtual threads, and adds to the platform
// threads in them what the other dumps tell of these.
func OnlyVirtual(f *timeline.Timeline, found []finding.Candidate) []finding.Candidate {
	return slices.DeleteFunc(found, func(c finding.Candidate) bool {
		virtual := false
		for _, refs := range [][]finding.ThreadRef{c.Culprits, c.Victims} {
			for i := range refs {
				if h := f.ByKey.Of(timeline.Key{ID: refs[i].ID}); h != nil {
					refs[i].NativeID, refs[i].CPUPercent = h.Thread.NativeID, timeline.InPercent(h.Share())
				} else if h := f.Written.ByKey.Of(timeline.Key{ID: refs[i].ID}); h != nil && h.Thread.Virtual {
					virtual = true
				}
			}
		}
		return !virtual
	})
}
