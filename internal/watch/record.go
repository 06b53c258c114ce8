package watch

import (
	"encoding/json"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/recorded"
)

// Source says whose readings a recording holds, and who took them.
type Source struct {
	Tool, Host string
	Process    jvm.Process
	// Redacted counts what was replaced, by kind of secret; nil if nothing is.
	Redacted map[string]int
}

// write makes a recording of a history at path. Its analysis uses the readings from first to last; the recording keeps
// those before and after separately. With replace it replaces an existing file.
func (s Source) write(path string, h history, first, last time.Time, replace bool) error {
	p := s.Process
	if began, _ := h.Span(); !began.IsZero() {
		p.Age += first.Sub(began)
	}
	w, err := recording.Create(path, recording.Manifest{Tool: s.Tool, Host: s.Host, Created: first}, replace)
	if err != nil {
		return err
	}
	defer w.Abandon()
	w.SaveMemory()
	if s.Redacted != nil {
		w.Redacted(s.Redacted)
	}
	out := w.JVM(recorded.TargetOf(p))
	var before, cost source.Cost
	err = h.Each(func(m Moment) error {
		ask := ""
		switch {
		case m.At.Before(first):
			ask, before, cost = recorded.AskBefore, m.Cost, m.Cost
		case m.At.After(last):
			ask = recorded.AskAfter
		default:
			cost = m.Cost
		}
		return out.Add(ask, m.Entries)
	})
	if err != nil {
		return err
	}
	text, err := json.Marshal(cost.Since(before))
	if err != nil {
		return err
	}
	out.Finish(recording.End{Cost: text})
	return w.Close()
}
