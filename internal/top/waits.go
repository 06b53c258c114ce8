package top

import (
	"time"

	"github.com/jstall/jstall/analysis"
)

// waits remembers since when threads wait. A report is made of a few readings, and a thread may wait for hours.
type waits struct {
	since map[rowKey]waitStart
}

type waitStart struct {
	at   time.Time
	what waitedFor
}

// waitedFor distinguishes one wait of a thread from its next one.
type waitedFor struct {
	kind, class, operation string
	owner                  string
	frame                  string
}

// follow adds a reading. A wait continues if the thread waits for the same thing in all dumps of the report. A thread
// that used CPU in between was woken, and begins a new wait.
func (w *waits) follow(at time.Time, r *analysis.Report) {
	next := make(map[rowKey]waitStart, len(w.since))
	for i := range r.Threads {
		t := &r.Threads[i]
		if t.WaitsFor == nil || t.WaitsFor.Seconds == nil {
			continue
		}
		k := keyOf(t)
		begin := waitStart{at.Add(-time.Duration(*t.WaitsFor.Seconds * float64(time.Second))), whatFor(t)}
		before, ok := w.since[k]
		if ok && before.what == begin.what && t.WaitsFor.Dumps >= r.Capture.Dumps && before.at.Before(begin.at) {
			begin = before
		}
		next[k] = begin
	}
	w.since = next
}

func whatFor(t *analysis.ThreadReport) waitedFor {
	w := t.WaitsFor
	if w == nil {
		return waitedFor{}
	}
	f := waitedFor{kind: w.Type, class: w.Class, operation: w.Operation, frame: t.Frame}
	if w.Owner != nil {
		f.owner = w.Owner.Called()
	}
	return f
}
