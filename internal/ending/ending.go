// Package ending bounds how long a command goes on after a signal has asked it to end. What only calculates or waits
// is ended after a second. What has to finish something in a target, on another machine or in a file, or would lose
// what was taken of a running JVM, has five seconds.
package ending

import (
	"context"
	"sync"
	"time"
)

const (
	// Soon is how long a command may go on that has nothing to finish. It leaves room in one second for the exit.
	Soon = 900 * time.Millisecond
	// Last is how long a command may go on that has something to finish.
	Last = 5 * time.Second
	// late is how long one request of a clean-up may take: the others and the report follow it.
	late = 3 * time.Second
)

// Ending knows what a command still has to finish. Its methods may be used by several goroutines at a time.
type Ending struct {
	mu    sync.Mutex
	works []*work
}

type work struct{ what string }

type key struct{}

// With returns a context whose Work the Ending knows.
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

// Unfinished is the latest work that is not done, empty if all is done.
func (e *Ending) Unfinished() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.works) == 0 {
		return ""
	}
	return e.works[len(e.works)-1].what
}

// Wait returns when a command that was asked to end just now must be ended. tell is called after Soon if the command
// has something to finish, with what that is.
func (e *Ending) Wait(tell func(what string)) {
	time.Sleep(Soon)
	what := e.Unfinished()
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
