package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"jstall/analysis/timeline"
	"jstall/attach"
	"jstall/internal/recording"
	"jstall/threaddump"
)

// VirtualMode says whether the JVM may be asked for its virtual threads
// (Thread.dump_to_file, 21 and newer). It runs Java code there that writes a file.
type VirtualMode string

const (
	// VirtualAuto asks where the dumps show that there are virtual threads.
	VirtualAuto VirtualMode = "auto"
	// VirtualAlways asks in any case, VirtualNever in none.
	VirtualAlways VirtualMode = "always"
	VirtualNever  VirtualMode = "never"
)

// VirtualOutcome is the outcome of listing virtual threads in a capture.
type VirtualOutcome struct {
	// Dumps counts those that were had, Took is how long the JVM took to write them.
	Dumps int
	Took  time.Duration
	// Plain is true if the JVM could not write JSON, and wrote plain text.
	Plain bool
	// Why says why they were not listed though they were asked for.
	Why string
}

const notListed = "virtual threads are not listed: "

// IsVirtualWarning recognises a warning of a capture that says why it did not list them.
func IsVirtualWarning(text string) bool { return strings.HasPrefix(text, notListed) }

// footnote words the outcome for the report, empty if there is nothing to say.
func (o VirtualOutcome) footnote() string {
	switch {
	case o.Why != "":
		return notListed + o.Why
	case o.Plain:
		return "the JVM could not write its virtual threads as JSON (a thread's name has control characters); " +
			"plain text was read instead"
	}
	return ""
}

const (
	// virtualCommand is the diagnostic command that writes all threads to a file.
	virtualCommand = "Thread.dump_to_file"
	// firstVirtual is the first JDK that has it.
	firstVirtual = 21
	// virtualPatience is how long it may take at least: it is Java code, which lists
	// 100,000 threads in a second or two, and on a busy machine in ten.
	virtualPatience = 20 * time.Second
	// virtualPause is the time from one such dump to the next.
	virtualPause = 300 * time.Millisecond
	// maxVirtual bounds the bytes that are read of one: a million threads.
	maxVirtual = 1 << 30
)

// virtual takes what Java code in the JVM tells of its virtual threads, last of
// all: it runs on the only thread that answers requests. A second dump is taken
// only if the first shows threads that wait for locks or permits.
func (t *taker) virtual(ctx context.Context) error {
	mode := t.plan.Virtual
	if mode == "" {
		mode = VirtualAuto
	}
	wanted := mode == VirtualAlways || mode == VirtualAuto && t.carriers
	if !wanted || t.src.Left() != 0 || !NeedsOf(t.plan.Kinds).Virtual {
		return nil
	}
	for range 2 {
		t.suspect = false
		entries, err := t.src.Next(ctx, Request{Virtual: true})
		if err != nil {
			return err
		}
		if err := t.observer.observe(entries); err != nil {
			return err
		}
		if t.result.Failure = failureOf(entries); t.result.Failure != nil {
			return nil
		}
		if !t.suspect {
			return nil
		}
		if err := pauseFor(ctx, virtualPause); err != nil {
			return err
		}
	}
	return nil
}

func pauseFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// seeVirtual notes what a dump shows of virtual threads: whether there are any, and
// whether what Java code wrote must be confirmed.
func (t *taker) seeVirtual(o timeline.Observation) (written bool) {
	if o.Dump == nil || o.Source != virtualCommand {
		t.carriers = o.Dump != nil && NeedsOf(t.plan.Kinds).Virtual && timeline.ShowsCarriers(o.Dump)
		return false
	}
	t.suspect = timeline.NeedsConfirmation(o.Dump)
	return true
}

