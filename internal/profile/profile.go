package profile

import (
	"context"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/recorded"
)

// TakeProfile takes dumps for a time, as often as the budget allows, and passes the entries of each to keep. The error
// is why it ended early.
func TakeProfile(ctx context.Context, l *live.Source, long time.Duration, b Budget,
	keep func([]recording.Entry)) error {
	begun := time.Since(l.Target().Start)
	s := &Sampler{
		Live:     l.Fork(),
		Duration: long, Budget: b,
		Keep: func(entries []recording.Entry) {
			for i := range entries {
				entries[i].At += begun
			}
			keep(entries)
		},
	}
	done := s.Run(ctx, func(*timeline.Delta) {})
	l.AddFilesLeft(done.FilesLeft)
	cut := func(why string) error {
		return &recording.Failure{Phase: recorded.AskProfile, Message: "its profile ended early: " + why}
	}
	switch {
	case done.Interrupted:
		return cut("interrupted")
	case done.Gone:
		return cut("the JVM ended")
	case done.Failure != nil:
		return cut(done.Failure.Error())
	}
	return nil
}

// keep passes on the entries of this sample that a later profile needs.
func (r *samplerRun) keep(dump, stat recording.Entry) {
	if r.Keep == nil {
		return
	}
	entries := []recording.Entry{dump, stat}
	if r.tasks != nil { // the dump has no CPU times
		entries = append(entries, r.Live.Target().Tasks(dump.Bytes))
	}
	r.Keep(entries)
}
