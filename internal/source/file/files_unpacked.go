package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/threaddump"
)

// searched is how far into a file its first dump is searched for before the file is passed on. The bytes before the
// dump are held in memory until then.
const searched = 64 << 20

// Unpacked reads the named files one after the other, decompressed. For a file without a thread dump, or one that
// cannot be opened, it returns an error before any of its content. Reading on after an error continues with the next
// file.
func Unpacked(ctx context.Context, names []string, stdin io.Reader) io.ReadCloser {
	return &chain{ctx: ctx, files: &Files{Names: names, Input: stdin}}
}

// chain opens each file when the one before has ended.
type chain struct {
	ctx     context.Context
	files   *Files
	current io.Reader
	file    io.Closer
	name    string // of the current file
	// inFlight counts the dumps of the current flight recording.
	inFlight int
}

// errNoDumpInFlight says why a flight recording gives no dump.
var errNoDumpInFlight = fmt.Errorf("%w: the flight recording has no event jdk.ThreadDump; "+
	"jstall status shows what its other events show", threaddump.ErrNoDump)

func (c *chain) Read(b []byte) (int, error) {
	for {
		if c.current == nil {
			if err := c.open(); err != nil {
				return 0, err
			}
		}
		n, err := c.current.Read(b)
		if err == nil {
			return n, nil
		}
		_ = c.Close()
		if err != io.EOF {
			return n, source.InFile(c.name, err)
		}
		if n > 0 {
			return n, nil
		}
	}
}

// open opens the next file and searches a dump in it.
func (c *chain) open() error {
	entries, err := c.files.Next(c.ctx, source.Request{})
	if err != nil {
		return err
	}
	stream, name := entries[0].Stream, entries[0].Name
	switch {
	case entries[0].Kind == recording.Flight:
		if c.inFlight == 0 {
			return source.InFile(name, errNoDumpInFlight)
		}
		c.inFlight = 0
		return c.open()
	case entries[0].Kind != recording.ThreadDump:
		return c.open()
	case stream == nil:
		c.inFlight++
		stream = io.NopCloser(bytes.NewReader(entries[0].Bytes))
	}
	head, err := headWithDump(stream)
	if entries[0].Member && errors.Is(err, threaddump.ErrNoDump) {
		_ = stream.Close()
		return c.open()
	}
	if err != nil {
		_ = stream.Close()
		return source.InFile(name, err)
	}
	c.current, c.file, c.name = io.MultiReader(head, stream), stream, name
	return nil
}

// headWithDump reads until it finds a dump, and returns what it has read.
func headWithDump(in io.Reader) (io.Reader, error) {
	var head bytes.Buffer
	limited := &io.LimitedReader{R: in, N: searched}
	dump, err := threaddump.NewReader(io.TeeReader(limited, &head)).Next()
	switch {
	case dump != nil && len(dump.Threads) > 0:
		return &head, nil
	case limited.N <= 0:
		return nil, fmt.Errorf("%w in its first %d MB", threaddump.ErrNoDump, searched>>20)
	case err != nil && err != io.EOF:
		return nil, err
	}
	return nil, threaddump.ErrNoDump
}

func (c *chain) Close() error {
	if c.current == nil {
		return nil
	}
	c.current = nil
	return c.file.Close()
}
