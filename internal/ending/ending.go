// Package ending bounds how long a command may continue after a signal has asked it to end. Work that only calculates
// or waits ends after a second. A command has five seconds if it must finish work in a target, on another machine or in
// a file, or would lose the data of a running JVM.
package ending

import (
	"context"
	"sync"
	"time"
)

const (
	// Soon is how long a command without work to finish may continue. Within one second it leaves time for the exit.
	Soon = 900 * time.Millisecond
	// Last is how long a command with work to finish may continue.
	Last = 5 * time.Second
	// late bounds one request of a clean-up, as the others and the report follow it.
	late = 3 * time.Second
)

// Ending is the work that a command still has to finish. It is safe for concurrent use.
type Ending struct {
	mu    sync.Mutex
	works []*work
}

type work struct{ what string }

type key struct{}

// With returns a context whose Work is noted in the Ending.
func With(ctx context.Context) (context.Context, *Ending) {
	e := &Ending{}
	return context.WithValue(ctx, key{}, e), e
}

// Work notes that something must be finished until done is called. what is a verb in the -ing form and its object. A
// context without an Ending has no bound.
func Work(ctx context.Context, what string) (done func()) {
	e, ok := ctx.Value(key{}).(*Ending)
	if !ok {
		return func() {}
	}
	w := &work{what}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.works = append(e.works, w)
	return func() { e.end(w) }
}

func (e *Ending) end(w *work) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.works {
		if e.works[i] == w {
			e.works = append(e.works[:i], e.works[i+1:]...)
			return
		}
	}
}

// unfinished is the latest work that is not done, empty if all is done.
func (e *Ending) unfinished() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.works) == 0 {
		return ""
	}
	return e.works[len(e.works)-1].what
}

// Wait returns when a command that is being asked to end must be ended. If the command has work to finish, it calls
// tell after Soon with that work.
func (e *Ending) Wait(tell func(what string)) {
	time.Sleep(Soon)
	what := e.unfinished()
	if what == "" {
		return
	}
	tell(what)
	time.Sleep(Last - Soon)
}

// Late is a context for a request of a clean-up. It outlives ctx, and ends after limit, or earlier if ctx has ended.
func Late(ctx context.Context, limit time.Duration) (context.Context, context.CancelFunc) {
	if ctx.Err() != nil {
		limit = min(limit, late)
	}
	return context.WithTimeout(context.WithoutCancel(ctx), limit)
}
