package profile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/ending"
	"github.com/jstall/jstall/internal/source/folder"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/target"
)

// FlightRecorder has the JVM's own flight recorder make a recording. The file is in a folder that only the target's
// user can read. The recording has a unique name, so that the user's recordings are not touched.
type FlightRecorder struct {
	Live *live.Source
	// Duration is how long to record.
	Duration time.Duration
	// Settings are the events to record, as a .jfc file has them.
	Settings string
}

// FlightRecorded is the result of a FlightRecorder.
type FlightRecorded struct {
	// Data is the recording, nil if it failed.
	Data []byte
	// Elapsed is the length of the recording, CPU the CPU time of the process meanwhile; 0 if unknown.
	Elapsed, CPU time.Duration
	// Started is true if the JVM was asked to record.
	Started bool
	// Interrupted reports that the user ended it early, Gone that the target ended, and its recording with it.
	Interrupted, Gone bool
	// Full is set if the recording ended early, as the disk of the recorder's repository was nearly full. Cut reports
	// that the recording reached its maximum size, so that its beginning is missing.
	Full *NoRoomError
	Cut  bool
	// FilesLeft names files of jstall that remain on the target's disk.
	FilesLeft []string
}

// ErrNoRecorder means that the JVM has no flight recorder.
var ErrNoRecorder = errors.New("this JVM has no flight recorder (JFR)")

// recorderThreads is how many threads a JVM starts for its first recording: the recorder,
// its sampler, its periodic tasks, and the timer that ends the recording.
const recorderThreads = 6

const (
	// recorderPatience is how long the recorder may take to start or to write: the first recording makes the JVM load
	// it.
	recorderPatience = 30 * time.Second
	// margin is how much longer than asked a recording runs if jstall does not stop it, as when jstall was killed. Then
	// it ends by itself and is written to its file.
	margin = 5 * time.Second
	// recordingSize is the maximum size of a recording in the recorder's repository, in bytes: the profile of a quarter
	// of an hour or more.
	recordingSize = 64 << 20
	// maxRecording bounds the memory for a recording.
	maxRecording = 1 << 30
)

// Run records until the time is over or the context ends. It stops the recording and removes its files in every case
// except one: if the target does not answer, they stay until the recording has ended by itself.
func (r *FlightRecorder) Run(ctx context.Context) (done FlightRecorded, err error) {
	if err := r.Live.Asker().Refuses(startRecording("NAME", "SETTINGS", "FILE", r.Duration)); err != nil {
		return done, err // before the JVM loads its recorder
	}
	repository, err := r.mayRecord()
	if err != nil {
		return done, err
	}
	defer repository.close()
	if err := r.prepare(ctx); err != nil {
		return done, err
	}
	dir, err := r.Live.Asker().Folders().Make()
	if err != nil {
		return done, err
	}
	running := false
	defer func() {
		if running { // it writes its file when it ends, and prints an error in the JVM's output if it cannot
			done.FilesLeft = append(done.FilesLeft, dir.Leave()...)
			return
		}
		done.FilesLeft = append(done.FilesLeft, dir.Remove()...)
	}()
	err = r.record(ctx, dir, repository, &done)
	if done.Gone {
		return done, nil
	}
	// also if it is unknown whether the recording started
	late, cancel := ending.Late(ctx, recorderPatience)
	defer cancel()
	_, stopped := r.recorder(late, "stop", "name="+recordingName(dir))
	running = done.Started && target.Explicable(stopped) && !r.Live.Target().Gone()
	switch {
	case err != nil:
		return done, firstAttach(err)
	case stopped != nil && !isRefusal(stopped): // it refuses to stop a recording that has ended by itself
		return done, stopped
	}
	done.Data, err = readRecording(dir)
	done.Cut = len(done.Data) >= recordingSize-usualChunk
	return done, err
}

