package facts

import (
	"slices"

	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// OnlyVirtual keeps the findings of what Java code wrote that are about virtual
// threads, with what only the other dumps tell of the platform threads in them. Where no
// carrier has run one over the capture, a full queue was full throughout.
func OnlyVirtual(f *timeline.Timeline, kind finding.Kind, found []finding.Candidate) []finding.Candidate {
	for i := range found {
		if c := &found[i]; kind == finding.KindQueueFull && c.Severity == finding.Info &&
			len(c.Culprits)+len(c.Victims) > 1 && timeline.CarriersRested(f) {
			c.Severity, c.Confidence = finding.Warning, finding.Likely
		}
	}
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
