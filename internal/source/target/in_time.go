package target

import (
	"context"
	"time"

	"github.com/jstall/jstall/internal/caught"
)

// InTime waits for f at most for the limit. f ends with its context; only a hanging system call may outlast it.
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
