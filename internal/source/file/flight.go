package file

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/jstall/jstall/internal/jfr/facts"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// flightFile is an open flight recording: it gives a reading for each of its thread dumps, and one for its events.
type flightFile struct {
	name   string
	in     io.Closer
	reader *facts.Reader
}

// flightIn reads a stream as a flight recording. It returns nil for another file, which is then read from the returned
// stream from its beginning.
func flightIn(name string, stream io.ReadCloser) (*flightFile, io.ReadCloser) {
	var buffered *bufio.Reader
	if t, ok := stream.(*textOf); ok {
		buffered, _ = t.Reader.(*bufio.Reader)
	}
	if buffered == nil {
		buffered = bufio.NewReaderSize(stream, readBuffer)
		stream = &textOf{buffered, stream}
	}
	if head, _ := buffered.Peek(facts.HeadLen); !facts.IsRecording(head) {
		return nil, stream
	}
	return &flightFile{name: name, in: stream, reader: facts.NewReader(stream)}, nil
}

// nextOfFlight returns the next thread dump of the recording, and after the dumps the sums of its events. The next
// reading has the error of what could not be read.
func (f *Files) nextOfFlight(ctx context.Context) ([]recording.Entry, error) {
	file := f.flight
	dump, ended := file.reader.Next()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if ended == nil {
		name := fmt.Sprintf("%s[%s]", file.name, file.reader.Clock(dump.At))
		return []recording.Entry{{Kind: recording.ThreadDump, Name: name, At: -1, Bytes: []byte(dump.Text)}}, nil
	}
	f.flight = nil
	_ = file.in.Close()
	r := file.reader.Recording()
	var unread error
	if ended != io.EOF {
		unread = &source.UnreadableError{Err: fmt.Errorf("%s: %w", source.NameOf(file.name), ended)}
	}
	if r == nil {
		if file.name != source.Stdin && f.archive == nil {
			f.asText = file.name
		}
		return nil, unread
	}
	f.unread = unread
	content, err := json.Marshal(r)
	return []recording.Entry{{Kind: recording.Flight, Name: file.name, At: -1, Bytes: content, Err: err}}, nil
}

// textOfFlight reads a recording without a whole chunk as text: it has the thread dumps as they were printed.
func (f *Files) textOfFlight(ctx context.Context) ([]recording.Entry, error) {
	name := f.asText
	f.asText = ""
	stream, err := Open(ctx, name, nil)
	if err != nil {
		return nil, &source.UnreadableError{Err: err}
	}
	return []recording.Entry{{Kind: recording.ThreadDump, Name: name, At: -1, Member: true, Stream: stream}}, nil
}
