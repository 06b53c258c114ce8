package timeline

import (
	"slices"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
)

// BlameWork names threads by the place where most dumps show them, with evidence from there.
func BlameWork(f *Timeline, threads []*History) (refs []finding.ThreadRef, evidence []finding.Evidence) {
	for _, h := range threads {
		h = h.OnCPU()
		s := h.working()
		r := f.Ref(s)
		r.State = h.Last().Shown().String()
		refs = append(refs, r)
		if e, ok := WorkEvidence(f, h, s); ok {
			evidence = append(evidence, e)
		}
	}
	return refs, evidence
}

// working is the dominant sample of those that run in the application, else the dominant one of all.
func (h *History) working() *Sample {
	if s := h.Most(func(s *Sample) bool { return s.Stack.Application != nil && s.Wait == stack.Running }); s != nil {
		return s
	}
	return h.Dominant()
}

// Dominant is the thread's last sample with the work that most of its samples have; on a tie the later one. Samples
// between two tasks count only if there are no others.
func (h *History) Dominant() *Sample {
	if s := h.Most(func(s *Sample) bool { return s.Stack.Application != nil }); s != nil {
		return s
	}
	return h.Last()
}

// Most is the last of the samples with the most frequent work, among those for which holds is true; nil if there are
// none such.
func (h *History) Most(holds func(*Sample) bool) *Sample {
	times := map[string]int{}
	var best *Sample
	for _, s := range h.Samples {
		if !holds(s) {
			continue
		}
		w := s.Stack.Work()
		times[w]++
		if best == nil || times[w] >= times[best.Stack.Work()] {
			best = s
		}
	}
	return best
}

// WorkEvidence quotes the application's frame of a sample, else its top frame.
func WorkEvidence(f *Timeline, h *History, s *Sample) (finding.Evidence, bool) {
	i := slices.Index(h.Samples, s)
	if i < 0 || len(s.Stack.Frames) == 0 {
		return finding.Evidence{}, false
	}
	return f.QuoteFrame(int(h.At[i]), s, max(0, slices.Index(s.Stack.Frames, s.Stack.Application))), true
}
