package flame

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

// gatherLive profiles one running JVM with dumps.
func gatherLive(ctx context.Context, env *shell.Env, t session.Target, o flameOptions) (gathered, error) {
	thread := o.threadOf(env, t)
	bar := &flameBar{env: env, label: t.Label(), duration: o.duration}
	times := &flame.Timeline{}
	s := newSampler(env, *t.Process, o)
	b := flame.NewBuilder(flame.Options{ExactNames: o.exactNames, Thread: thread.Instead(o.thread), Timeline: times,
		Better: o.betterThanDumps(s.Live)})
	begin := time.Now()
	s.Duration, s.Progress, s.PreferMemory = o.duration, bar.show, o.prefersMemory
	done := s.Run(ctx, b.Add)
	bar.clear()
	if done.Samples == 0 {
		return gathered{}, session.RefusalOf(env, t, s.Live, noSamples(ctx, t, done))
	}
	if done.FromMemory {
		b.WithoutSafepoints()
	}
	p := b.Profile(liveTitle(*t.Process, done), pauseNote(done))
	p.TimeNanos = begin.UnixNano()
	g := gathered{profile: p, timeline: times, notes: append(endNotes(t, done), done.Warnings...)}
	g.note(thread.Ambiguity())
	if done.Gone || done.Interrupted || done.Failure != nil {
		g.code = shell.ExitPartial
	}
	return g, nil
}

// betterThanDumps is the command that profiles the JVM's CPU time by perf events, empty if that does not apply or is
// not allowed.
func (o flameOptions) betterThanDumps(l *live.Source) string {
	if o.weight == flame.Wall || o.idle || profile.PerfRight(l.Process.PID).Result != attach.OK {
		return ""
	}
	return fmt.Sprintf("jstall flame %d --engine perf", l.Process.PID)
}

func newSampler(env *shell.Env, p jvm.Process, o flameOptions) *profile.Sampler {
	return &profile.Sampler{
		Live:     &live.Source{Kernel: kernel.New(env.ProcRoot), Process: p, Timeout: o.timeout, Force: o.attachAnyway},
		Interval: o.interval,
		Budget:   session.ProfileBudget(o.pauseShare),
	}
}

// noSamples is the error of a profile without samples.
func noSamples(ctx context.Context, t session.Target, done profile.Sampled) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case done.Failure != nil:
		return done.Failure
	}
	return shell.NoResult("", "%s ended before its first thread dump", t.Label())
}

func liveTitle(p jvm.Process, done profile.Sampled) string {
	return fmt.Sprintf("%d %s, Java %s, %.1f s", p.PID, p.Name(), p.JavaVersion, done.Elapsed.Seconds())
}

// pauseNote says how long the samples paused the target, and what it lost if that is above its share.
func pauseNote(done profile.Sampled) string {
	if done.FromMemory {
		return "Stacks read from the JVM's memory: nothing was stopped." + aboveShare(done)
	}
	if done.Elapsed <= 0 {
		return fmt.Sprintf("Overhead: paused %s.", millis(done.Pause))
	}
	share := 100 * done.Pause.Seconds() / done.Elapsed.Seconds()
	if !done.FromCounters {
		return fmt.Sprintf("Overhead: paused at most %s (%.2f %%), longest %s (times of the requests: the JVM has no "+
			"counters).%s", millis(done.Pause), share, millis(done.Longest), aboveShare(done))
	}
	return fmt.Sprintf("Overhead: paused %s (%.2f %%), longest %s.%s", millis(done.Pause), share, millis(done.Longest),
		aboveShare(done))
}

// aboveShare says why a profile cost more than --max-pause-share, and what to do; empty if it did not.
func aboveShare(done profile.Sampled) string {
	if !done.AboveShare() {
		return ""
	}
	why := "single dumps took longer than those before them"
	switch {
	case done.Gone || done.Interrupted || done.Failure != nil:
		why = "the profile ended early"
	case done.Samples <= 2:
		why = "a profile needs two dumps"
	}
	enough := time.Duration(math.Ceil(done.Lost.Seconds()/done.Share)) * time.Second
	return fmt.Sprintf(" The target lost %s (%.2f %%, with the CPU time of jstall), more than the %.3g %% of "+
		"--max-pause-share: %s. Use -d %s or longer to stay within it.", millis(done.Lost),
		100*done.Lost.Seconds()/done.Elapsed.Seconds(), 100*done.Share, why, enough)
}

func millis(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d)/1e6) }

// endNotes say why the profile ended before its time.
func endNotes(t session.Target, done profile.Sampled) []string {
	after := fmt.Sprintf("after %.1f s and %s", done.Elapsed.Seconds(), finding.Counted(done.Samples, "sample"))
	switch {
	case done.Gone:
		return []string{fmt.Sprintf("%s ended %s; this is the profile so far.", t.Label(), after)}
	case done.Interrupted:
		return []string{fmt.Sprintf("Interrupted %s; this is the profile so far.", after)}
	case done.Failure != nil:
		return []string{fmt.Sprintf("Ended early %s: %s", after, shell.Failure(done.Failure).Message)}
	}
	return nil
}

// flameBar shows a waiting user on a terminal how far the profile is.
type flameBar struct {
	mu       sync.Mutex
	env      *shell.Env
	label    string
	duration time.Duration
	shown    bool
}

const barWidth = 30

func (b *flameBar) show(elapsed time.Duration, samples int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.env.ErrWidth <= 0 {
		return
	}
	b.shown = true
	filled := barWidth
	if b.duration > 0 {
		filled = min(barWidth, int(barWidth*elapsed/b.duration))
	}
	b.env.Say("\r\x1b[K%s [%-*.*s] %.1f s, %s (Ctrl-C ends early)",
		b.label, barWidth, filled, "##############################", elapsed.Seconds(),
		finding.Counted(samples, "sample"))
}

func (b *flameBar) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.shown {
		b.env.Say("\r\x1b[K")
	}
}
