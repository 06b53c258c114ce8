package capture

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/threaddump"
)

const (
	// firstVirtual is the first JDK that has [virtualCommand].
	firstVirtual = 21
	// virtualPatience is how long it may take at least: it is Java code, which lists
	// 100,000 threads in a second or two, and on a busy machine in ten.
	virtualPatience = 20 * time.Second
	// virtualPause is the time from one such dump to the next.
	virtualPause = 300 * time.Millisecond
	// maxVirtual bounds the bytes that are read of one: a million threads.
	maxVirtual = 1 << 30
)

// virtual has Java code in the JVM list its virtual threads, if that is asked for, or takes the list that a recording
// has. It does so last of all: the code runs on the only thread that answers requests. A second list is taken
// only if the first shows threads that wait for locks or permits.
func (t *taker) virtual(ctx context.Context) error {
	if t.plan.Virtual == source.VirtualNever || t.src.Left() != 0 || !source.NeedsOf(t.plan.Kinds).Java {
		return nil
	}
	for range 2 {
		t.suspect = false
		entries, err := t.src.Next(ctx, source.Request{Virtual: true, JavaCode: t.plan.Virtual == source.VirtualAlways})
		if err != nil {
			return err
		}
		if err := t.observer.observe(entries); err != nil {
			return err
		}
		if t.result.Failure = form.FailureOf(entries); t.result.Failure != nil {
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

// seeVirtual reports whether Java code in the JVM wrote the dump, and notes whether it must be confirmed.
func (t *taker) seeVirtual(o timeline.Observation) (written bool) {
	if o.Dump == nil || o.Source != source.VirtualCommand {
		return false
	}
	t.suspect = timeline.NeedsConfirmation(o.Dump)
	return true
}

// RefusesVirtual returns why VirtualAlways is not possible with this JVM, nil if it is: a known bug of its release can
// end it. The error is an *attach.Error.
func (l *Live) RefusesVirtual() error { return l.refuses(dumpToFile("json", "FILE")) }

// virtual asks the JVM for all its threads in a file and opens that; the file has
// no name any more when it is read. No entry if there is no file.
func (l *Live) virtual(ctx context.Context) ([]recording.Entry, error) {
	if m := l.Process.Major; m > 0 && m < firstVirtual {
		l.cost.Virtual.Why = fmt.Sprintf("JDK %d has none", m)
		return nil, nil
	}
	if l.OnJavaCode != nil && l.cost.Virtual.Dumps == 0 && l.RefusesVirtual() == nil {
		l.OnJavaCode(source.VirtualCommand)
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
			Kind: recording.ThreadDump, Name: source.VirtualCommand, At: begin.Sub(l.start), Took: time.Since(begin),
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
		Kind: recording.ThreadDump, Name: source.VirtualCommand, At: begin.Sub(l.start), Took: time.Since(begin),
		Stream: &limited{ReadCloser: file, left: maxVirtual},
	}}, nil
}

// dumpToFile is the command that has all threads written to a file.
func dumpToFile(format, path string) attach.Command {
	return attach.Jcmd(fmt.Sprintf("%s -format=%s %s", source.VirtualCommand, format, path))
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
	command := dumpToFile(format, folder.path(format))
	answer, err := l.executeFor(ctx, max(l.Timeout, virtualPatience), command)
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
		o.warnings = append(o.warnings, fmt.Sprintf("%swhat the JVM wrote is no list of threads (%v)",
			source.NotListed, err))
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
		o.leaveOut(source.InFile(e.Name, err), 1)
	}
}

// reading are the options with which all dumps of a capture are read.
func (o *observer) reading() []threaddump.Option {
	return []threaddump.Option{threaddump.WithInterner(o.interner), threaddump.WithAlikeCounted()}
}
