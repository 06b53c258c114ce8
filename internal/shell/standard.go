package shell

import (
	"context"
	"io"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// Standard is the file name that means standard input or output. A file of that name is ./-.
const Standard = source.Stdin

// OnceOnly is the error of a second dash.
const OnceOnly = "standard input can be read only once"

// ReadRecordingFrom opens a recording that is a file, or comes on standard input.
func ReadRecordingFrom(ctx context.Context, env *Env, path string) (*recording.Recording, error) {
	if path == Standard {
		return recording.OpenFrom(untilDone{ctx, env.Stdin}, "standard input")
	}
	return recording.Open(path)
}

// Counter counts the bytes that are written through it.
type Counter struct {
	W io.Writer
	N int64
}

// Write counts what is written to W.
func (c *Counter) Write(p []byte) (int, error) {
	n, err := c.W.Write(p)
	c.N += int64(n)
	return n, err
}

// untilDone ends reading after an interrupt by the user.
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
