package observe

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// Result is the result of Take: the series for the diagnosis, and notes.
type Result struct {
	Series *timeline.Series
	// Dumps counts the dumps that were taken.
	Dumps    int
	Cost     source.Cost
	Warnings []string
	// Failure is the last reading's, nil if it succeeded.
	Failure error
	// Partial is why input other than the dumps was left out, nil if nothing was.
	Partial error
}

// Plan says how a capture is taken. The zero value takes everything that an analysis can use, with the least overhead.
type Plan struct {
	// Progress, if set, is called after each reading with the number of readings.
	Progress func(readings int)
	// Kinds are the wanted findings, nil for all: only the facts that they need are taken.
	Kinds []finding.Kind
	// Locks says whether owners of java.util.concurrent locks may be asked for;
	// empty is LocksAuto.
	Locks source.LockMode
	// MaxPause bounds the pause that LocksAuto may cause; zero is DefaultMaxPause.
	MaxPause time.Duration
	// Virtual says whether Java code in the JVM may list virtual threads; empty is VirtualAuto.
	Virtual source.VirtualMode
	// Texts, if set, keeps the original dumps.
	Texts *Texts
}

// Take runs a source to its end. After an error or an interrupt it returns the readings so far together with the error.
func Take(ctx context.Context, src source.Source, plan Plan) (*Result, error) {
	result := &Result{Series: timeline.NewSeries()}
	t := &taker{src: src, plan: plan, result: result}
	t.observer = NewBoundedObserver(t.add)
	t.observer.texts = plan.Texts
	err := t.run(ctx)
	if errors.Is(err, errFull) {
		err = nil
	}
	t.flush()
	result.Partial = t.observer.Partial
	if err == nil && result.Dumps == 0 && len(result.Series.Flights) == 0 {
		err = result.Partial
	}
	result.Cost = src.Cost()
	if result.Partial == nil {
		result.Partial = result.Cost.Memory.Ended
	}
	result.Warnings = append(t.observer.Notes(), result.Cost.Notes()...)
	return result, err
}

// taker takes the readings of one source.
type taker struct {
	src      source.Source
	plan     Plan
	observer *Observer
	result   *Result
	// missing reports that the reading before showed the need for lock owners.
	missing bool
	// classes is the number of classes at the reading before, classesNew the increase since the reading before that.
	classes    timeline.Opt[int64]
	classesNew int64
	// holding holds a single reading back until it is known whether its dump must be taken again; held is that reading.
	holding bool
	held    []timeline.Observation
	// suspect reports that the list of virtual threads that Java code wrote must be confirmed.
	suspect bool
}

func (t *taker) add(o timeline.Observation) {
	if t.src.Left() >= 0 && t.locks() == source.LocksAuto && source.NeedsOf(t.plan.Kinds).Owners {
		t.missing = missesOwners(o)
	}
	t.countClasses(o)
	if t.holding {
		t.held = append(t.held, o)
		return
	}
	if written := t.seeVirtual(o); o.Dump != nil && !written {
		t.result.Dumps++
	}
	t.result.Series.Add(o)
	t.plan.Texts.added(o.Dump)
}

// manyNewClasses is the number of new classes from which on it is worth asking which loaders they belong to.
const manyNewClasses = 10

func (t *taker) countClasses(o timeline.Observation) {
	if o.Counters == nil || !o.Counters.LoadedClasses.Known {
		return
	}
	if t.classes.Known {
		t.classesNew = o.Counters.LoadedClasses.Value - t.classes.Value
	}
	t.classes = o.Counters.LoadedClasses
}

// flush passes on what was held back.
func (t *taker) flush() {
	t.holding = false
	for _, o := range t.held {
		t.add(o)
	}
	t.held = nil
}

func (t *taker) locks() source.LockMode {
	if t.plan.Locks == "" {
		return source.LocksAuto
	}
	return t.plan.Locks
}

// request returns the request for the next reading. It asks for lock owners in the last one, which then shows the
// outcome of the ones before.
func (t *taker) request() source.Request {
	r := source.Request{Needs: source.NeedsOf(t.plan.Kinds), MaxPause: t.plan.MaxPause, Locks: source.LocksNever,
		Early: t.observer.readers.early}
	if r.MaxPause == 0 {
		r.MaxPause = source.DefaultMaxPause
	}
	last := t.src.Left() == 1
	r.CodeCache = r.CodeCache && last
	r.Loaders = r.Loaders && last && t.classesNew >= manyNewClasses
	wanted := last && t.missing && r.Owners
	if mode := t.locks(); mode == source.LocksAlways || mode == source.LocksAuto && wanted {
		r.Locks = mode
	}
	return r
}

func (t *taker) run(ctx context.Context) error {
	for readings := 1; ; readings++ {
		t.holding = readings == 1 && t.src.Left() == 1 && t.locks() == source.LocksAuto
		r := t.request()
		entries, err := t.src.Next(ctx, r)
		if errors.Is(err, io.EOF) {
			return t.virtual(ctx)
		}
		if unreadable := (*source.UnreadableError)(nil); errors.As(err, &unreadable) {
			t.observer.LeaveOut(err, 0)
			continue
		}
		if err != nil {
			return err
		}
		if err := t.observer.Observe(entries); errors.Is(err, errFull) {
			return t.restOfFlight(ctx)
		} else if err != nil {
			return err
		}
		if r.Owners && t.holding && t.missing {
			if err := t.again(ctx, r, form.VirtualOf(entries)); err != nil {
				return err
			}
		}
		t.flush()
		if t.plan.Progress != nil {
			t.plan.Progress(readings)
		}
		if t.result.Failure = form.FailureOf(entries); t.result.Failure != nil {
			return nil
		}
	}
}

// again replaces the single dump of a reading by one with lock owners, if one can be taken. The virtual threads of the
// reading, nil if it has none, belong to both.
func (t *taker) again(ctx context.Context, r source.Request, virtual *recording.Entry) error {
	plain := t.held
	r.Repeat, r.Locks = true, source.LocksAuto
	entries, err := t.src.Next(ctx, r)
	if err != nil {
		return err
	}
	if virtual != nil && form.VirtualOf(entries) == nil {
		entries = append(entries, *virtual)
	}
	t.held = nil
	err = t.observer.Observe(entries)
	with := t.held
	t.held = plain
	if len(plain) == 1 && len(with) == 1 && with[0].Dump != nil {
		t.held[0].Dump, t.held[0].At = with[0].Dump, with[0].At
	}
	return err
}

// Unanswered is the result of a reading without a dump: the other facts about the JVM, and why it gave no dump.
func Unanswered(entries []recording.Entry, why error, cost source.Cost) *Result {
	result := &Result{Series: timeline.NewSeries(), Failure: why, Cost: cost}
	NewObserver(result.Series.Add).unanswered(entries, why)
	return result
}
