package observe

import (
	"context"
	"errors"
	"io"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
)

// restOfFlight skips the dumps beyond the maximum, and takes the facts of the events of their recording.
func (t *taker) restOfFlight(ctx context.Context) error {
	for {
		entries, err := t.src.Next(ctx, source.Request{})
		if err != nil {
			return t.leftOut(err)
		}
		for _, e := range entries {
			switch {
			case e.Stream != nil: // of another file
				_ = e.Stream.Close()
				return nil
			case e.Kind == recording.Flight:
				return t.observer.Observe(entries)
			}
		}
	}
}

// leftOut is nil at the end of the input, and for an error that is noted as input left out.
func (t *taker) leftOut(err error) error {
	if unreadable := (*source.UnreadableError)(nil); errors.As(err, &unreadable) {
		t.observer.LeaveOut(err, 0)
		return nil
	}
	if err == io.EOF {
		return nil
	}
	return err
}
