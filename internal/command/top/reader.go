package top

import (
	"context"
	"errors"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/top"
)

// topReader reads a JVM for the screen of top, in a separate goroutine.
type topReader struct {
	capturer *session.Capturer
	target   session.Target
	follower *live.Follower
	pause    gate
	latest   latestReadings
	// found is when the JVM was found, startTime its start according to /proc.
	found     time.Time
	startTime uint64
	before    countersAt
}

// countersAt are the JVM's counters and the time of their reading.
type countersAt struct {
	at       time.Time
	counters *timeline.Counters
}

func newTopReader(ctx context.Context, l *session.Capturer, t session.Target) *topReader {
	o := l.Options
	src := &live.Source{
		Kernel: l.Kernel, Process: *t.Process, Timeout: o.Timeout, Force: o.Force, Via: o.Via,
		OnNoAnswer: func() {}, TellStopped: true,
	}
	r := &topReader{capturer: l, target: t, found: time.Now()}
	r.follower = live.Follow(ctx, src, func(s source.Source) source.Source { return session.Redacting(l.Redactor, s) })
	r.follower.Interval = o.Interval
	r.startTime, _ = r.alive()
	return r
}

// run reads until the context or the JVM ends, and passes each reading to show, which may block. Its error says why it
// ended. A reading that fails while the JVM lives does not end it, unless it is the first one.
func (r *topReader) run(ctx context.Context, show func(top.Reading)) error {
	for first := true; ; first = false {
		if err := r.pause.wait(ctx); err != nil {
			return err
		}
		reading, err := r.follower.Next(ctx)
		start, alive := r.alive()
		alive = alive && start == r.startTime
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case first && err != nil:
			return err
		case !alive:
			return errEnded
		case err != nil:
			show(top.Reading{At: time.Now(), Failure: shell.Failure(err).Message})
			continue
		}
		r.latest.add(reading.Entries, reading.Cost)
		shown := r.reading(ctx, reading)
		if first && reading.Failure != nil && reading.Dumps == 0 && len(shown.Report.Findings) == 0 {
			return reading.Failure
		}
		show(shown)
		r.rest(time.Since(reading.Began))
	}
}

// errEnded is the error of a JVM that has ended.
var errEnded = errors.New("the JVM has ended")

// alive reads when the process started, in ticks; false if it has ended.
func (r *topReader) alive() (startTime uint64, alive bool) {
	raw, err := r.capturer.Kernel.ReadFile(r.target.Process.PID, "stat")
	if err != nil {
		return 0, false
	}
	stat, err := kernel.ParseStat(raw)
	return stat.StartTime, err == nil && stat.State != "Z" && stat.State != "X"
}

// ownShare is the share of a core that a screen may use. A JVM with many threads is read less often.
const ownShare = 0.5

// rest adapts the interval to the duration of the latest reading and its diagnosis, without the wait for it.
func (r *topReader) rest(took time.Duration) {
	r.follower.Interval = max(r.capturer.Options.Interval, time.Duration(float64(took)/ownShare))
}

// reading converts a reading for the screen.
func (r *topReader) reading(ctx context.Context, taken *live.Reading) top.Reading {
	now := time.Now()
	shown := top.Reading{At: now, Uptime: r.target.Process.Age + now.Sub(r.found)}
	if taken.Failure != nil {
		shown.Failure = shell.Failure(taken.Failure).Message
	}
	shown.Report = r.capturer.Conclude(ctx, r.target, taken.Result, nil).Report
	if snaps := taken.Series.Snaps; len(snaps) > 0 && taken.Failure == nil {
		if c := snaps[len(snaps)-1].Counters; c != nil {
			shown.Counters, shown.Before = c, r.before.counters
			shown.Apart = now.Sub(r.before.at)
			r.before = countersAt{now, c}
		}
	}
	return shown
}
