package target

import (
	"context"
	"time"

	"github.com/jstall/jstall/internal/caught"
)

// InTime waits for f no longer than that. f ends with its context: only a call of the
// kernel that hangs may outlast it.
func InTime(limit time.Duration, f func(context.Context)) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	done := make(chan *caught.Panic, 1)
	go func() { done <- caught.Try(func() { f(ctx) }) }()
	select {
	case broken := <-done:
		broken.Repanic()
	case <-ctx.Done():
	}
}
