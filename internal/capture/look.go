package capture

import (
	"context"
	"errors"
	"io"

	"jstall/analysis"
	"jstall/attach"
	"jstall/threaddump"
)

// Result is what Take saw: the series for the diagnosis, and what to say
// besides.
type Result struct {
	Series *analysis.Series
	// Dumps counts the dumps that were had.
	Dumps    int
	Cost     Cost
	Warnings []string
	// Failure is the last look's, nil if it succeeded.
	Failure error
}

// Plan says how a look is taken.
type Plan struct {
	// Progress, if set, is told after each look how many were taken.
	Progress func(looks int)
}

// Take runs a source to its end. Interrupted or failed midway it returns what
// there is so far together with the error.
func Take(ctx context.Context, src Source, plan Plan) (*Result, error) {
	result := &Result{Series: analysis.NewSeries()}
	add := func(o analysis.Observation) {
		if o.Dump != nil {
			result.Dumps++
		}
		result.Series.Add(o)
	}
	observer := &observer{interner: threaddump.NewInterner(), add: add}
	err := takeAll(ctx, src, observer, result, plan)
	result.Cost = src.Cost()
	result.Warnings = observer.warnings
	return result, err
}

func takeAll(ctx context.Context, src Source, o *observer, result *Result, plan Plan) error {
	for looks := 1; ; looks++ {
		entries, err := src.Next(ctx, Request{})
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := o.look(entries); err != nil {
			return err
		}
		if plan.Progress != nil {
			plan.Progress(looks)
		}
		result.Failure = nil
		for _, e := range entries {
			if e.Err != nil && isAttach(e.Err) {
				result.Failure = e.Err
				return nil
			}
		}
	}
}

func isAttach(err error) bool {
	e := (*attach.Error)(nil)
	return errors.As(err, &e)
}

// attempt words a failed look for the analysis.
func attempt(err error) *analysis.Attempt {
	a := &analysis.Attempt{Message: err.Error()}
	if e := (*attach.Error)(nil); errors.As(err, &e) {
		a.Phase, a.Message, a.Remedy = string(e.Phase), e.Cause, e.Remedy
	}
	return a
}
