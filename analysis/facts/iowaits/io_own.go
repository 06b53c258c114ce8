package iowaits

import (
	"jstall/analysis/timeline"
)

// AsksItself tells a thread that waits on a connection to the process that it is in.
func (f *Waits) AsksItself(h *timeline.History) bool {
	return f.task(h).AsksItself()
}
