package session

import (
	"context"

	"github.com/jstall/jstall/internal/ending"
	"github.com/jstall/jstall/internal/render"
)

// Finishing notes that the captures of running targets must be reported, even after an interrupt. Saved dumps can be
// read again.
func Finishing(ctx context.Context, targets []Target) (done func()) {
	for _, t := range targets {
		if t.IsLive() {
			return ending.Work(ctx, "finishing the capture of "+render.Escape(t.Label()))
		}
	}
	return func() {}
}
