package places

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"time"

	"github.com/jstall/jstall/internal/ending"
	"github.com/jstall/jstall/internal/remote"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// atOncePlaces bounds how many clients run at a time.
const atOncePlaces = 32

// Visit runs work for each place, and gives what came of it, in the order of the places. A terminal shows which are
// waited for. Once the context is done, nothing is given before work has ended for all: we leave nothing there.
func Visit[O any](ctx context.Context, env *shell.Env, e *Elsewhere, work func(context.Context, remote.Place) O,
) iter.Seq2[int, O] {
	done := ending.Work(ctx, "ending jstall on other machines")
	outcomes := make([]O, len(e.Places))
	answered := make(chan int, len(e.Places))
	room := make(chan struct{}, atOncePlaces)
	for i, p := range e.Places {
		go func() {
			room <- struct{}{}
			defer func() { <-room }()
			outcomes[i] = work(ctx, p)
			answered <- i
		}()
	}
	line := newPlacesLine(env, e.Places)
	return func(yield func(int, O) bool) {
		defer done()
		defer line.clear()
		for i := range e.Places {
			line.await(answered, func() bool {
				return len(line.waiting) == 0 || ctx.Err() == nil && !slices.Contains(line.waiting, i)
			})
			line.clear()
			if !yield(i, outcomes[i]) {
				return
			}
		}
	}
}

// placesLine shows on a terminal which places have not answered yet. It is for one goroutine.
type placesLine struct {
	env     *shell.Env
	places  []remote.Place
	waiting []int // of places
	began   time.Time
	shown   bool
}

func newPlacesLine(env *shell.Env, places []remote.Place) *placesLine {
	l := &placesLine{env: env, places: places, began: time.Now()}
	for i := range places {
		l.waiting = append(l.waiting, i)
	}
	return l
}

// await notes the places that answer until that is enough.
func (l *placesLine) await(answered <-chan int, enough func() bool) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for !enough() {
		select {
		case i := <-answered:
			l.waiting = slices.DeleteFunc(l.waiting, func(other int) bool { return other == i })
		case <-tick.C:
			l.show()
		}
	}
}

// show draws the line: 7 of 12 places answered; waiting for ssh:db1 and 4 more (4 s).
func (l *placesLine) show() {
	width := l.env.ErrWidth
	if width <= 0 || len(l.waiting) == 0 {
		return
	}
	before, after := "", fmt.Sprintf(" (%d s)", int(time.Since(l.began).Seconds()))
	if n := len(l.places); n > 1 {
		before = fmt.Sprintf("%d of %d places answered; ", n-len(l.waiting), n)
	}
	if more := len(l.waiting) - 1; more > 0 {
		after = fmt.Sprintf(" and %d more", more) + after
	}
	before += "waiting for "
	word := render.Shorten(render.Escape(l.places[l.waiting[0]].Word), max(1, width-1-len(before)-len(after)))
	l.env.Say("\r\x1b[K%s", render.Shorten(before+word+after, max(1, width-1)))
	l.shown = true
}

func (l *placesLine) clear() {
	if l.shown {
		l.env.Say("\r\x1b[K")
		l.shown = false
	}
}
