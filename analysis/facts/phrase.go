package facts

import (
	"cmp"
	"slices"

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

// HoldersWords words who holds what, and what they do meanwhile.
func (f *Facts) HoldersWords(holders []*timeline.Sample, evidence resources.HolderEvidence) string {
	who := resources.OfOnePool(holders)
	switch {
	case evidence == resources.InTransaction:
		return "possible holders: " + who + " inside a transaction"
	case len(holders) == 1:
		return who + " holds one and " + f.Phrase(holders[0])
	}
	return who + " hold one each" + f.EachOf(holders)
}

// EachOf words what each of several threads does, empty if they do different things.
func (f *Facts) EachOf(threads []*timeline.Sample) string {
	phrase := f.Phrase(threads[0])
	if slices.ContainsFunc(threads, func(s *timeline.Sample) bool { return f.Phrase(s) != phrase }) {
		return ""
	}
	return "; each of them " + phrase
}

// Doing words what threads do that hold others up, if all do the same.
func (f *Facts) Doing(holders []*timeline.Sample) string {
	phrase := f.Phrase(holders[0])
	for _, h := range holders {
		if f.Phrase(h) != phrase {
			return "they do different things"
		}
	}
	if len(holders) > 1 {
		return "each of them " + phrase
	}
	return "it " + phrase
}

func SeemsOf(holders []*timeline.Sample) string {
	if len(holders) == 1 {
		return timeline.QuoteThreads(holders) + " seems"
	}
	return timeline.QuoteThreads(holders) + " seem"
}
