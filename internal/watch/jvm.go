package watch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/caught"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/source/live"
	"github.com/jstall/jstall/internal/source/unresponsive"
)

// watched is one JVM under watch. All methods but read are for one goroutine.
type watched struct {
	*shared
	process  jvm.Process
	pulses   unresponsive.Pulses
	follower *live.Follower // nil before the first reading, and after one that failed
	evidence Evidence
	states   []state // of Triggers
	events   []*event
	ring     *ring
	begun    rates
	latest   []time.Time // of the readings that the report rests on

	// due is when to take the next reading, pulseDue the next pulse; spare counts the readings that may come sooner
	// than the budget allows.
	due       time.Time
	pulseDue  time.Time
	spare     hurry
	cheapest  time.Duration // pulse
	noAnswers int           // requests in a row that it has not answered
	said      map[string]bool
}

func newWatched(s *shared, p jvm.Process, begun rates) *watched {
	return &watched{
		shared: s, process: p, pulses: unresponsive.Pulses{Kernel: s.Kernel, Process: p}, evidence: Evidence{Heap: -1},
		states: make([]state, len(s.Triggers)), ring: newRing(s.packer), begun: begun, cheapest: time.Hour,
		said: map[string]bool{},
	}
}

// hurry bounds readings that come sooner than the budget allows.
type hurry struct {
	left int
	from time.Time
}

const (
	hurries     = 4
	hurriesFrom = 10 * time.Second
)

func (h *hurry) take(now time.Time) bool {
	if now.Sub(h.from) > hurriesFrom {
		*h = hurry{left: hurries, from: now}
	}
	h.left--
	return h.left >= 0
}

// A JVM that does not answer a request is asked again after firstPatience, then after twice that, and so on.
const (
	firstPatience = 10 * time.Second
	mostPatience  = 5 * time.Minute
)

// outcome is the result of a reading.
type outcome struct {
	at, end  time.Time
	reading  *live.Reading
	report   *analysis.Report
	standing bool
	err      error
}

// run watches until the JVM or the context ends.
func (w *watched) run(ctx context.Context) {
	readings := make(chan outcome, 1)
	busy := false
	reason := reasonStopped
	for ctx.Err() == nil {
		now := time.Now()
		if !now.Before(w.pulseDue) {
			if !w.takePulse() {
				reason = reasonEnded
				break
			}
			w.pulseDue = now.Add(w.nextPulse())
		}
		if !busy && w.mayRead(now) {
			busy = true
			why := w.standing()
			go func() { readings <- w.read(ctx, why) }()
		}
		w.retry(now)
		wake := w.pulseDue
		if !busy && w.due.Before(wake) {
			wake = w.due
		}
		next := time.NewTimer(time.Until(wake))
		select {
		case o := <-readings:
			busy = false
			w.take(o)
		case <-next.C:
		case <-ctx.Done():
		}
		next.Stop()
	}
	if busy {
		w.awaitLast(readings, reason)
	}
	w.finish(reason)
}

// awaitLast waits for the reading in progress, which ends with its JVM or with the context.
func (w *watched) awaitLast(readings <-chan outcome, reason string) {
	select {
	case o := <-readings:
		if reason == reasonStopped && o.err == nil {
			w.keep(o)
		}
	case <-time.After(time.Second):
	}
}

// takePulse takes a pulse. It returns false once the process has ended.
func (w *watched) takePulse() bool {
	begin := time.Now()
	p, err := w.pulses.Take()
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if err != nil {
		w.complain("read /proc: " + err.Error())
		return true
	}
	w.cheapest = min(w.cheapest+w.cheapest/10, time.Since(begin))
	w.evidence.AddPulse(p)
	for i, t := range w.Triggers {
		s := &w.states[i]
		switch holds := t.rule.fromPulses && t.Holds(&w.evidence, s.active) != ""; {
		case !t.rule.fromPulses:
		case s.active && s.step(p.At, holds) == over:
			w.over(i, p.At)
		case holds && !s.active: // the recording needs a reading of now
			w.due = p.At
			w.spare.left = max(1, w.spare.left)
		}
	}
	return true
}

// nextPulse is the time until the next pulse: the pulses of all JVMs together take 0.25 % of a core.
func (w *watched) nextPulse() time.Duration {
	return max(pulse, min(w.cheapest, time.Second)*time.Duration(pulseCost*max(1, w.jvms())))
}

// mayRead reports whether a reading is due. A reading that is due but not covered by the budget yet is postponed.
func (w *watched) mayRead(now time.Time) bool {
	if now.Before(w.due) {
		return false
	}
	wait := w.Budget.Wait(now)
	if wait > 0 && w.hurried(now) {
		wait = 0
	}
	w.due = now.Add(wait)
	return wait == 0
}

// hurried reports whether a reading is wanted sooner than the budget allows, and may be taken, as few others were.
func (w *watched) hurried(now time.Time) bool {
	wanted := w.evidence.worsens(now)
	for i, t := range w.Triggers {
		wanted = wanted || t.rule.fromPulses && !w.states[i].active && t.Holds(&w.evidence, false) != ""
	}
	return wanted && w.spare.take(now)
}

