package form

import (
	"errors"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/recording"
)

// FailureOf says why a reading has no dump, nil if it has one.
func FailureOf(entries []recording.Entry) error {
	var failed error
	for _, e := range entries {
		switch {
		case e.Kind != recording.ThreadDump:
		case e.Err == nil:
			return nil // it was read from memory instead
		case failed == nil && IsAttach(e.Err):
			failed = e.Err
		}
	}
	return failed
}

// IsAttach reports whether an error is from an attach.
func IsAttach(err error) bool {
	e := (*attach.Error)(nil)
	return errors.As(err, &e)
}

// Attempt describes a failed attach for the analysis.
func Attempt(err error) *timeline.Attempt {
	a := &timeline.Attempt{Message: err.Error()}
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		a.Phase, a.Message, a.Remedy, a.Code = string(e.Phase), e.Cause, e.Remedy, e.Code
		for _, s := range e.Sent {
			a.Sent = append(a.Sent,
				timeline.Sent{What: s.What, At: s.At.Local().Format(time.TimeOnly), Before: e.At.Sub(s.At)})
		}
	}
	return a
}
