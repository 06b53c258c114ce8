package flame

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

// gatherAsync profiles one running JVM with async-profiler.
func gatherAsync(ctx context.Context, env *shell.Env, t session.Target, o flameOptions) (gathered, error) {
	a := &profile.AsyncProfiler{
		Live: &live.Source{Kernel: kernel.New(env.ProcRoot), Process: *t.Process, Timeout: o.timeout,
			Force: o.attachAnyway},
		Duration: o.duration, Options: o.event.AsyncOptions(o.interval), Library: o.asyncLib,
	}
	thread := o.threadOf(env, t)
	o.thread = thread.Instead(o.thread)
	done, err := a.Run(ctx)
	var g gathered
	g.note(thread.Ambiguity())
	for _, left := range done.FilesLeft {
		g.notes = append(g.notes, left+" remains on the target's disk; a later run removes it.")
	}
	switch {
	case err != nil:
		return g, noAsync(session.RefusalOf(env, t, a.Live, err), t, done)
	case done.Gone:
		if len(done.Data) > 0 && g.recorded(done.FlightRecorded, asyncTitle(t, done), o) == nil {
			g.cutShort(fmt.Sprintf("%s ended after %.1f s; this is the profile so far.", t.Label(),
				done.Elapsed.Seconds()))
			return g, nil
		}
		return g, shell.NoResult("use thread dumps, which keep the samples so far: --engine dumps",
			"%s ended after %.1f s; its recording is lost", t.Label(), done.Elapsed.Seconds())
	}
	g.notes = append(g.notes, staysLoaded(t, done))
	g.notes = append(g.notes, done.Warnings...)
	if o.asyncLib != "" && done.WasLoaded {
		g.note(fmt.Sprintf("The JVM had loaded %s before: --async-lib was not used.", done.Library))
	}
	if done.DiskFull {
		g.cutShort(fmt.Sprintf("Ended early after %.1f s: the disk of the recording was running full.",
			done.Elapsed.Seconds()))
	}
	return g, g.recorded(done.FlightRecorded, asyncTitle(t, done), o)
}

func asyncTitle(t session.Target, done profile.AsyncProfiled) string {
	return fmt.Sprintf("%d %s, Java %s, async-profiler for %.1f s", t.Process.PID, t.Process.Name(),
		t.Process.JavaVersion, done.Elapsed.Seconds())
}

// staysLoaded says what remains in the target.
func staysLoaded(t session.Target, done profile.AsyncProfiled) string {
	if done.WasLoaded {
		return fmt.Sprintf("The agent async-profiler was loaded before and stays loaded in %s until it ends; this "+
			"profile is stopped.", t.Label())
	}
	return fmt.Sprintf("jstall loaded the agent async-profiler into %s. It is stopped, but stays loaded until the JVM "+
		"ends.", t.Label())
}

// noAsync is the error of a profile that could not be taken.
func noAsync(err error, t session.Target, done profile.AsyncProfiled) error {
	if errors.Is(err, profile.ErrNoAsyncProfiler) {
		return shell.Usage("name the library, or the jar of ap-loader or async-profiler: --async-lib FILE",
			"%s: %v", t.Label(), err)
	}
	if agent, ok := errors.AsType[*profile.AgentError](err); ok {
		return &shell.ExitError{Code: shell.ExitNothing, Message: fmt.Sprintf("%s: no profile: %v", t.Label(), agent),
			Hint: hintOf(agent, t)}
	}
	if done.Started && done.Elapsed == 0 {
		f := shell.Failure(err)
		return &shell.ExitError{Code: shell.ExitPartial, Hint: f.Remedy, Message: fmt.Sprintf(
			"%s: no profile: %s; what async-profiler may have started ends by itself", t.Label(), f.Message)}
	}
	return session.Unrecorded(err, t, done.FlightRecorded)
}

func hintOf(e *profile.AgentError, t session.Target) string {
	if e.Busy {
		return "stop the other profile, or wait for its end; jstall stops none that it has not started"
	}
	return "use an engine without an agent: jstall flame --engine dumps " + strconv.Itoa(t.Process.PID)
}