// standing is why the JVM must not be asked now, nil if it may be asked.
func (w *watched) standing() error {
	if code, cause := w.evidence.Standing(); code != "" {
		return unresponsive.Unasked(w.process.PID, code, cause)
	}
	return nil
}

// read takes a reading and diagnoses it. It has a separate goroutine, as an answer may take long.
func (w *watched) read(ctx context.Context, standing error) (o outcome) {
	o = outcome{at: time.Now(), standing: standing != nil}
	broken := caught.Try(func() {
		if w.follower != nil {
			w.readNow(ctx, standing, &o)
			return
		}
		w.Budget.Free(func() { // the first one reads tables, once
			w.open(ctx)
			w.readNow(ctx, standing, &o)
		})
	})
	if broken != nil {
		o.err = broken
	}
	o.end = time.Now()
	return o
}

func (w *watched) readNow(ctx context.Context, standing error, o *outcome) {
	if standing != nil {
		o.reading, o.err = w.follower.Standing(ctx, standing)
	} else {
		o.reading, o.err = w.follower.Next(ctx)
	}
	if o.err == nil {
		o.report = analysis.Diagnose(o.reading.Series, analysis.Options{InvolvedOnly: true})
	}
}

func (w *watched) open(ctx context.Context) {
	src := &live.Source{Kernel: w.Kernel, Process: w.process, Timeout: w.Timeout, Via: w.Via}
	w.follower = live.Follow(ctx, src, w.Wrap)
	w.follower.Interval, w.follower.MachineEvery = 0, machineEvery
	w.follower.Keep, w.follower.Span = restsOn, restsFor
}

// take applies the triggers to a reading.
func (w *watched) take(o outcome) {
	if o.err != nil {
		if !errors.Is(o.err, context.Canceled) {
			w.complain(o.err.Error())
		}
		w.follower, w.latest = nil, nil
		w.due = o.end.Add(max(time.Second, w.Budget.Wait(o.end)))
		return
	}
	w.keep(o)
	w.due = o.at.Add(interval)
	if w.noAnswers++; w.evidence.Unanswered == "" {
		w.noAnswers = 0
	} else { // more requests only add to its load
		w.due = o.end.Add(min(firstPatience<<min(w.noAnswers-1, 10), mostPatience))
	}
	for i, t := range w.Triggers {
		summary := t.Holds(&w.evidence, w.states[i].active)
		if summary != "" && w.missed(t, i, o) {
			continue
		}
		switch w.states[i].step(o.end, summary != "") {
		case begun:
			w.begin(i, o, summary)
		case over:
			w.over(i, o.end)
		}
	}
}

// missed reports whether the JVM has become unresponsive during this reading. The recording must show that, so another
// reading is taken at once.
func (w *watched) missed(t Trigger, i int, o outcome) bool {
	if !t.rule.standing || w.states[i].active || o.standing || w.evidence.Unanswered != "" {
		return false
	}
	w.due, w.spare.left = o.end, max(1, w.spare.left)
	return true
}

// keep puts a reading into the ring, and its report into the evidence.
func (w *watched) keep(o outcome) {
	w.ring.BlockBytes = w.blockSize()
	if err := w.ring.Add(Moment{At: o.at, Cost: o.reading.Cost, Entries: o.reading.Entries}); err != nil {
		w.complain("a reading is not kept: " + err.Error())
	}
	o.reading.Entries = nil // they are in the ring, compressed if they are large
	since := o.at.Add(-w.Keep)
	if len(w.events) > 0 { // their history must still be there when they are written again
		since = since.Add(-w.After)
	}
	w.ring.Trim(since, w.ringSize())
	w.latest = append(w.latest, o.at)
	w.latest = slices.Clone(w.latest[max(0, len(w.latest)-o.reading.Readings):])
	if o.standing { // an analysis of the recording must use this reading alone
		w.latest = []time.Time{o.at}
	}
	w.evidence.AddReport(o.at, o.report, w.unanswered(o.reading.Failure))
	if w.Seen != nil {
		w.Seen(w.process.PID, w.process.Name(), o.report, o.end.Sub(o.at))
	}
}

// unanswered is why the JVM did not answer, empty if it answered, or if the failure is ours.
func (w *watched) unanswered(err error) string {
	e := (*attach.Error)(nil)
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &e):
		w.complain(err.Error())
		return ""
	case e.Code == attach.CodeTimeout, e.Code == attach.CodeStopped:
		return e.Cause
	}
	w.complain(e.Cause + hint(e.Remedy))
	return ""
}

func hint(remedy string) string {
	if remedy == "" {
		return ""
	}
	return "; " + remedy
}

// mostSaid is how many different problems of one JVM are reported.
const mostSaid = 30

// complain reports a problem once.
func (w *watched) complain(message string) {
	if !w.said[message] && len(w.said) < mostSaid {
		w.said[message] = true
		w.say("%s", message)
	}
}

func (w *watched) say(format string, args ...any) {
	w.Say("%d (%s): %s", w.process.PID, w.process.Name(), fmt.Sprintf(format, args...))
}
