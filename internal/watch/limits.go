package watch

import (
	"fmt"
	"time"
)

// Limits bound what a watch writes.
type Limits struct {
	// Files is how many recordings the folder may have, including those of earlier runs.
	Files int
	// FreeBytes is how many bytes must stay free on its disk.
	FreeBytes int64
	// MinInterval is the shortest time between the recordings of two events of the same kind and JVM.
	MinInterval time.Duration
}

// room is what the folder and its disk have now.
type room struct {
	files int
	// free is of the disk in bytes, negative if unknown.
	free int64
}

// refuse says why an event is not recorded, empty if it is. last is the begin of the last recorded event of its kind,
// zero if there was no such event.
func (l Limits) refuse(now, last time.Time, there room) string {
	switch {
	case !last.IsZero() && now.Sub(last) < l.MinInterval:
		return fmt.Sprintf("rate limit: the last recording of this kind is from %s ago, and the limit is one in %s",
			now.Sub(last).Round(time.Second), l.MinInterval)
	case there.files >= l.Files:
		return fmt.Sprintf("file limit: the folder holds %d recordings, and the limit is %d", there.files, l.Files)
	case there.free >= 0 && there.free < l.FreeBytes:
		return fmt.Sprintf("disk limit: %d MB are free, and %d MB must stay free", there.free>>20, l.FreeBytes>>20)
	}
	return ""
}

// rates remembers when events were last recorded, by trigger.
type rates map[string]time.Time
