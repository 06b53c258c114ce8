package capture

import (
	"context"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/recorded"
)

// TakeProfile takes dumps for so long, as often as the budget allows, and gives the
// entries of each to keep. The error is why it ended early.
func TakeProfile(ctx context.Context, l *Live, long time.Duration, b Budget, keep func([]recording.Entry)) error {
	begun := time.Since(l.target().start)
	s := &Sampler{
		Live:     l.fork(),
		Duration: long, Budget: b,
		Keep: func(entries []recording.Entry) {
			for i := range entries {
				entries[i].At += begun
			}
			keep(entries)
		},
	}
	done := s.Run(ctx, func(*timeline.Delta) {})
	l.cost.FilesLeft = append(l.cost.FilesLeft, done.FilesLeft...)
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

// keep hands on what a profile of this sample will need again.
func (r *samplerRun) keep(dump, stat recording.Entry) {
	if r.Keep == nil {
		return
	}
	entries := []recording.Entry{dump, stat}
	if r.tasks != nil { // the dump does not tell the CPU times
		entries = append(entries, r.Live.target().tasks(dump.Bytes))
	}
	r.Keep(entries)
}

// fork is a source for other readings of the same JVM over the same connection.
func (l *Live) fork() *Live {
	other := &Live{Kernel: l.Kernel, Process: l.Process, Timeout: l.Timeout, Rerun: l.Rerun}
	other.asker().client = l.asker().attachClient()
	return other
}
