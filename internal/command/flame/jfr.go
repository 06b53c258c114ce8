package flame

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	pprof "github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/profile"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/live"
)

// gatherRecording profiles one running JVM with its own flight recorder.
func gatherRecording(ctx context.Context, env *shell.Env, t session.Target, o flameOptions) (gathered, error) {
	r := &profile.FlightRecorder{
		Live: &live.Source{Kernel: kernel.New(env.ProcRoot), Process: *t.Process, Timeout: o.timeout,
			Force: o.attachAnyway},
		Duration: o.duration, Settings: o.event.Settings(),
	}
	thread := o.threadOf(env, t)
	o.thread = thread.Instead(o.thread)
	done, err := r.Run(ctx)
	var g gathered
	g.note(thread.Ambiguity())
	for _, left := range done.FilesLeft {
		g.notes = append(g.notes, left+" remains on the target's disk; a later run removes it.")
	}
	switch {
	case errors.Is(err, profile.ErrNoRecorder):
		return g, shell.NoResult("--engine dumps works with every JVM", "%v", err)
	case err != nil:
		return g, session.Unrecorded(session.RefusalOf(env, t, r.Live, err), t, done)
	case done.Gone:
		return g, shell.NoResult("use thread dumps, which keep the samples so far: --engine dumps",
			"%s ended after %.1f s; its recording is lost", t.Label(), done.Elapsed.Seconds())
	}
	g.note(session.RecorderThreads)
	title := fmt.Sprintf("%d %s, Java %s, flight recording of %.1f s", t.Process.PID, t.Process.Name(),
		t.Process.JavaVersion, done.Elapsed.Seconds())
	return g, g.recorded(done, title, o)
}

// gatherReplay makes the profile of a recorded JVM: of its flight recording if the archive has one with samples of the
// event, else of what jstall recorded.
func gatherReplay(ctx context.Context, t session.Target, o flameOptions) (gathered, error) {
	archive := t.Recorded.Recording
	for _, name := range archive.FlightRecordings(t.Recorded.JVM) {
		var g gathered
		open := func() (io.ReadCloser, error) { return archive.OpenMember(name) }
		p, times, err := readRecording(open, t.Label()+", flight recording", o)
		if p == nil && o.eventSet {
			return g, err
		}
		if p != nil {
			g.profile, g.timeline = p, times
			g.lacks(err)
			return g, nil
		}
	}
	return gatherSamples(ctx, &profile.Fold{Given: t.Recorded.Profile}, t.Label(), o)
}

// recorded reads the recording: all of it, or the readable part.
func (g *gathered) recorded(done profile.FlightRecorded, title string, o flameOptions) error {
	open := func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(done.Data)), nil }
	p, times, err := readRecording(open, title, o)
	if p == nil {
		return err
	}
	g.profile, g.timeline = p, times
	g.lacks(err)
	if o.event == flame.EventCPU && o.thread == nil {
		g.note(flame.Unsampled(p, done.CPU, "/proc"))
	}
	after := done.Elapsed.Seconds()
	switch {
	case done.Interrupted:
		g.cutShort(fmt.Sprintf("Interrupted after %.1f s; this is the profile so far.", after))
	case done.Full != nil:
		g.cutShort(fmt.Sprintf("Ended early after %.1f s: %v.", after, done.Full))
	case done.Cut:
		g.cutShort(fmt.Sprintf("The recording of %.1f s has reached its size limit: its beginning is missing. "+
			"Record for a shorter time (-d).", after))
	}
	return nil
}

// readRecording makes a profile of a flight recording. After an error the profile is of its beginning, if that is
// readable.
func readRecording(open func() (io.ReadCloser, error), title string, o flameOptions) (
	*pprof.Profile, *flame.Timeline, error,
) {
	times := &flame.Timeline{}
	options := flame.Options{ExactNames: o.exactNames, Thread: o.thread, Timeline: times}
	var err error
	if options.Labels, err = readLabels(open, o); err != nil {
		return nil, nil, err
	}
	in, err := open()
	if err != nil {
		return nil, nil, err
	}
	defer func() { _ = in.Close() }()
	p, err := flame.ReadJFR(in, o.event, options)
	if p != nil {
		p.Comments = append([]string{title}, p.Comments...)
	}
	return p, times, err
}
