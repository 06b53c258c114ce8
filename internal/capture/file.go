package capture

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/term"

	"jstall/internal/caught"
	"jstall/internal/recording"
	"jstall/threaddump"
)

// Stdin is the file name that means standard input.
const Stdin = "-"

// NameOf is what a file is called in messages.
func NameOf(file string) string {
	if file == Stdin {
		return "standard input"
	}
	return file
}

// Files is a source of saved dumps: each file is a look, in the order given.
// Files may be gzip or zstd and may hold several dumps.
type Files struct {
	Names []string
	// Input is what Stdin reads.
	Input io.Reader
	next  int
}

// Next opens the next file.
func (f *Files) Next(ctx context.Context, _ Request) ([]recording.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if f.next == len(f.Names) {
		return nil, io.EOF
	}
	name := f.Names[f.next]
	f.next++
	stream, err := Open(ctx, name, f.Input)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, &UnreadableError{err}
	}
	return []recording.Entry{{Kind: recording.ThreadDump, Name: name, At: -1, Stream: stream}}, nil
}

// UnreadableError is why a file could not be opened; the files after it can be
// read all the same.
type UnreadableError struct{ Err error }

func (e *UnreadableError) Error() string { return e.Err.Error() }
func (e *UnreadableError) Unwrap() error { return e.Err }

// Left is not known: a file may hold any number of dumps.
func (f *Files) Left() int { return -1 }

// Cost of saved dumps is nothing.
func (f *Files) Cost() Cost { return Cost{Source: "file"} }

// Open gives the content of a file, or of standard input, decompressed. Its reads end
// with ctx. The error tells a file that holds neither dumps nor answers (ForeignError).
func Open(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name == Stdin {
		if file, ok := stdin.(*os.File); ok && isEndless(file) {
			return nil, errors.New("standard input is a device without an end")
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
		file.Close()
		return nil, fmt.Errorf("%s is a device without an end", name)
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

// isEndless tells a device that goes on for ever, such as /dev/zero, from a terminal
// and from /dev/null.
func isEndless(file *os.File) bool {
	info, err := file.Stat()
	if err != nil || info.Mode()&fs.ModeDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return !(err == nil && os.SameFile(info, null)) && !term.IsTerminal(int(file.Fd()))
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

// maxZstdWindow bounds the memory that a forged zstd header may ask for.
const maxZstdWindow = 128 << 20

// decompress tells gzip and zstd by their first bytes, not by the name.
func decompress(in io.ReadCloser, name string) (io.ReadCloser, error) {
	packed := &counting{Reader: in}
	buffered := bufio.NewReaderSize(packed, readBuffer)
	head, _ := buffered.Peek(threaddump.FileFormatLen)
	if other := Foreign(name, head); other != nil {
		in.Close()
		return nil, other
	}
	switch threaddump.FileFormatOf(head) {
	case threaddump.Gzip:
		z, err := gzip.NewReader(buffered)
		if err != nil {
			in.Close()
			return nil, fmt.Errorf("%s: %w", NameOf(name), &DamagedError{"gzip", err})
		}
		return &unpacked{Reader: &bounded{counting{Reader: z}, packed}, file: in, format: "gzip"}, nil
	case threaddump.Zstd:
		z, err := zstd.NewReader(buffered, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxZstdWindow), zstd.WithDecoderLowmem(true))
		if err != nil {
			in.Close()
			return nil, fmt.Errorf("%s: %w", NameOf(name), err)
		}
		return &unpacked{Reader: &bounded{counting{Reader: z}, packed}, file: in, format: "zstd", end: z.Close}, nil
	}
	return &unpacked{Reader: buffered, file: in}, nil
}

// unpacked reads the content and closes the file below it.
type unpacked struct {
	io.Reader
	file   io.Closer
	format string // of the compression, empty for none
	end    func()
}

// DamagedError tells that compressed data is broken or ends too early.
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
	if u.format != "" && err != nil && err != io.EOF && !interrupted && !errors.As(err, &tooLarge) {
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
