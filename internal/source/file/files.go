package file

import (
	"context"
	"fmt"
	"io"
	"path"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// Files is a source of saved dumps: each file is a reading, in the given order. A file may be compressed, an archive or
// a core file, and may have several dumps.
type Files struct {
	Names []string
	// Input is the content of Stdin.
	Input io.Reader
	next  int
	// archive is the archive whose files are next, in its name; held counts the files that it gave.
	archive archive
	in      string
	held    int
	// flight is the flight recording whose thread dumps are next, nil for none.
	flight *flightFile
	// asText is a flight recording that is read as text next, empty for none.
	asText string
	// cores counts the core files among them.
	cores int
	// untested is the processor of one of them if reading is not tested on it, empty otherwise.
	untested string
	// unread says what the last file lacks, nil if it is complete.
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

// Left is unknown, as a file may have any number of dumps.
func (f *Files) Left() int { return -1 }

// Cost is zero for saved dumps.
func (f *Files) Cost() source.Cost {
	c := source.Cost{Source: "file", Memory: source.MemoryOutcome{Untested: f.untested}}
	if f.cores > 0 && f.cores == len(f.Names) {
		c.Source = "core"
	}
	return c
}
