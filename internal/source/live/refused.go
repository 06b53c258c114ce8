package live

import (
	"context"
	"time"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/observe"
	"github.com/jstall/jstall/internal/source/target"
)

// Refused returns the facts of /proc and the counters about a target that was not asked, as a limit of the kernel
// leaves too little room for it; false for every other error.
func (l *Source) Refused(err error) (*observe.Result, bool) {
	if !target.RefusedForLimit(err) {
		return nil, false
	}
	if l.Target().Start.IsZero() {
		l.Target().Start = time.Now()
	}
	entries := append(
		[]recording.Entry{{Kind: recording.ThreadDump, Err: err}},
		l.Target().Sample(context.Background(), true)...)
	return observe.Unanswered(entries, err, l.Cost()), true
}
