package observe

import (
	"context"
	"time"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// virtualPause is the time between two lists of virtual threads by Java code.
const virtualPause = 300 * time.Millisecond

// virtual has Java code in the JVM list its virtual threads, if the plan asks for it, or takes the list of a recording.
// It is the last request, as the code runs on the only thread that answers requests. A second list is taken only if the
// first shows threads that wait for locks or permits.
func (t *taker) virtual(ctx context.Context) error {
	if t.plan.Virtual == source.VirtualNever || t.src.Left() != 0 || !source.NeedsOf(t.plan.Kinds).Java {
		return nil
	}
	for range 2 {
		t.suspect = false
		entries, err := t.src.Next(ctx, source.Request{Virtual: true, JavaCode: t.plan.Virtual == source.VirtualAlways})
		if err != nil {
			return err
		}
		if err := t.observer.Observe(entries); err != nil {
			return err
		}
		if t.result.Failure = form.FailureOf(entries); t.result.Failure != nil {
			return nil
		}
		if !t.suspect {
			return nil
		}
		if err := pauseFor(ctx, virtualPause); err != nil {
			return err
		}
	}
	return nil
}

func pauseFor(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// seeVirtual reports whether Java code in the JVM wrote the dump, and notes whether it must be confirmed.
func (t *taker) seeVirtual(o timeline.Observation) (written bool) {
	if o.Dump == nil || o.Source != source.VirtualCommand {
		return false
	}
	t.suspect = timeline.NeedsConfirmation(o.Dump)
	return true
}

// missesOwners reports whether a thread of a dump waits for a lock whose owner only -l shows.
func missesOwners(o timeline.Observation) bool {
	return o.Dump != nil && locks.MissesOwners(o.Dump, o.Objects)
}
