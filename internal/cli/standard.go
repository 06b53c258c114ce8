package cli

import (
	"context"
	"io"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// standard is the file name that means standard input or output, even if there is a
// file of that name: that one is ./-.
const standard = source.Stdin

// onceOnly says why a second dash is wrong.
const onceOnly = "standard input can be read only once"

// readRecordingFrom opens a recording that is a file, or comes on standard input.
func readRecordingFrom(ctx context.Context, env *Env, path string) (*recording.Recording, error) {
	if path == standard {
		return recording.OpenFrom(untilDone{ctx, env.Stdin}, "standard input")
	}
	return recording.Open(path)
}

// counter counts the bytes that pass.
type counter struct {
	w io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}

// untilDone ends reading when the user interrupts.
type untilDone struct {
	ctx context.Context
	in  io.Reader
}

func (u untilDone) Read(b []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.in.Read(b)
}
