package watch

import (
	"cmp"
	"fmt"
	"os"
	"time"
)

// event has not ended, or its recording is not complete yet.
type event struct {
	line    Event // its begin
	trigger int
	began   time.Time
	// first and last are the times of the first and last reading at the event.
	first, last time.Time
	path        string
	// refused is why it is not recorded; written reports that it has a recording, whole that the recording includes the
	// time after.
	refused        string
	written, whole bool
	isOver         bool
	// again is when to write a recording again after a failure.
	again time.Time
	// failed is why the last attempt to write it failed.
	failed string
}

// begin makes an event when a condition begins to hold.
func (w *watched) begin(i int, o outcome, summary string) {
	t := w.Triggers[i].String()
	ev := &event{trigger: i, began: o.end, first: w.latest[0], last: o.at}
	ev.line = Event{
		Schema: eventSchema, Event: "begin", Time: stamp(ev.began), Trigger: t, PID: w.process.PID,
		Name: w.process.Name(), Summary: summary,
		ID:      fmt.Sprintf("%d-%s-%s", w.process.PID, ev.began.UTC().Format("20060102T150405.000Z"), t),
		Verdict: string(o.report.Verdict.State), Headline: o.report.Verdict.Summary,
	}
	w.events = append(w.events, ev)
	if ev.refused = w.Limits.refuse(ev.began, w.begun[t], folder(w.Dir).room()); ev.refused == "" {
		w.begun[t] = ev.began
		w.record(ev, ev.began)
	} else {
		w.say("%s: no recording: %s", t, ev.refused)
	}
	first := w.line(ev)
	w.Emit(first)
	limited := ev.refused != "" && !w.begun[t].IsZero() && ev.began.Sub(w.begun[t]) < w.Limits.MinInterval
	if !limited {
		w.Hook.Add(run{file: first.File, line: first.Line()})
	}
}

// line is the line of JSON for the begin of an event.
func (w *watched) line(ev *event) Event {
	e := ev.line
	if e.NotRecorded = cmp.Or(ev.refused, ev.failed); ev.written {
		e.File, e.NotRecorded = ev.path, ""
		first, _ := w.ring.History().Span()
		e.HistorySeconds = seconds(ev.began.Sub(first))
	}
	return e
}

// record writes the recording of an event, or replaces it by one that extends to now.
func (w *watched) record(ev *event, now time.Time) {
	w.writing.Lock()
	defer w.writing.Unlock()
	var err error
	w.Budget.Free(func() { err = w.write(ev) })
	if err != nil {
		ev.again = now.Add(retry)
		if ev.failed == "" {
			w.say("%s: the recording is not written, and tried again: %v", w.Triggers[ev.trigger], err)
		}
		ev.failed = err.Error()
		return
	}
	if ev.failed != "" {
		w.say("%s: recorded in %s", w.Triggers[ev.trigger], ev.path)
	}
	ev.written, ev.failed = true, ""
}

func (w *watched) write(ev *event) error {
	dir := folder(w.Dir)
	if _, err := os.Stat(w.Dir); err != nil {
		if err := dir.prepare(); err != nil {
			return err
		}
		w.say("%s was gone, and is made again", w.Dir)
	}
	if !ev.written {
		path, err := dir.fresh(w.process.Name(), w.process.PID, ev.began, w.Triggers[ev.trigger].String())
		if err != nil {
			return err
		}
		ev.path = path
	}
	source := Source{Tool: w.Tool, Host: w.Host, Process: w.process}
	if w.Redacted != nil {
		source.Redacted = w.Redacted()
	}
	return source.write(ev.path, w.ring.History(), ev.first, ev.last, ev.written)
}

// retry writes the recordings that are due: those with the time after an event, and those that failed.
func (w *watched) retry(now time.Time) {
	left := w.events[:0]
	for _, ev := range w.events {
		w.advance(ev, now)
		if !ev.isOver || !ev.whole {
			left = append(left, ev)
		}
	}
	clear(w.events[len(left):])
	w.events = left
}

// advance writes the recording of an event if it is due.
func (w *watched) advance(ev *event, now time.Time) {
	late := now.Sub(ev.began) >= w.After
	switch {
	case ev.refused != "":
		ev.whole = true
	case ev.whole, now.Before(ev.again):
	case ev.failed != "" || late:
		w.record(ev, now)
		ev.whole = ev.written && ev.failed == "" && late
	}
	if !ev.whole && now.Sub(ev.began) > w.After+w.Keep { // its readings are no longer kept
		w.say("%s: the recording is given up: %s", w.Triggers[ev.trigger], ev.failed)
		ev.whole = true
	}
}

// over ends the events of a trigger whose condition no longer holds.
func (w *watched) over(i int, now time.Time) {
	for _, ev := range w.events {
		if ev.trigger == i && !ev.isOver {
			w.end(ev, now, reasonOver)
		}
	}
}

func (w *watched) end(ev *event, now time.Time, reason string) {
	ev.isOver = true
	e := ev.line
	e.Event, e.Time, e.Reason, e.Seconds = "end", stamp(now), reason, seconds(now.Sub(ev.began))
	e.Summary, e.Verdict, e.Headline = "", "", ""
	if e.NotRecorded = cmp.Or(ev.refused, ev.failed); ev.written {
		e.File = ev.path
	}
	w.Emit(e)
}

// finish writes and ends the events in progress.
func (w *watched) finish(reason string) {
	now := time.Now()
	for _, ev := range w.events {
		if ev.refused == "" && !ev.whole {
			w.record(ev, now)
		}
		if !ev.isOver {
			w.end(ev, now, reason)
		}
	}
	w.events = nil
}

// PrepareFolder makes the folder of the recordings, and checks that files can be made in it.
func PrepareFolder(dir string) error { return folder(dir).prepare() }