// record starts the recording and waits until the time is over, the context or the target ends, or the disk is nearly
// full. The error says why it did not start, or cannot be waited for.
func (r *FlightRecorder) record(ctx context.Context, dir *folder.Folder, disk *repository, done *FlightRecorded,
) error {
	if err := dir.Write(folder.FormatJFC, []byte(r.Settings)); err != nil {
		return err
	}
	longest := r.Duration + margin
	dir.KeepUntil(time.Now().Add(longest + recorderPatience))
	begin, used := time.Now(), r.Live.Target().UsedCPU()
	done.Started = true
	start := startRecording(recordingName(dir), dir.Path(folder.FormatJFC), dir.Path(folder.FormatJFR), longest)
	if _, err := r.Live.Asker().ExecuteFor(ctx, recorderPatience, start); err != nil {
		return err
	}
	err := r.wait(ctx, disk, done)
	done.Elapsed = min(time.Since(begin), longest)
	done.CPU = max(0, r.Live.Target().UsedCPU()-used)
	return err
}

// startRecording returns the command that starts a recording.
func startRecording(name, settings, file string, length time.Duration) attach.Command {
	return attach.Jcmd(fmt.Sprintf("JFR.start name=%s settings=%s duration=%ds maxsize=%dM filename=%s", name, settings,
		int64(math.Ceil(length.Seconds())), recordingSize>>20, file))
}

// isRefusal reports whether the JVM has answered with an error.
func isRefusal(err error) bool {
	e := (*attach.Error)(nil)
	return errors.As(err, &e) && e.Code == attach.CodeCommandFailed
}

// firstAttach returns the first failed request of several.
func firstAttach(err error) error {
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		return e
	}
	return err
}

// wait waits until the time is over, the context or the target ends, or the disk is nearly full. The error reports that
// the target was stopped.
func (r *FlightRecorder) wait(ctx context.Context, disk *repository, done *FlightRecorded) error {
	timer, poll := time.NewTimer(r.Duration), time.NewTicker(target.StoppedPoll)
	defer timer.Stop()
	defer poll.Stop()
	for still := (target.Stillness{Target: r.Live.Target()}); ; {
		select {
		case <-timer.C:
			return nil
		case <-ctx.Done():
			done.Interrupted = true
			return nil
		case <-poll.C:
		}
		switch {
		case r.Live.Target().Gone():
			done.Gone = true
			return nil
		case still.Lasts():
			return &StoodError{PID: r.Live.Process.PID}
		}
		if full := disk.runsFull(); full != nil {
			done.Full = full
			return nil
		}
	}
}

// StoodError reports that the target was stopped or frozen during the recording.
type StoodError struct{ PID int }

func (e *StoodError) Error() string {
	return "the JVM was stopped (SIGSTOP, a debugger or a frozen control group) while it was recorded"
}

func (r *FlightRecorder) recorder(ctx context.Context, verb string, options ...string) (*attach.Answer, error) {
	line := "JFR." + verb
	for _, o := range options {
		line += " " + o
	}
	return r.Live.Asker().ExecuteFor(ctx, recorderPatience, attach.Jcmd(line))
}

// recordingName names our recording after the folder, which identifies the run of jstall.
func recordingName(f *folder.Folder) string { return filepath.Base(f.Path(""))[1:] }

// ours finds our recordings in what JFR.check prints.
var ours = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`jstall-\d+-\d+-\d+`) })

// prepare lists the recordings, and stops those of runs of jstall that were killed.
func (r *FlightRecorder) prepare(ctx context.Context) error {
	answer, err := r.recorder(ctx, "check")
	if e := (*attach.Error)(nil); errors.As(err, &e) && e.Code == attach.CodeCommandFailed {
		return fmt.Errorf("%w: %s", ErrNoRecorder, e.Cause)
	}
	if err != nil {
		return err
	}
	left := false
	for _, name := range ours().FindAllString(string(answer.Body), -1) {
		if !r.Live.Asker().Folders().MakerGone("." + name) {
			continue
		}
		left = true
		if _, err := r.recorder(ctx, "stop", "name="+name); err != nil && !isRefusal(err) {
			return err
		}
	}
	if left { // its file is written now
		target.InTime(live.Clearing, r.Live.Asker().Folders().ClearLeft)
	}
	return nil
}

func readRecording(dir *folder.Folder) ([]byte, error) {
	file, err := dir.Open(folder.FormatJFR)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	data, err := io.ReadAll(io.LimitReader(file, maxRecording+1))
	switch {
	case err == nil && len(data) == 0:
		err = fmt.Errorf("the JVM has not written %s", dir.Path(folder.FormatJFR))
	case err == nil && len(data) > maxRecording:
		err = fmt.Errorf("the recording has more than %d MB", maxRecording>>20)
	}
	return data, err
}
