package facts

import (
	"slices"

	"jstall/analysis/facts/resources"
	"jstall/analysis/timeline"
)

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
