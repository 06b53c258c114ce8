package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/google/pprof/profile"

	"jstall/flame"
	"jstall/internal/capture"
	"jstall/internal/kernel"
)

// gatherRecording profiles one running JVM with its own flight recorder.
func gatherRecording(ctx context.Context, env *Env, t target, o flameOptions) (gathered, error) {
	r := &capture.FlightRecorder{
		Live:     &capture.Live{Kernel: kernel.New(env.ProcRoot), Process: *t.process, Timeout: o.timeout, Force: o.output.force},
		Duration: o.duration, Settings: o.event.Settings(),
	}
	done, err := r.Run(ctx)
	var g gathered
	for _, left := range done.FilesLeft {
		g.notes = append(g.notes, left+" had to stay on the target's disk; the next run removes it.")
	}
	switch {
	case errors.Is(err, capture.ErrNoRecorder):
		return g, nothing("--engine dumps works with every JVM", "%v", err)
	case err != nil:
		return g, refusalOf(env, t, r.Live, err)
	case done.Gone:
		return g, nothing("thread dumps (--engine dumps) keep what they saw so far",
			"%s ended after %.1f s, and its recording with it", t.label(), done.Elapsed.Seconds())
	}
	title := fmt.Sprintf("%d %s, Java %s, flight recording of %.1f s", t.process.PID, t.process.Name(), t.process.JavaVersion, done.Elapsed.Seconds())
	return g, g.recorded(done, title, o)
}

// recorded takes what the recorder has written: all of it, or the part that can be read.
func (g *gathered) recorded(done capture.FlightRecorded, title string, o flameOptions) error {
	p, err := readRecording(bytes.NewReader(done.Data), title, o)
	if p == nil {
		return err
	}
	g.profile = p
	g.lacks(err)
	if done.Interrupted {
		g.code = exitPartial
		g.notes = append(g.notes, fmt.Sprintf("Interrupted after %.1f s; this is the profile so far.", done.Elapsed.Seconds()))
	}
	return nil
}

// readRecording makes a profile of a flight recording; with an error, of its beginning if
// there is any.
func readRecording(in io.Reader, title string, o flameOptions) (*profile.Profile, error) {
	p, err := flame.ReadJFR(in, o.event, flame.Options{ExactNames: o.exactNames, Thread: o.thread})
	if p != nil {
		p.Comments = append([]string{title}, p.Comments...)
	}
	return p, err
}
