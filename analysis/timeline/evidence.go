package timeline

import (
	"cmp"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/internal/order"
	"github.com/jstall/jstall/threaddump"
)

// Ref names a thread in the state of one sample.
func (f *Timeline) Ref(s *Sample) finding.ThreadRef {
	r := finding.ThreadRef{
		Name: s.Thread.Name, ID: s.Thread.ID, NativeID: s.Thread.NativeID,
		State: s.Shown().String(), CPUPercent: InPercent(f.History(s).Share()),
	}
	r.SetFrame(placeOf(f, s))
	if at, earlier := f.earlier(s); earlier {
		r.Dump = &f.Snaps[at].Index
		for _, frame := range s.Stack.Frames {
			r.Stack = append(r.Stack, frame.Text)
		}
	}
	return r
}

// earlier is the dump that a sample is from; differs is true if the last dump shows the thread with another stack.
func (f *Timeline) earlier(s *Sample) (at int, differs bool) {
	h := f.History(s)
	if h.Last() == s || h.Last().Stack == s.Stack {
		return 0, false
	}
	i := slices.Index(h.Samples, s)
	if i < 0 {
		return 0, false
	}
	return int(h.At[i]), true
}

// Refs names threads in the order of their names.
func (f *Timeline) Refs(samples []*Sample) []finding.ThreadRef {
	refs := make([]finding.ThreadRef, 0, len(samples))
	for _, s := range samples {
		refs = append(refs, f.Ref(s))
	}
	order.SortStable(refs, finding.CompareRefs)
	return refs
}

// placeOf is the frame that represents a thread: the application's, else a library's. For a carrier whose virtual
// thread is listed elsewhere it is the frame of that virtual thread.
func placeOf(f *Timeline, s *Sample) *threaddump.Frame {
	if s.Stack.Application != nil {
		return s.Stack.Application
	}
	if s.Carrier == 0 || s.Thread.Virtual {
		return s.Stack.Lead()
	}
	if v := Carried(f, s); v != nil {
		return v.Stack.Application
	}
	return nil
}

// AsPrinted returns HotSpot's own sample of a platform thread that a dump written by Java code lists without its state.
// It is nil if HotSpot's dump lacks the thread or shows it at another place.
func (f *Timeline) AsPrinted(s *Sample) *Sample {
	h := f.printed().History(s)
	if s.Thread.Virtual || s.Wait != stack.WaitUnknown || h == nil || h.Last() == s {
		return nil
	}
	a, b := h.Last().Stack.Application, s.Stack.Application
	if a == nil || b == nil || a.Name() != b.Name() || a.Line != b.Line {
		return nil
	}
	return h.Last()
}

// printed is the timeline of the dumps that HotSpot printed.
func (f *Timeline) printed() *Timeline { return cmp.Or(f.Base, f) }

// Quote cites a line of a dump.
func (f *Timeline) Quote(at int, text string, line int32) finding.Evidence {
	dump, n := f.Snaps[at].Index, int(line)
	e := finding.Evidence{Text: text, Dump: &dump}
	if n > 0 {
		e.Line = &n
	}
	return e
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

// FrameLine is the line of the i-th frame in a text dump: below the header and the state, and below each inner frame
// with its lock lines. It is zero for carriers, whose entries have another form.
func (s *Sample) FrameLine(i int) int32 {
	if s.stackLine != 0 {
		return s.writtenLine(i)
	}
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

// writtenLine is the line of the i-th frame in a dump that Java code wrote; zero if its frames are not on consecutive
// lines. JSON has its locks elsewhere.
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

// FrameEvidence quotes the application frame of each of the first few threads.
func (f *Timeline) FrameEvidence(at int, threads []*Sample) []finding.Evidence {
	const shown = 3
	var quotes []finding.Evidence
	for _, s := range InNameOrder(threads) {
		if i := slices.Index(s.Stack.Frames, s.Stack.Application); i >= 0 && len(quotes) < shown {
			quotes = append(quotes, f.QuoteFrame(at, s, i))
		}
	}
	return quotes
}

// WaitEvidence quotes where the first thread waits in the application, and the objects that the first few wait at.
func (f *Timeline) WaitEvidence(at int, threads []*Sample) []finding.Evidence {
	const shown = 3
	quotes := f.FrameEvidence(at, threads[:min(1, len(threads))])
	for _, s := range threads[:min(shown, len(threads))] {
		if l := s.WaitsOn(); l != nil {
			quotes = append(quotes, f.QuoteLock(at, l))
		}
	}
	return quotes
}

// PlaceEvidence quotes the innermost application frame of a thread's last stack.
func (f *Timeline) PlaceEvidence(h *History) []finding.Evidence {
	s := h.Last()
	if len(s.Stack.Frames) == 0 {
		return nil
	}
	i := slices.Index(s.Stack.Frames, s.Stack.Application)
	if i < 0 {
		i = max(0, slices.IndexFunc(s.Stack.Frames, func(f *threaddump.Frame) bool { return !stack.IsJDK(f) }))
	}
	return []finding.Evidence{f.QuoteFrame(h.LastAt(), s, i)}
}
