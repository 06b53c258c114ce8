package watch

import (
	"fmt"
	"time"
)

// Limits bound what is written.
type Limits struct {
	// Files is how many recordings may be in the folder, those of earlier runs too.
	Files int
	// FreeBytes is what must stay free on its disk.
	FreeBytes int64
	// Again is how long after an event that was recorded no other of its kind and JVM is.
	Again time.Duration
}

// room is what is there now.
type room struct {
	files int
	// free is of the disk in bytes, negative if unknown.
	free int64
}

// refuse says why no recording is made of an event, empty if one is. last is when the last recorded one of its kind
// began, zero if there was none.
func (l Limits) refuse(now, last time.Time, there room) string {
	switch {
	case !last.IsZero() && now.Sub(last) < l.Again:
		return fmt.Sprintf("rate limit: the last recording of this kind is from %s ago, and the limit is one in %s",
			now.Sub(last).Round(time.Second), l.Again)
	case there.files >= l.Files:
		return fmt.Sprintf("file limit: the folder holds %d recordings, and the limit is %d", there.files, l.Files)
	case there.free >= 0 && there.free < l.FreeBytes:
		return fmt.Sprintf("disk limit: %d MB are free, and %d MB must stay free", there.free>>20, l.FreeBytes>>20)
	}
	return ""
}

// rates remembers when events were last recorded, by trigger.
type rates map[string]time.Time
