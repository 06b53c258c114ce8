package file

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/source"
)

// Open gives the content of a file, or of standard input, decompressed. Its reads end with ctx. A file that holds
// neither dumps nor answers is a ForeignError.
func Open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == source.Stdin {
		if file, ok := stdin.(*os.File); ok && isEndless(file) {
			return nil, errors.New("standard input is an endless device")
		}
		return decompress(&cancellable{ReadCloser: io.NopCloser(endless(stdin)), ctx: ctx}, name)
	}
	info, err := os.Stat(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, source.Bare(err))
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a directory; name the files in it", name)
	}
	file, err := openFile(ctx, name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, source.Bare(err))
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

// isEndless reports whether a file is a device that never ends, such as /dev/zero, unlike a terminal and /dev/null.
func isEndless(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&fs.ModeDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	isNull := err == nil && os.SameFile(info, null)
	return !isNull && !term.IsTerminal(int(file.Fd()))
}

// openFile opens a file. It gives up when ctx ends, as opening a FIFO without a writer blocks.
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

// readBuffer is large enough that reading costs little compared with parsing.
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

// cancellable ends a read when the user interrupts, even a read that blocks (a terminal or a pipe without a writer).
// The blocked goroutine ends with the program.
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
		return 0, err // an abandoned read may still be in progress
	}
	done := make(chan result, 1)
	go func() {
		var r result
		r.broken = caught.Try(func() { r.n, r.err = c.ReadCloser.Read(b) })
		done <- r
	}()
	select {
	case r := <-done:
		r.broken.Repanic()
		return r.n, r.err
	case <-c.ctx.Done():
		return 0, c.ctx.Err()
	}
}
