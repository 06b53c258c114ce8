package flame

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/memory"
)

// perfPeriod is how long a thread runs between two samples: 250 for each second of CPU time. It is not a whole number
// of milliseconds, so that the samples do not coincide with periodic work.
const perfPeriod = 3989 * time.Microsecond

// gatherSampled profiles one running JVM with samples of perf events.
func gatherSampled(ctx context.Context, env *shell.Env, t session.Target, o flameOptions) (gathered, error) {
	thread := o.threadOf(env, t)
	bar := &flameBar{env: env, label: t.Label(), duration: o.duration}
	times := &flame.Timeline{}
	b := flame.NewRunning(flame.Options{ExactNames: o.exactNames, Thread: thread.Instead(o.thread), Timeline: times},
		perfPeriod)
	own := shell.OwnCPU()
	r := &profile.PerfProfiler{
		Live: &live.Source{Kernel: kernel.New(env.ProcRoot), Process: *t.Process, Timeout: o.timeout,
			Via: source.ViaMemory},
		Duration: o.duration, Period: perfPeriod, Progress: bar.show,
		End: func(tid int, used hotspot.Used) { b.End(tid, flame.RunThread(used)) },
	}
	done, err := r.Run(ctx, func(s *hotspot.RunSample) { b.Add(runSample(s)) })
	bar.clear()
	switch {
	case err != nil && (done.Elapsed == 0 || ctx.Err() != nil):
		return gathered{}, err
	case done.Elapsed == 0:
		return gathered{}, shell.NoResult("", "%s ended before its first sample", t.Label())
	}
	done.OwnCPU = shell.OwnCPU() - own
	p := b.Profile(runTotals(done), append([]string{sampledTitle(*t.Process, done)}, perfNotes(done)...)...)
	g := gathered{profile: p, timeline: times}
	g.note(thread.Ambiguity())
	g.ended(t, done, err)
	return g, nil
}

// ended notes why the profile ended before its time.
func (g *gathered) ended(t session.Target, done profile.PerfProfiled, err error) {
	after := done.Elapsed.Seconds()
	switch {
	case err != nil:
		g.cutShort(fmt.Sprintf("Ended early after %.1f s: %v", after, err))
	case done.Gone:
		g.cutShort(fmt.Sprintf("%s ended after %.1f s; this is the profile so far.", t.Label(), after))
	case done.Interrupted:
		g.cutShort(fmt.Sprintf("Interrupted after %.1f s; this is the profile so far.", after))
	}
}

func runSample(s *hotspot.RunSample) *flame.RunSample {
	out := &flame.RunSample{TID: s.TID, At: s.At, Thread: s.Thread, Java: s.Java, Cut: s.Stack.Cut != ""}
	out.Frames = make([]flame.RunFrame, len(s.Stack.Frames))
	for i, f := range s.Stack.Frames {
		out.Frames[i] = flame.RunFrame(f)
	}
	return out
}

func runTotals(done profile.PerfProfiled) flame.RunTotals {
	totals := flame.RunTotals{Begin: done.Begin, Elapsed: done.Elapsed, Rest: done.Rest,
		Threads: map[int]flame.RunThread{}}
	for tid, used := range done.Threads {
		totals.Threads[tid] = flame.RunThread(used)
	}
	return totals
}

func sampledTitle(p jvm.Process, done profile.PerfProfiled) string {
	return fmt.Sprintf("%d %s, Java %s, %.1f s", p.PID, p.Name(), p.JavaVersion, done.Elapsed.Seconds())
}

// perfNotes says how the samples were taken and what they lack.
func perfNotes(done profile.PerfProfiled) []string {
	share := 0.0
	if done.Elapsed > 0 {
		share = 100 * done.OwnCPU.Seconds() / done.Elapsed.Seconds()
	}
	notes := []string{fmt.Sprintf("Sampled by perf events, once for every %.0f ms of CPU time; nothing was stopped. "+
		"jstall used %.1f %% of a core.", perfPeriod.Seconds()*1000, share)}
	if done.Lost > 0 {
		notes = append(notes, fmt.Sprintf("%d samples were lost: jstall did not get enough CPU time to read them.",
			done.Lost))
	}
	if !done.Kernel {
		notes = append(notes, "The kernel's own code is not sampled: its time is counted for the threads, but not "+
			"shown where it was used. CAP_PERFMON or kernel.perf_event_paranoid=1 allows it.")
	}
	if done.Full {
		notes = append(notes, "There are too many threads to sample all: those that had used least are not sampled.")
	}
	return notes
}

// cannotSample says why the threads of a JVM cannot be sampled; ok is false for another error.
func cannotSample(err error) (cause, remedy string, ok bool) {
	if e := (*profile.PerfError)(nil); errors.As(err, &e) {
		return e.Cause, e.Remedy, true
	}
	if e := (*memory.Error)(nil); errors.As(err, &e) {
		return "the JVM's memory cannot be read: " + e.Cause, e.Remedy, true
	}
	return "", "", false
}
