package dump

import (
	"github.com/jstall/jstall/internal/hotspot/thread"
)

// mostPlaces is how many frames show where a thread is.
const mostPlaces = 8

// Locate notes where the threads are that hold locks.
func (d *Dump) Locate() {
	f := d.Facts
	holders := map[int64][]thread.Frame{}
	for _, s := range f.Synchronizers {
		if id := s.HolderID(); id != 0 {
			holders[id] = nil
		}
	}
	note := func(id int64, frames []thread.Frame) {
		if _, wanted := holders[id]; wanted {
			holders[id] = frames
		}
	}
	for _, t := range d.Threads {
		note(t.ID, t.Frames)
	}
	for i := range d.Virtual.All() {
		note(d.Virtual.Threads[i].ID, d.Virtual.Threads[i].Frames)
	}
	for i := range f.Synchronizers {
		s := &f.Synchronizers[i]
		frames := holders[s.HolderID()]
		for _, frame := range frames[:min(mostPlaces, len(frames))] {
			s.HolderAt = append(s.HolderAt, frame.Text)
		}
	}
}
