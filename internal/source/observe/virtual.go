package observe

import (
	"context"
	"time"

	"github.com/jstall/jstall/analysis/facts/locks"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// virtualPause is the time from one dump that Java code writes of virtual threads to the next.
const virtualPause = 300 * time.Millisecond

// virtual has Java code in the JVM list its virtual threads, if that is asked for, or takes the list that a recording
// has. It does so last of all: the code runs on the only thread that answers requests. A second list is taken
// only if the first shows threads that wait for locks or permits.
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

// missesOwners reports that a dump has threads that wait for a lock whose owner
// only -l would tell.
func missesOwners(o timeline.Observation) bool {
	return o.Dump != nil && locks.MissesOwners(o.Dump, o.Objects)
}
