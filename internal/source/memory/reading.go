package memory

import (
	"context"
	"time"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// Reading is a reading whose dump, the first of its entries, is read from memory; a failure is that entry alone. The
// other entries come from /proc and the counters, among them the CPU time of the process if several readings are
// compared.
func (l *Reader) Reading(ctx context.Context, r source.Request, compared bool) []recording.Entry {
	begin := time.Now()
	d, err := l.Dump(ctx)
	dump := recording.Entry{Kind: recording.ThreadDump, At: begin.Sub(l.Start), Took: time.Since(begin), Err: err}
	if err != nil {
		return []recording.Entry{dump}
	}
	dump.Bytes = d.Text()
	entries := []recording.Entry{dump}
	if r.Tasks {
		entries = append(entries, l.Tasks(dump.Bytes))
	}
	if r.Objects != source.NoObjects {
		objects := form.ObjectsEntry(d.Facts, nil)
		objects.At = dump.At
		entries = append(entries, objects)
	}
	for _, e := range form.VirtualOfDump(d, nil) {
		e.At = dump.At
		entries = append(entries, e)
	}
	entries = append(entries, l.Counters())
	if compared {
		entries = append(entries, l.Stat())
	}
	if r.Machine {
		entries = append(entries, l.Surroundings()...)
	}
	return entries
}
