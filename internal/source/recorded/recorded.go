package recorded

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// The requests of a recording other than for the next reading.
const (
	askAgain   = "again"
	askVirtual = "virtual"
	askMore    = "more"
	AskProfile = "profile"
)

// AskBefore and AskAfter mark the readings of a recording that were taken before and after an event. An analysis uses
// those at the event.
const (
	AskBefore = "before"
	AskAfter  = "after"
)

func askOf(r source.Request) string {
	switch {
	case r.Repeat:
		return askAgain
	case r.Virtual:
		return askVirtual
	}
	return ""
}

// Recorder is a source that records the readings that it passes on.
type Recorder struct {
	source.Source
	Into *recording.JVMWriter
	// Err is why the recording is not complete, nil if it is.
	Err error
	// Rest is why the entries after the readings are not complete, nil if they are.
	Rest error
}

// Next passes a reading on. If it cannot be written, it is missing in the recording, not in the analysis.
func (r *Recorder) Next(ctx context.Context, q source.Request) ([]recording.Entry, error) {
	entries, err := r.Source.Next(ctx, q)
	switch {
	case err != nil, q.Virtual && len(entries) == 0:
	case len(entries) == 1 && entries[0].Stream != nil:
		r.pass(askOf(q), &entries[0])
	default:
		r.keep(askOf(q), entries)
	}
	return entries, err
}

// pass records an entry while it is read.
func (r *Recorder) pass(ask string, e *recording.Entry) {
	if r.Err != nil {
		return
	}
	e.Stream = r.Into.Stream(ask, *e)
}

// More records entries that the analysis does not need.
func (r *Recorder) More(entries []recording.Entry) { r.keep(askMore, entries) }

func (r *Recorder) keep(ask string, entries []recording.Entry) {
	if r.Err != nil {
		return
	}
	r.Err = r.Into.Add(ask, Lasting(entries))
}

// Lasting returns the entries with their errors in the form that a recording keeps.
func Lasting(entries []recording.Entry) []recording.Entry {
	kept := make([]recording.Entry, len(entries))
	for i, e := range entries {
		e.Err = lasting(e.Err)
		kept[i] = e
	}
	return kept
}

// Finish writes what the readings cost, and why they ended early if they did. Its error is another reason why the
// recording is not complete.
func (r *Recorder) Finish(ownCPUSeconds *float64, early error) error {
	cost, err := json.Marshal(r.Cost())
	if err == nil {
		r.Into.Finish(recording.End{Cost: cost, OwnCPUSeconds: ownCPUSeconds, Early: lasting(early), Rest: r.Rest})
	}
	return errors.Join(r.Err, err, r.Rest)
}

// lasting returns an error in the form that a recording keeps.
func lasting(err error) error {
	e := (*attach.Error)(nil)
	switch {
	case errors.As(err, &e):
		f := &recording.Failure{Phase: string(e.Phase), Code: e.Code, Message: e.Cause, Remedy: e.Remedy, At: e.At}
		for _, s := range e.Sent {
			f.Sent = append(f.Sent, recording.Sent(s))
		}
		return f
	case errors.Is(err, context.Canceled):
		return &recording.Failure{Message: "interrupted"}
	}
	return err
}

// Source is a source that replays the readings of one JVM.
type Source struct {
	JVM      recording.JVM
	readings *recording.Readings
	// main is the request whose readings are replayed; also are the requests whose readings are replayed with them.
	main string
	also []string
}

// Replay returns the readings of a JVM of a recording as a source.
func Replay(r *recording.Recording, j recording.JVM) *Source {
	return &Source{JVM: j, readings: r.Readings(j)}
}

// ReplayHistory is Replay with the readings before and after the event.
func ReplayHistory(r *recording.Recording, j recording.JVM) *Source {
	s := Replay(r, j)
	s.also = []string{AskBefore, AskAfter}
	return s
}

// Next returns the next reading, or the answer to a request after it. Without such an answer in the recording it
// returns no entries.
func (s *Source) Next(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	want := askOf(r)
	isMain := want == ""
	if isMain {
		want = s.main
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ask, ok := s.readings.Ask()
		ok = ok && (!isMain || s.Left() > 0) // the rest may still be asked for
		switch {
		case ok && (ask == want || isMain && slices.Contains(s.also, ask)):
			return s.entries()
		case !isMain:
			return nil, nil
		case !ok:
			return nil, s.end()
		}
		if _, err := s.readings.Next(); err != nil { // not wanted now, but it comes before the wanted one
			return nil, err
		}
	}
}

// end returns why there are no further readings: the failure that ended them, or io.EOF.
func (s *Source) end() error {
	rest := s.JVM.RestEnded
	switch {
	case s.main == "" && s.JVM.Ended != nil:
		return s.JVM.Ended
	case s.main == AskProfile && rest != nil && rest.Phase == AskProfile:
		return rest
	}
	return io.EOF
}

func (s *Source) entries() ([]recording.Entry, error) {
	entries, err := s.readings.Next()
	for i, e := range entries {
		if f := (*recording.Failure)(nil); errors.As(e.Err, &f) && f.Phase != "" {
			failed := &attach.Error{
				PID: s.JVM.Target.PID, Phase: attach.Phase(f.Phase), Code: f.Code, Cause: f.Message,
				Remedy: f.Remedy, At: f.At,
			}
			for _, sent := range f.Sent {
				failed.Sent = append(failed.Sent, attach.Sent(sent))
			}
			entries[i].Err = failed
		}
	}
	return entries, err
}

// Left is the number of remaining readings.
func (s *Source) Left() int {
	n := s.readings.Left(s.main)
	for _, ask := range s.also {
		n += s.readings.Left(ask)
	}
	return n
}

// Cost is the cost of the readings when they were taken.
func (s *Source) Cost() source.Cost {
	var c source.Cost
	if err := json.Unmarshal(s.JVM.Cost, &c); err != nil {
		return source.Cost{Source: "recording"}
	}
	return c
}

// TargetOf returns the facts of a process that a recording keeps.
func TargetOf(p jvm.Process) recording.Target {
	return recording.Target{
		PID: p.PID, NSPID: p.NSPID, Name: p.Name(), User: p.User, Container: p.Container,
		VMName: p.VMName, JavaVersion: p.JavaVersion, Major: p.Major, AgeNanos: p.Age.Nanoseconds(),
	}
}

// ProcessOf returns the process with the facts of a recording.
func ProcessOf(t recording.Target) jvm.Process {
	return jvm.Process{
		PID: t.PID, NSPID: t.NSPID, MainClass: t.Name, User: t.User, Container: t.Container,
		VMName: t.VMName, JavaVersion: t.JavaVersion, Major: t.Major, Age: time.Duration(t.AgeNanos),
	}
}
