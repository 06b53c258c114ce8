package timeline

import (
	"slices"
	"strings"

	"jstall/analysis/finding"
	"jstall/threaddump"
)

func InPercent(share Opt[float64]) *float64 {
	if !share.Known {
		return nil
	}
	return finding.Rounded(share.Value*100, 10)
}

// Ref names a thread as one sample shows it.
func (f *Timeline) Ref(s *Sample) finding.ThreadRef {
	r := finding.ThreadRef{
		Name: s.Thread.Name, ID: s.Thread.ID, NativeID: s.Thread.NativeID,
		State: s.Shown().String(), CPUPercent: InPercent(f.History(s).Share()),
	}
	r.SetFrame(placeOf(f, s))
	return r
}

// Refs names threads in the order of their names.
func (f *Timeline) Refs(samples []*Sample) []finding.ThreadRef {
	refs := make([]finding.ThreadRef, 0, len(samples))
	for _, s := range samples {
		refs = append(refs, f.Ref(s))
	}
	slices.SortStableFunc(refs, finding.CompareRefs)
	return refs
}

// QuoteLock cites a lock line.
func (f *Timeline) QuoteLock(at int, l *Lock) finding.Evidence {
	return f.Quote(at, l.Text(f.Snaps[at].Addresses), l.line)
}

// QuoteFrame cites the i-th frame of a thread's stack.
func (f *Timeline) QuoteFrame(at int, s *Sample, i int) finding.Evidence {
	frame := s.Stack.Frames[i]
	if !f.Snaps[at].Addresses {
		return f.Quote(at, frame.Text, s.writtenLine(i))
	}
	return f.Quote(at, "at "+frame.Text, s.FrameLine(i))
}

// FrameLine is where the i-th frame stands in a text dump: below the header and
// the state, each frame above it with its lock lines. Zero for carriers, whose
// entries are made otherwise.
func (s *Sample) FrameLine(i int) int32 {
	if s.Line == 0 || s.Carrier != 0 || s.State == threaddump.StateUnknown {
		return 0
	}
	line := s.Line + 2 + int32(i+strings.Count(s.Thread.Name, "\n"))
	for _, l := range s.Locks {
		if l.Depth >= 0 && int(l.Depth) < i {
			line++
		}
	}
	return line
}

// writtenLine is where the i-th frame stands in a dump that Java code wrote; zero if
// its frames do not stand line by line. JSON has its locks elsewhere.
func (s *Sample) writtenLine(i int) int32 {
	if s.stackLine == 0 {
		return 0
	}
	line := s.stackLine + int32(i)
	for _, l := range s.Locks {
		if l.line >= s.stackLine && l.Depth >= 0 && int(l.Depth) < i && l.line <= line {
			line++
		}
	}
	return line
}

// Quote cites a line of a dump.
func (f *Timeline) Quote(at int, text string, line int32) finding.Evidence {
	dump, n := f.Snaps[at].Index, int(line)
	e := finding.Evidence{Text: text, Dump: &dump}
	if n > 0 {
		e.Line = &n
	}
	return e
}
