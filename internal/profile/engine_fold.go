package profile

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/observe"
)

// Fold passes on the samples of saved dumps of one JVM in the order of time. Dumps that are in that order already are
// dropped after they are passed on, so that any number of them fits in memory; others are kept until the last is read.
type Fold struct {
	// Given opens the input. Once reports that it cannot be opened again.
	Given func() source.Source
	Once  bool
	// Sorted, if set, opens the same input in the order of time, as far as that order is known before reading.
	Sorted func() source.Source
	// Begin is called before the first sample, and again when the samples so far are to be discarded. It returns the
	// function that receives the samples.
	Begin func() func(*timeline.Delta)
}

// FoldInputs returns a Fold of inputs. The caller sets Begin.
func FoldInputs(inputs []*file.Input) *Fold {
	open := func(of []*file.Input) func() source.Source {
		return func() source.Source { return &file.Inputs{Inputs: of} }
	}
	f := &Fold{Given: open(inputs)}
	dated := true
	for _, in := range inputs {
		f.Once = f.Once || !in.Repeatable()
		dated = dated && !in.Date.IsZero()
	}
	if !f.Once && dated && !slices.IsSortedFunc(inputs, byDate) {
		f.Sorted = open(slices.SortedStableFunc(slices.Values(inputs), byDate))
	}
	return f
}

func byDate(a, b *file.Input) int { return a.Date.Compare(b.Date) }

// Run reads to the end. The result has no series. After an error or an interrupt the result covers what was read.
func (f *Fold) Run(ctx context.Context) (*observe.Result, error) {
	if !f.Once {
		if r := f.stream(ctx); r.plain {
			return r.result, r.err
		}
	}
	result, err := observe.Take(ctx, f.Given(), observe.Plan{Locks: source.LocksNever, Virtual: source.VirtualNever})
	result.Warnings = append(result.Series.Deltas(f.Begin()), result.Warnings...)
	return result, err
}

// folding reads dumps that are expected to be in order, each kept until the next.
type folding struct {
	observer *observe.Observer
	matcher  *timeline.Matcher
	add      func(*timeline.Delta)
	result   *observe.Result
	err      error
	// plain reports that they are in order; stop ends the reading if they are not.
	plain bool
	stop  context.CancelFunc
}

func (f *Fold) stream(ctx context.Context) *folding {
	r := &folding{matcher: timeline.NewMatcher(), add: f.Begin(), result: &observe.Result{}, plain: true}
	r.observer = observe.NewObserver(r.observe)
	src := f.Given
	if f.Sorted != nil {
		src = f.Sorted
		r.observer.Warn("the dumps were not in the order of time and have been sorted")
	}
	ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()
	r.err = r.run(ctx, src())
	r.result.Partial, r.result.Warnings = r.observer.Partial, r.observer.TakeWarnings()
	if r.err == nil && r.result.Dumps == 0 {
		r.err = r.result.Partial
	}
	return r
}

func (r *folding) run(ctx context.Context, src source.Source) error {
	for {
		entries, err := src.Next(ctx, source.Request{Locks: source.LocksNever})
		unreadable := (*source.UnreadableError)(nil)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.As(err, &unreadable):
			r.observer.LeaveOut(err, 0)
			continue
		case err != nil:
			return err
		}
		if err := r.observer.Observe(entries); err != nil {
			return err
		}
		if r.result.Failure = form.FailureOf(entries); r.result.Failure != nil {
			return nil
		}
	}
}

func (r *folding) observe(o timeline.Observation) {
	if !r.plain || o.Dump == nil {
		return
	}
	sample, follows := r.matcher.Next(o)
	if r.plain = follows; !follows {
		r.stop()
		return
	}
	r.result.Dumps++
	r.add(sample)
}
