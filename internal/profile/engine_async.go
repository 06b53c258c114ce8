package profile

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/ending"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/folder"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/target"
)

// AsyncProfiler has async-profiler record in the JVM: the library that the JVM has loaded, or one that it loads now.
// The recording goes to a folder that only the target's user can read. The library stays loaded, as HotSpot unloads no
// agent.
type AsyncProfiler struct {
	Live *live.Source
	// Duration is how long to record.
	Duration time.Duration
	// Options are the options of async-profiler's agent: "event=cpu,interval=10000000".
	Options string
	// Library is a file on our side: libasyncProfiler.so, or a jar with it. A JVM that has the library loaded does not
	// use it.
	Library string
}

// AsyncProfiled is the result of an AsyncProfiler. Full is always nil.
type AsyncProfiled struct {
	FlightRecorded
	// Library is its path as the JVM sees it. Copied reports whether that is a copy, which has been removed since.
	Library string
	Copied  bool
	// WasLoaded is true if the JVM had the library loaded before.
	WasLoaded bool
	// DiskFull is true if the recording ended early as the disk of its file was running full.
	DiskFull bool
	// Warnings are the warnings of async-profiler.
	Warnings []string
}

// ErrNoAsyncProfiler means that the JVM has not loaded async-profiler and that no library was given.
var ErrNoAsyncProfiler = errors.New("this JVM has not loaded async-profiler")

// AgentError reports that an agent was not loaded, or failed.
type AgentError struct {
	// Said is the message of the JVM or the agent.
	Said string
	// Busy is true if another user's profile runs.
	Busy bool
}

func (e *AgentError) Error() string {
	if e.Busy {
		return "async-profiler already records in this JVM"
	}
	return "async-profiler did not start: " + e.Said
}

// maxLibrary bounds the library that is copied.
const maxLibrary = 16 << 20

// asyncThreads is how many threads async-profiler starts.
const asyncThreads = 2

// Run records until the time is over or the context ends, stops the recording and removes its files. If jstall is
// killed, the recording ends by itself some seconds after its time.
func (a *AsyncProfiler) Run(ctx context.Context) (done AsyncProfiled, err error) {
	if err := roomForThreads(a.Live.Target(), asyncThreads); err != nil {
		return done, err
	}
	library, err := a.find()
	if err != nil {
		return done, err
	}
	target.InTime(live.Clearing, a.Live.Asker().Folders().ClearLeft)
	dir, err := a.Live.Asker().Folders().Make()
	if err != nil {
		return done, err
	}
	defer func() { done.FilesLeft = append(done.FilesLeft, dir.Remove()...) }()
	if strings.Contains(dir.Path(""), ",") {
		return done, fmt.Errorf("the JVM's temporary folder (%s) has a comma in its name, which ends an option of "+
			"async-profiler", path.Dir(dir.Path("")))
	}
	if err := library.place(dir); err != nil {
		return done, err
	}
	done.Library, done.WasLoaded, done.Copied = library.path, library.loaded, library.content != nil
	err = a.record(ctx, dir, &done)
	if done.Gone { // async-profiler ends its file when the JVM ends in order
		done.Data, _ = readRecording(dir)
		return done, nil
	}
	if ours := dir.Has(folder.FormatJFR); ours && !isAgentError(err) { // or whether it has started is unknown
		if stopped := a.stop(ctx, done.Library, dir); err == nil {
			err = stopped
		}
	}
	done.Warnings = append(done.Warnings, warningsIn(dir.Log())...)
	if err != nil {
		return done, firstAttach(err)
	}
	done.Data, err = readRecording(dir)
	return done, err
}

// record starts the recording and waits until the time is over, the context or the target ends, or the disk is nearly
// full.
func (a *AsyncProfiler) record(ctx context.Context, dir *folder.Folder, done *AsyncProfiled) error {
	err := a.start(ctx, dir, done)
	if busy := (*AgentError)(nil); errors.As(err, &busy) && busy.Busy && leftRecording(a.Live.Asker().Folders()) {
		if err = a.stop(ctx, done.Library, dir); err == nil { // the recording of a jstall that was killed
			err = a.start(ctx, dir, done)
		}
	}
	if err != nil {
		return err
	}
	begin, used := time.Now(), a.Live.Target().UsedCPU()
	disk := diskOf(dir)
	err = (&FlightRecorder{Live: a.Live, Duration: a.Duration}).wait(ctx, disk, &done.FlightRecorded)
	done.Elapsed = min(time.Since(begin), a.Duration+margin)
	done.CPU = max(0, a.Live.Target().UsedCPU()-used)
	done.DiskFull, done.Full = done.Full != nil, nil
	return err
}

