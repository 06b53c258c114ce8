package hotthread

import (
	"slices"

	"github.com/jstall/jstall/analysis/facts/cpu"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
)

// hotEvidence quotes the frame of the application in the sample that stands for the thread, else its innermost frame.
// It is the CPU figure if the sample has no stack.
func hotEvidence(f *timeline.Timeline, t cpu.HotThread) finding.Evidence {
	at := int(t.H.At[slices.Index(t.H.Samples, t.Dominant)])
	if len(t.Dominant.Stack.Frames) == 0 {
		return cpuFigure(t.Share)
	}
	i := max(0, slices.Index(t.Dominant.Stack.Frames, t.Dominant.Stack.Application))
	return f.QuoteFrame(at, t.Dominant, i)
}
