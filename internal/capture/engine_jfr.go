package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"jstall/attach"
)

// FlightRecorder has the JVM's own flight recorder make a recording: in a folder that
// only the target's user can look into, under a name of its own, so that the user's
// recordings are not touched.
type FlightRecorder struct {
	Live *Live
	// Duration is how long to record.
	Duration time.Duration
	// Settings are the events to record, as a .jfc file has them.
	Settings string
}

// FlightRecorded is how a FlightRecorder's work went.
type FlightRecorded struct {
	// Data is the recording, nil if there is none.
	Data []byte
	// Elapsed is how long was recorded.
	Elapsed time.Duration
	// Interrupted tells that the user did not want to wait, Gone that the target
	// ended, and its recording with it.
	Interrupted, Gone bool
	// FilesLeft names files of ours that had to stay on the target's disk.
	FilesLeft []string
}

// ErrNoRecorder tells a JVM without a flight recorder.
var ErrNoRecorder = errors.New("this JVM has no flight recorder (JFR)")

// The files of a recording, named after their format.
const (
	formatJFR = "jfr"
	formatJFC = "jfc"
)

// recorderPatience is how long the recorder may take to start or to write: the first
// time in its life the JVM loads it.
const recorderPatience = 30 * time.Second

// maxRecording bounds the memory for a recording.
const maxRecording = 1 << 30

// Run records until the time is over or the context, and stops the recording and
// removes its files in every case.
func (r *FlightRecorder) Run(ctx context.Context) (done FlightRecorded, err error) {
	l := r.Live
	l.Timeout = max(l.Timeout, recorderPatience)
	if err := r.prepare(ctx); err != nil {
		return done, err
	}
	folder, err := l.privateFolder()
	if err != nil {
		return done, err
	}
	defer func() { done.FilesLeft = append(done.FilesLeft, folder.remove()...) }()
	if err := folder.write(formatJFC, []byte(r.Settings)); err != nil {
		return done, err
	}
	name := recordingName(folder)
	begin := time.Now()
	_, err = l.recorder(ctx, "start", "name="+name, "settings="+folder.path(formatJFC))
	if err == nil {
		done.Interrupted, done.Gone = r.sleep(ctx)
		done.Elapsed = time.Since(begin)
	}
	if done.Gone {
		return done, nil
	}
	// also after a start of which we do not know whether it came to be
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), recorderPatience)
	defer cancel()
	_, stopped := l.recorder(late, "stop", "name="+name, "filename="+folder.path(formatJFR))
	if err = errors.Join(err, stopped); err != nil {
		return done, firstAttach(err)
	}
	done.Data, err = readRecording(folder)
	return done, err
}

// firstAttach is the first failed request of several.
func firstAttach(err error) error {
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		return e
	}
	return err
}

// gonePoll is how often it is seen whether the target is still there.
const gonePoll = 200 * time.Millisecond

// sleep waits until the time is over, the context or the target.
func (r *FlightRecorder) sleep(ctx context.Context) (interrupted, gone bool) {
	timer, poll := time.NewTimer(r.Duration), time.NewTicker(gonePoll)
	defer timer.Stop()
	defer poll.Stop()
	for {
		select {
		case <-timer.C:
			return false, false
		case <-ctx.Done():
			return true, false
		case <-poll.C:
			if r.Live.gone() {
				return false, true
			}
		}
	}
}

func (l *Live) recorder(ctx context.Context, verb string, options ...string) (*attach.Answer, error) {
	line := "JFR." + verb
	for _, o := range options {
		line += " " + o
	}
	return l.Execute(ctx, attach.Jcmd(line))
}

// recordingName is that of our recording: the folder's, which tells whose it is.
func recordingName(f *privateFolder) string { return filepath.Base(f.path(""))[1:] }

// ours finds our recordings in what JFR.check prints.
var ours = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`jstall-\d+-\d+-\d+`) })

// prepare asks for the recordings there are, and stops those that runs of ours which
// were killed have left.
func (r *FlightRecorder) prepare(ctx context.Context) error {
	answer, err := r.Live.recorder(ctx, "check")
	if e := (*attach.Error)(nil); errors.As(err, &e) && e.Code == attach.CodeCommandFailed {
		return fmt.Errorf("%w: %s", ErrNoRecorder, e.Cause)
	}
	if err != nil {
		return err
	}
	for _, name := range ours().FindAllString(string(answer.Body), -1) {
		if r.Live.makerGone("." + name) {
			if _, err := r.Live.recorder(ctx, "stop", "name="+name); err != nil {
				return err
			}
		}
	}
	return nil
}

func readRecording(folder *privateFolder) ([]byte, error) {
	file, err := folder.open(formatJFR)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, maxRecording+1))
	if err == nil && len(data) > maxRecording {
		err = fmt.Errorf("the recording has more than %d MB", maxRecording>>20)
	}
	return data, err
}
