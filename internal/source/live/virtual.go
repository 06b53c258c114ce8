package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/folder"
	"github.com/jstall/jstall/internal/source/target"
)

const (
	// virtualPatience is the shortest time limit for it: it is Java code, which lists 100,000 threads in a second or
	// two, and on a busy machine in ten.
	virtualPatience = 20 * time.Second
	// maxVirtual bounds how many bytes of a file are read: a million threads.
	maxVirtual = 1 << 30
)

// RefusesVirtual returns why VirtualAlways is not possible with this JVM, nil if it is possible: a known bug of the
// JVM's release can end it. The error is an *attach.Error.
func (a *Asker) RefusesVirtual() error {
	return a.Refuses(dumpToFile(folder.FormatJSON, "FILE"))
}

// virtual asks the JVM to write all its threads to a file and opens the file, which is unlinked when it is read. It
// returns no entry without a file.
func (l *Source) virtual(ctx context.Context) ([]recording.Entry, error) {
	if !l.Process.MayHaveVirtual() {
		l.cost.Virtual.Why = fmt.Sprintf("JDK %d has none", l.Process.Major)
		return nil, nil
	}
	if l.OnJavaCode != nil && l.cost.Virtual.Dumps == 0 && l.Asker().RefusesVirtual() == nil {
		l.OnJavaCode(source.VirtualCommand)
	}
	begin := time.Now()
	waiting, watcher := l.watch(ctx)
	file, err := l.virtualFile(waiting)
	seen := watcher.End(err)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if target.Explicable(err) { // a report without it would hide that the JVM does not answer
		failed := recording.Entry{
			Kind: recording.ThreadDump, Name: source.VirtualCommand, At: begin.Sub(l.Target().Start),
			Took: time.Since(begin),
			Err:  err,
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
		Kind: recording.ThreadDump, Name: source.VirtualCommand, At: begin.Sub(l.Target().Start),
		Took:   time.Since(begin),
		Stream: &limited{ReadCloser: file, left: maxVirtual},
	}}, nil
}

// dumpToFile is the command that writes all threads to a file.
func dumpToFile(format, path string) attach.Command {
	return attach.Jcmd(fmt.Sprintf("%s -format=%s %s", source.VirtualCommand, format, path))
}

// virtualFile lets the JVM write JSON, which has the most facts, or plain text if that fails, as it does for names with
// control characters.
func (l *Source) virtualFile(ctx context.Context) (io.ReadCloser, error) {
	dir, err := l.Asker().Folders().Make()
	if err != nil {
		return nil, err
	}
	defer func() { l.cost.FilesLeft = append(l.cost.FilesLeft, dir.Remove()...) }()
	err = l.Asker().writeThreads(ctx, dir, folder.FormatJSON)
	if errors.Is(err, errNotWritten) && l.Asker().writeThreads(ctx, dir, folder.FormatPlain) == nil {
		l.cost.Virtual.Plain = true
		return dir.Open(folder.FormatPlain)
	}
	if err != nil {
		return nil, err
	}
	return dir.Open(folder.FormatJSON)
}

// writeThreads makes the JVM write the file, which is named after its format.
func (a *Asker) writeThreads(ctx context.Context, dir *folder.Folder, format string) error {
	command := dumpToFile(format, dir.Path(format))
	answer, err := a.ExecuteFor(ctx, virtualPatience, command)
	if e := (*attach.Error)(nil); errors.As(err, &e) && e.Code == attach.CodeCommandFailed {
		err = fmt.Errorf("%w: %s", errNotWritten, e.Cause)
	}
	if err == nil && !bytes.HasPrefix(answer.Body, []byte("Created ")) {
		line, _, _ := bytes.Cut(answer.Body, []byte("\n"))
		err = fmt.Errorf("%w: it answers %q", errNotWritten, line[:min(len(line), 200)])
	}
	return err
}

// errNotWritten means that the JVM has answered, and that the file is not complete: the exception that ended the
// writing is in the answer, although its status reports success.
var errNotWritten = errors.New("the JVM did not write the file")

// limited ends a stream with an error if the target makes it too long.
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
