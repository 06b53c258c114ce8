package capture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/term"

	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// Files is a source of saved dumps: each file is a reading, in the order given.
// Files may be compressed, archives of files, core files, and may hold several dumps.
type Files struct {
	Names []string
	// Input is what Stdin reads.
	Input io.Reader
	next  int
	// archive is what the files come from that are next, called in; held is how many
	// came of it.
	archive archive
	in      string
	held    int
	// flight is the flight recording whose thread dumps are next, nil for none.
	flight *flightFile
	// asText is a flight recording that is read as text next, empty for none.
	asText string
	// cores counts the core files among them.
	cores int
	// untested is the processor of one of them for which reading is not tested, empty for none.
	untested string
	// unread is what the last file lacks, nil if nothing.
	unread error
}

// Next opens the next file.
func (f *Files) Next(ctx context.Context, _ source.Request) ([]recording.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.flight != nil {
		return f.nextOfFlight(ctx)
	}
	if f.asText != "" {
		return f.textOfFlight(ctx)
	}
	if f.archive != nil {
		return f.nextOf(ctx)
	}
	if err := f.unread; err != nil {
		f.unread = nil
		return nil, err
	}
	if f.next == len(f.Names) {
		return nil, io.EOF
	}
	name := f.Names[f.next]
	f.next++
	if name != source.Stdin && IsCore(name) {
		return f.core(ctx, name)
	}
	archive, stream, err := archiveIn(ctx, name, f.Input)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &source.UnreadableError{Err: err}
	}
	if archive != nil {
		f.archive, f.in, f.held = archive, name, 0
		return f.nextOf(ctx)
	}
	if f.flight, stream = flightIn(name, stream); f.flight != nil {
		return f.nextOfFlight(ctx)
	}
	return []recording.Entry{{Kind: recording.ThreadDump, Name: name, At: -1, Stream: stream}}, nil
}

// nextOf opens the next file of the archive.
func (f *Files) nextOf(ctx context.Context) ([]recording.Entry, error) {
	name, content, err := f.archive.next()
	if err == nil {
		f.held++
		if f.flight, content = flightIn(path.Join(f.in, name), content); f.flight != nil {
			return f.nextOfFlight(ctx)
		}
		return []recording.Entry{{
			Kind: recording.ThreadDump, Name: path.Join(f.in, name), At: -1, Member: true,
			Stream: &cancellable{ReadCloser: content, ctx: ctx},
		}}, nil
	}
	_ = f.archive.Close()
	f.archive = nil
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != io.EOF:
		return nil, &source.UnreadableError{Err: fmt.Errorf("%s: %w", source.NameOf(f.in), err)}
	case f.held == 0:
		return nil, &source.UnreadableError{Err: fmt.Errorf("%s: the archive has no file that could be read",
			source.NameOf(f.in))}
	}
	return f.Next(ctx, source.Request{})
}

// Left is not known: a file may hold any number of dumps.
func (f *Files) Left() int { return -1 }

// Cost of saved dumps is nothing.
func (f *Files) Cost() source.Cost {
	c := source.Cost{Source: "file", Memory: source.MemoryOutcome{Untested: f.untested}}
	if f.cores > 0 && f.cores == len(f.Names) {
		c.Source = "core"
	}
	return c
}

// Open gives the content of a file, or of standard input, decompressed. Its reads end
// with ctx. The error tells a file that holds neither dumps nor answers (ForeignError).
func Open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == source.Stdin {
		if file, ok := stdin.(*os.File); ok && isEndless(file) {
			return nil, errors.New("standard input is an endless device")
		}
		return decompress(&cancellable{ReadCloser: io.NopCloser(endless(stdin)), ctx: ctx}, name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, bare(err))
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory; name the files in it", name)
	}
	file, err := openFile(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, bare(err))
	}
	if isEndless(file) {
		_ = file.Close()
		return nil, fmt.Errorf("%s is an endless device", name)
	}
	if in := endless(file); in != io.Reader(file) {
		return decompress(&cancellable{ReadCloser: &unpacked{Reader: in, file: file}, ctx: ctx}, name)
	}
	return decompress(&cancellable{ReadCloser: file, ctx: ctx}, name)
}

// endless bounds an input that may not end.
func endless(in io.Reader) io.Reader {
	if !unbounded(in) {
		return in
	}
	return &piped{counting{Reader: in}}
}

// isEndless distinguishes a device that never ends, such as /dev/zero, from a terminal
// and from /dev/null.
func isEndless(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&fs.ModeDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	isNull := err == nil && os.SameFile(info, null)
	return !isNull && !term.IsTerminal(int(file.Fd()))
}

// openFile opens a file, or gives up with ctx: a FIFO without a writer blocks.
func openFile(ctx context.Context, name string) (*os.File, error) {
	type result struct {
		file *os.File
		err  error
	}
	done := make(chan result, 1)
	go func() {
		file, err := os.Open(name)
		done <- result{file, err}
	}()
	select {
	case r := <-done:
		return r.file, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// bare takes the path out of a file error, which names it once more.
func bare(err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return p.Err
	}
	return err
}

// readBuffer is large enough that reading costs little beside parsing.
const readBuffer = 256 << 10

// unpacked reads the content and closes the file below it.
type unpacked struct {
	io.Reader
	file   io.Closer
	format string // of the compression, empty for none
	end    func()
}

// DamagedError reports that compressed data is broken or ends too early.
type DamagedError struct {
	// Format is gzip or zstd.
	Format string
	Err    error
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("the %s data is damaged (%s)", e.Format, strings.TrimPrefix(e.Err.Error(), e.Format+": "))
}
func (e *DamagedError) Unwrap() error { return e.Err }

func (u *unpacked) Read(b []byte) (int, error) {
	n, err := u.Reader.Read(b)
	interrupted := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
	tooLarge := (*TooLargeError)(nil)
	otherCause := err == io.EOF || interrupted || errors.As(err, &tooLarge)
	if u.format != "" && err != nil && !otherCause {
		err = &DamagedError{u.format, err}
	}
	return n, err
}

func (u *unpacked) Close() error {
	if u.end != nil {
		u.end()
	}
	return u.file.Close()
}

// cancellable ends a read when the user interrupts, also one that blocks (a
// terminal or a pipe without a writer); the blocked goroutine ends with us.
type cancellable struct {
	io.ReadCloser
	ctx context.Context
}

func (c *cancellable) Read(b []byte) (int, error) {
	type result struct {
		n      int
		err    error
		broken *caught.Panic
	}
	if err := c.ctx.Err(); err != nil {
		return 0, err // a read that was given up may still be under way
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.broken = caught.Try(func() { r.n, r.err = c.ReadCloser.Read(b) })
		done <- r
	}()
	select {
	case r := <-done:
		r.broken.Again()
		return r.n, r.err
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	}
}
