package top

import (
	"fmt"
	"sync"
	"time"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/recorded"
)

// Bounds on the readings that are kept for a recording: their number and their bytes. The latest one is always kept.
const (
	keptReadings = 10
	keptBytes    = 48 << 20
)

// latestReadings are the latest readings of a JVM, unchanged, for a recording. It is safe for concurrent use.
type latestReadings struct {
	mu       sync.Mutex
	readings [][]recording.Entry
	cost     source.Cost
}

func (l *latestReadings) add(entries []recording.Entry, cost source.Cost) {
	l.mu.Lock()
	defer l.mu.Unlock()
	kept := append(l.readings, entries)
	size, from := 0, len(kept)
	for from > 0 && len(kept)-from < keptReadings {
		size += bytesOf(kept[from-1])
		if size > keptBytes && from < len(kept) {
			break
		}
		from--
	}
	l.readings, l.cost = append([][]recording.Entry(nil), kept[from:]...), cost
}

func bytesOf(entries []recording.Entry) int {
	n := 0
	for _, e := range entries {
		n += len(e.Bytes)
	}
	return n
}

func (l *latestReadings) get() ([][]recording.Entry, source.Cost) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.readings, l.cost
}

// record writes the latest readings to a new file in the working directory, and returns a message about it.
func (r *topReader) record() string {
	readings, cost := r.latest.get()
	if len(readings) == 0 {
		return "nothing to write yet"
	}
	l := r.capturer
	now := session.TakenNow(l.Env, l.Redactor)
	path := fmt.Sprintf("jstall-%d-%s.zip", r.target.Process.PID, now.At.Format("20060102-150405"))
	manifest := recording.Manifest{Tool: now.Version, Host: now.Host, Created: now.At}
	var counts map[string]int
	if l.Redactor != nil {
		counts = l.Redactor.Counts()
	}
	if err := recorded.Save(path, manifest, *r.target.Process, readings, cost, counts); err != nil {
		return shell.Failure(err).Message + "; start jstall top in a folder that can be written, with room left"
	}
	return fmt.Sprintf("wrote %s (%d %s)", path, len(readings), shell.Plural(len(readings), "reading"))
}

// recordTimeout is how long the end of the program waits for a recording that is being written.
const recordTimeout = 10 * time.Second
