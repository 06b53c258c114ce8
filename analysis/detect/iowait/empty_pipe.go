package iowait

import (
	"jstall/analysis/facts"
	"jstall/analysis/facts/iowaits"
	"jstall/analysis/facts/loops"
	"jstall/analysis/facts/waits"
	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// pipeKey tells readers of empty pipes between threads apart, empty for all else.
func pipeKey(s *timeline.Sample) string {
	if s.Stack.Op.Kind != stack.OpRead || !s.Stack.InPipe() {
		return ""
	}
	return s.Object()
}

// emptyPipes hints at who likely holds up a thread that reads from a pipe between
// threads: one with work in the same classes, and in none of its methods. A reader
// may be meant to wait for whatever comes. told are the readers.
func emptyPipes(f *facts.Facts) (found []finding.Candidate, told map[*timeline.Sample]bool) {
	told = map[*timeline.Sample]bool{}
	at := len(f.Snaps) - 1
	for _, g := range waits.GroupWaiters(f.Timeline, pipeKey) {
		readers := g.Samples()
		writers := loops.LikelyConsumers(f.Locks, at, readers)
		if len(writers) == 0 || len(f.Snaps) < iowaits.IODumps {
			continue
		}
		for _, r := range readers {
			told[r] = true
		}
		found = append(found, finding.Candidate{Finding: finding.Finding{
			Severity: finding.Info, Confidence: finding.Possible,
			Title: pipeTitle(f, readers[0], writers), Advice: pipeAdvice,
			Culprits: f.Refs(writers), Victims: f.Refs(readers), Resource: facts.WaitedResource("pipe", readers[0]),
			Evidence: append(f.WaitEvidence(at, readers), f.StandEvidence(at, writers)...),
		}})
	}
	return found, told
}
