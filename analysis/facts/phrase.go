package facts

import (
	"cmp"

	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/resources"
	"jstall/analysis/finding"
	"jstall/analysis/timeline"
)

// Phrase is that of the sample; it names the thread that is joined where but one can
// be meant, the other end of I/O where the kernel tells it, and native code that rests.
func (f *Facts) Phrase(s *timeline.Sample) string {
	if name := f.Joined(s); name != "" {
		return "waits for " + finding.QuoteName(name) + " to end"
	}
	if h := f.History(s); timeline.IsIO(s) && h != nil && h.Last() == s {
		w := iowaits.Waiter{H: h, Op: s.Stack.Op.Kind, Children: iowaits.Children(f.Timeline)}
		w.LookAtFile(f.Waits)
		return "waits " + w.Words()
	}
	if seen := f.AsPrinted(s); seen != nil {
		return cmp.Or(f.BesideFacts, f).Phrase(seen)
	}
	if f.RestsInNative(s) {
		return "is in native code, with next to no CPU"
	}
	return resources.Phrase(s)
}