// virtual asks the JVM for all its threads in a file and opens that; the file has
// no name any more when it is read. No entry if it could not be had.
func (l *Live) virtual(ctx context.Context) ([]recording.Entry, error) {
	if m := l.Process.Major; m > 0 && m < firstVirtual {
		l.cost.Virtual.Why = fmt.Sprintf("JDK %d has none", m)
		return nil, nil
	}
	begin := time.Now()
	waiting, watcher := l.watch(ctx)
	file, err := l.virtualFile(waiting)
	seen := watcher.end(err)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if explicable(err) { // a report that goes on without a word would hide that it is silent
		failed := recording.Entry{
			Kind: recording.ThreadDump, Name: virtualCommand, At: begin.Sub(l.start), Took: time.Since(begin),
			Err: err,
		}
		return append([]recording.Entry{failed}, seen...), nil
	}
	if err != nil {
		l.cost.Virtual.Why = err.Error()
		return nil, nil
	}
	l.cost.Virtual.Dumps++
	l.cost.Virtual.Took += time.Since(begin)
	return []recording.Entry{{
		Kind: recording.ThreadDump, Name: virtualCommand, At: begin.Sub(l.start), Took: time.Since(begin),
		Stream: &limited{ReadCloser: file, left: maxVirtual},
	}}, nil
}

// virtualFile lets the JVM write JSON, which says most, and plain text where it
// fails at that: it does at names with control characters.
func (l *Live) virtualFile(ctx context.Context) (io.ReadCloser, error) {
	folder, err := l.privateFolder()
	if err != nil {
		return nil, err
	}
	defer func() { l.cost.FilesLeft = append(l.cost.FilesLeft, folder.remove()...) }()
	err = l.writeThreads(ctx, folder, "json")
	if errors.Is(err, errNotWritten) && l.writeThreads(ctx, folder, "plain") == nil {
		l.cost.Virtual.Plain = true
		return folder.open("plain")
	}
	if err != nil {
		return nil, err
	}
	return folder.open("json")
}

// writeThreads has the file written; a file is named after its format.
func (l *Live) writeThreads(ctx context.Context, folder *privateFolder, format string) error {
	command := fmt.Sprintf("%s -format=%s %s", virtualCommand, format, folder.path(format))
	answer, err := l.executeFor(ctx, max(l.Timeout, virtualPatience), attach.Jcmd(command))
	if e := (*attach.Error)(nil); errors.As(err, &e) && e.Code == attach.CodeCommandFailed {
		err = fmt.Errorf("%w: %s", errNotWritten, e.Cause)
	}
	if err == nil && !bytes.HasPrefix(answer.Body, []byte("Created ")) {
		line, _, _ := bytes.Cut(answer.Body, []byte("\n"))
		err = fmt.Errorf("%w: it answers %q", errNotWritten, line[:min(len(line), 200)])
	}
	return err
}

// errNotWritten is that the JVM has answered, and that the file is not whole: the
// exception that ended it is in the answer, whose status tells of none.
var errNotWritten = errors.New("the JVM did not write the file")

// limited ends a stream that the target makes too long with an error.
type limited struct {
	io.ReadCloser
	left int64
}

func (l *limited) Read(b []byte) (int, error) {
	if l.left <= 0 {
		return 0, fmt.Errorf("larger than %d MB", maxVirtual>>20)
	}
	n, err := l.ReadCloser.Read(b[:min(int64(len(b)), l.left)])
	l.left -= int64(n)
	return n, err
}

// written takes the one dump that the JVM was asked for. Names are raw in plain text,
// and may hold what looks like further dumps.
func (o *observer) written(e recording.Entry, reader dumpReader, beside timeline.Observation, text *inputText) {
	dump, err := reader.Next()
	if dump == nil || dump.Instant {
		o.warnings = append(o.warnings, fmt.Sprintf("%swhat the JVM wrote is no list of threads (%v)", notListed, err))
		return
	}
	beside.Dump, beside.Source = dump, e.Name
	o.texts.found(dump, text)
	if e.At >= 0 {
		beside.At = threaddump.Known(e.At)
	}
	o.add(beside)
	o.warn(e.Name, dump.Problems)
	if err != nil && err != io.EOF {
		o.leaveOut(inFile(e.Name, err), 1)
	}
}

// reading are the options with which all dumps of a capture are read.
func (o *observer) reading() []threaddump.Option {
	return []threaddump.Option{threaddump.WithInterner(o.interner), threaddump.WithAlikeCounted()}
}
