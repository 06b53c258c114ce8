package file

import (
	"bytes"
	"context"
	"io"
	"os"
	"time"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/threaddump"
)

// Input is a file that was opened to see what it is. A regular file is closed until it is read; others (a pipe,
// standard input) can be read only once.
type Input struct {
	Name string
	// Head is the beginning of its content, decompressed.
	Head   []byte
	Date   time.Time     // of its first dump, zero if unknown
	stream io.ReadCloser // of an input that cannot be opened again
}

// OpenInput opens a file and reads headLen bytes of its content, or all if there are fewer.
func OpenInput(ctx context.Context, name string, stdin io.Reader, headLen int) (*Input, error) {
	in := &Input{Name: name}
	stream, err := Open(ctx, name, stdin)
	if err != nil {
		return nil, err
	}
	in.Head = make([]byte, headLen)
	n, err := io.ReadFull(stream, in.Head)
	in.Head = in.Head[:n]
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		_ = stream.Close()
		return nil, source.InFile(name, err)
	}
	if info, err := os.Stat(name); name != source.Stdin && err == nil && info.Mode().IsRegular() {
		return in, stream.Close()
	}
	in.stream = &unpacked{Reader: io.MultiReader(bytes.NewReader(in.Head), stream), file: stream}
	return in, nil
}

// Repeatable reports whether the input can be read more than once.
func (in *Input) Repeatable() bool { return in.stream == nil }

// Content is the whole content of the input, decompressed.
func (in *Input) Content(ctx context.Context) (io.ReadCloser, error) {
	if in.stream != nil {
		return in.stream, nil
	}
	return Open(ctx, in.Name, nil)
}

// Inputs is a source of the thread dumps in inputs: each input is a reading.
type Inputs struct {
	Inputs []*Input
	next   int
}

// Next gives the next input.
func (s *Inputs) Next(ctx context.Context, _ source.Request) ([]recording.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.next == len(s.Inputs) {
		return nil, io.EOF
	}
	in := s.Inputs[s.next]
	s.next++
	stream, err := in.Content(ctx)
	if err != nil {
		return nil, &source.UnreadableError{Err: err}
	}
	return []recording.Entry{{Kind: recording.ThreadDump, Name: in.Name, At: -1, Stream: stream}}, nil
}

// Left is unknown.
func (s *Inputs) Left() int { return -1 }

// Cost is zero for saved dumps.
func (s *Inputs) Cost() source.Cost { return source.Cost{Source: "file"} }

// HoldsDumps notes when the first dump was taken. It frees the content of an input that can be opened again.
func (in *Input) HoldsDumps() {
	if dump, _ := threaddump.NewReader(bytes.NewReader(in.Head)).Next(); dump != nil {
		in.Date = dump.Time
	}
	if in.stream == nil {
		in.Head = nil
	}
}