func (a *AsyncProfiler) start(ctx context.Context, dir *folder.Folder, done *AsyncProfiled) error {
	err := a.command(ctx, done.Library, strings.Join([]string{
		"start", a.Options, fmt.Sprintf("timeout=%d", int64(math.Ceil((a.Duration + margin).Seconds()))), "jfr",
		"file=" + dir.Path(folder.FormatJFR), "log=" + dir.Path(folder.FormatLog),
	}, ","))
	done.Started = err == nil || wasAsked(err)
	refused := (*AgentError)(nil)
	if !errors.As(err, &refused) {
		return err
	}
	if said := errorIn(dir.Log()); said != "" {
		refused.Said = said
	}
	refused.Busy = strings.Contains(refused.Said, "already started")
	return refused
}

// stop ends the recording, even if the context has ended. async-profiler closes its log, as the options have no "log",
// and prints nothing, as they name the format.
func (a *AsyncProfiler) stop(ctx context.Context, library string, dir *folder.Folder) error {
	late, cancel := ending.Late(ctx, recorderPatience)
	defer cancel()
	return a.command(late, library, "stop,jfr,file="+dir.Path(folder.FormatJFR))
}

// command makes the JVM load the agent, which carries out its options each time.
func (a *AsyncProfiler) command(ctx context.Context, library, options string) error {
	answer, err := a.Live.Asker().ExecuteFor(ctx, recorderPatience, attach.LoadAgent(library, options))
	if err != nil {
		return err
	}
	said := strings.TrimSpace(string(answer.Body[:min(len(answer.Body), 500)]))
	if said == "return code: 0" || said == "0" { // from 9 on, and 8
		return nil
	}
	if said == "" {
		said = "the JVM has not loaded " + library
	}
	return &AgentError{Said: strings.ReplaceAll(said, "\n", " ")}
}

// wasAsked reports whether a command was sent to the JVM, whatever the result.
func wasAsked(err error) bool {
	e := (*attach.Error)(nil)
	return errors.As(err, &e) && e.Asked
}

func isAgentError(err error) bool {
	e := (*AgentError)(nil)
	return errors.As(err, &e)
}

// asyncLibrary is where async-profiler is.
type asyncLibrary struct {
	// path is the path for the JVM.
	path   string
	loaded bool
	// content, if set, is to be copied for the JVM, which cannot see the file.
	content []byte
}

// place copies the library into the folder if the JVM cannot see its file.
func (l *asyncLibrary) place(dir *folder.Folder) error {
	if l.content == nil {
		return nil
	}
	if dir.ForbidsCode() {
		return fmt.Errorf("%s is mounted with noexec: copy the library to where the JVM may load it, and name that "+
			"file", path.Dir(dir.Path("")))
	}
	l.path = dir.Path(folder.AsyncCopy)
	return dir.Write(folder.AsyncCopy, l.content)
}

// find prefers the library that is loaded, as a second one would be another profiler in the process.
func (a *AsyncProfiler) find() (*asyncLibrary, error) {
	maps, err := a.Live.Kernel.ReadFile(a.Live.Process.PID, "maps")
	if err != nil {
		return nil, fmt.Errorf("what the JVM has loaded is not known: %w", source.Bare(err))
	}
	if loaded := loadedAsync(string(maps)); loaded != "" {
		return &asyncLibrary{path: loaded, loaded: true}, nil
	}
	if a.Library == "" {
		return nil, ErrNoAsyncProfiler
	}
	return givenAsync(a.Live.Target(), a.Library)
}

// asyncMapping finds async-profiler among the files that a process has mapped. A copy of ours has been removed since;
// glibc still recognises it by its path.
var asyncMapping = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^\S+ \S+ \S+ \S+ \d+ +(/.*/libasyncProfiler[^/\n]*?)( \(deleted\))?$`)
})

// loadedAsync returns the path of the async-profiler library that a process has loaded, taken from its maps; empty if
// no library there can be loaded once more.
func loadedAsync(maps string) string {
	deleted := ""
	for _, m := range asyncMapping().FindAllStringSubmatch(maps, -1) {
		switch {
		case m[2] == "":
			return m[1]
		case !strings.Contains(maps, "/ld-musl-"): // musl opens the file once more
			deleted = m[1]
		}
	}
	return deleted
}

// errorIn returns the last error in async-profiler's log.
func errorIn(log string) (said string) {
	for line := range strings.Lines(log) {
		if text, is := strings.CutPrefix(strings.TrimSpace(line), "[ERROR] "); is {
			said = text
		}
	}
	return said
}

// warningsIn returns the warnings in async-profiler's log.
func warningsIn(log string) (said []string) {
	const most = 5
	for line := range strings.Lines(log) {
		if text, is := strings.CutPrefix(strings.TrimSpace(line), "[WARN] "); is && len(said) < most {
			said = append(said, "async-profiler: "+text)
		}
	}
	return said
}
