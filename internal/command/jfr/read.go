package jfr

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/query"
	"github.com/jstall/jstall/internal/recording"
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
		in, err := openFlight(ctx, name, r.env.Stdin)
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

// openFlight opens a flight recording. Those in a recording of the Java tool are read one after the other, as one file.
func openFlight(ctx context.Context, name string, stdin io.Reader) (io.ReadCloser, error) {
	if name != source.Stdin && recording.Is(name) {
		if r, err := recording.Open(name); err == nil {
			if inside, err := flightsIn(r); inside != nil || err != nil {
				return inside, err
			}
			_ = r.Close()
		}
	}
	return file.Open(ctx, name, stdin)
}

// flights are the flight recordings in a recording; closing them closes the recording.
type flights struct {
	io.Reader
	io.Closer
}

// flightsIn returns nil for a recording without flight recordings.
func flightsIn(r *recording.Recording) (io.ReadCloser, error) {
	var all []io.Reader
	for _, j := range r.Manifest.JVMs {
		for _, member := range r.FlightRecordings(j) {
			in, err := r.OpenMember(member)
			if err != nil {
				return nil, err
			}
			all = append(all, in)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	return flights{io.MultiReader(all...), r}, nil
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
