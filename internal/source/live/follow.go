package live

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/observe"
)

// Follower reads a running JVM repeatedly, and keeps its latest readings for a diagnosis. It is for one goroutine.
type Follower struct {
	// Kinds are the wanted findings, nil for all: only the facts that they need are read.
	Kinds []finding.Kind
	// Interval is the shortest time between the starts of two readings. It grows if the JVM would otherwise be paused
	// for more than PauseShare of the time.
	Interval   time.Duration
	PauseShare float64
	// Keep is the number of readings behind a result. With Span, a result uses the fewest readings that span this time,
	// and at most Keep.
	Keep int
	Span time.Duration
	// MachineEvery is in which of the readings the machine is read: every one (0, 1), every second, and so on.
	MachineEvery int

	live   *Source
	source source.Source
	seen   *observe.Observer
	read   int // readings by this observer
	taken  int // readings in total
	latest []kept
	due    time.Time
}

// kept is one of the latest readings.
type kept struct {
	begin        time.Time
	observations []timeline.Observation
}

// Follow prepares readings of a JVM. It reads the JVM's memory if allowed, which neither pauses the JVM nor asks it
// anything; otherwise it asks the JVM. The readings pass through wrap, which may be nil.
func Follow(ctx context.Context, live *Source, wrap func(source.Source) source.Source) *Follower {
	live.Count, live.Interval = math.MaxInt, 0
	if live.Via == source.ViaAuto && live.Memory().MayRead(ctx) {
		live.Via = source.ViaMemory
	}
	f := &Follower{live: live, source: live, Interval: time.Second, PauseShare: 0.002, Keep: 3}
	if wrap != nil {
		f.source = wrap(live)
	}
	return f
}

// Reading is one reading of a Follower.
type Reading struct {
	// Began is when the reading began, after the wait for it.
	Began time.Time
	// Entries are the original entries of the latest reading.
	Entries []recording.Entry
	// Readings is the number of readings behind Result.
	Readings int
	// Result is of the latest readings together. Its Failure is why the JVM gave no dump this time.
	*observe.Result
}

// Next waits until the next reading is due, and takes it. The error is for failures that end all reading: the context
// has ended, or the JVM.
func (f *Follower) Next(ctx context.Context) (*Reading, error) {
	if err := f.wait(ctx); err != nil {
		return nil, err
	}
	return f.next(ctx, f.request())
}

// Standing takes a reading, at once, of a JVM that cannot answer, see [Unasked]. It sends nothing.
func (f *Follower) Standing(ctx context.Context, why error) (*Reading, error) {
	r := f.request()
	r.Standing = why
	return f.next(ctx, r)
}

func (f *Follower) next(ctx context.Context, request source.Request) (*Reading, error) {
	begin, before := time.Now(), f.live.cost.Pause
	entries, err := f.source.Next(ctx, request)
	f.taken++
	f.due = begin.Add(f.pace(f.live.cost.Pause - before))
	if err != nil {
		return nil, err
	}
	f.renew()
	result := &observe.Result{Series: timeline.NewSeries(), Failure: form.FailureOf(entries)}
	observer := f.seen
	var now []timeline.Observation
	observer.Restart(func(o timeline.Observation) { now = append(now, o) })
	if err := observer.Observe(entries); err != nil {
		return nil, err
	}
	f.keep(kept{begin, now})
	for _, reading := range f.latest {
		for _, o := range reading.observations {
			if o.Dump != nil {
				result.Dumps++
			}
			result.Series.Add(o)
		}
	}
	result.Cost, result.Partial = f.source.Cost(), observer.Partial
	result.Warnings = observer.Notes()
	return &Reading{Began: begin, Entries: entries, Readings: len(f.latest), Result: result}, nil
}

// request makes a request without owners of locks, for which the JVM would walk its heap.
func (f *Follower) request() source.Request {
	r := source.Request{Needs: source.NeedsOf(f.Kinds), Locks: source.LocksNever}
	r.CodeCache, r.Loaders, r.Virtual = false, false, false
	r.Machine = r.Machine && (f.MachineEvery < 2 || f.taken%f.MachineEvery == 0)
	return r
}

func (f *Follower) wait(ctx context.Context) error {
	timer := time.NewTimer(time.Until(f.due))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pace is the time until the next reading after one that paused the JVM for that long.
func (f *Follower) pace(pause time.Duration) time.Duration {
	if f.PauseShare <= 0 {
		return f.Interval
	}
	return max(f.Interval, time.Duration(float64(pause)/f.PauseShare))
}

// oldObserver is after how many readings the data shared between dumps is dropped, as the stacks of a JVM change.
const oldObserver = 100

func (f *Follower) renew() {
	if f.read++; f.seen == nil || f.read > oldObserver {
		f.seen, f.read = observe.NewBoundedObserver(nil), 1
	}
}

func (f *Follower) keep(now kept) {
	f.latest = append(f.latest, now)
	over := max(0, len(f.latest)-max(1, f.Keep))
	for f.Span > 0 && over < len(f.latest)-2 && now.begin.Sub(f.latest[over+1].begin) >= f.Span {
		over++
	}
	f.latest = slices.Clone(f.latest[over:])
}
