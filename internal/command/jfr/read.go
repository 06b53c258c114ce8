package jfr

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/query"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
)

// recordings are files that are read one after the other, as one recording.
type recordings struct {
	env   *shell.Env
	files []string
	// chunks is how many chunks could be read.
	chunks int
	unread []error
}

// each visits all chunks. A file that cannot be read does not affect the others. An answer that is too large ends all
// reading.
func (r *recordings) each(ctx context.Context, visit func(*jfr.Chunk) error) error {
	for _, name := range r.files {
		in, err := file.Open(ctx, name, r.env.Stdin)
		if err != nil {
			r.unread = append(r.unread, err)
			continue
		}
		err = r.file(ctx, in, visit)
		_ = in.Close()
		switch {
		case err == nil:
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, query.ErrTooMuch):
			return shell.NoResult("add WHERE or LIMIT to the query", "%v", err)
		default:
			r.unread = append(r.unread, fmt.Errorf("%s: %w", source.NameOf(name), err))
		}
	}
	return nil
}

func (r *recordings) file(ctx context.Context, in io.Reader, visit func(*jfr.Chunk) error) error {
	for file := jfr.NewReader(in); ctx.Err() == nil; {
		chunk, err := file.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := visit(chunk); err != nil {
			return file.Fail(err)
		}
		r.chunks++
	}
	return ctx.Err()
}

// outcome warns of files that could not be read.
func (r *recordings) outcome() error {
	for _, err := range r.unread {
		r.env.Complain("warning: "+shell.Failure(err).Message, "")
	}
	switch {
	case len(r.unread) == 0:
		return nil
	case r.chunks == 0:
		return shell.NoResult("name a file of the flight recorder (jcmd PID JFR.dump filename=app.jfr)",
			"no recording was read")
	}
	return &shell.ExitError{Code: shell.ExitPartial}
}
