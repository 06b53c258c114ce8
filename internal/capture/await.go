package capture

import (
	"context"
	"errors"
	"time"

	"jstall/internal/jvm"
	"jstall/internal/kernel"
)

// startPoll is how often a JVM that is still starting is looked at.
const startPoll = 2 * time.Millisecond

// Await inspects a process; a Java launcher that has not loaded its JVM yet is
// waited for, up to timeout.
func Await(ctx context.Context, k *kernel.Reader, pid int, timeout time.Duration) (jvm.Process, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	for {
		p, err := jvm.Inspect(ctx, k, pid)
		if notReady := (*jvm.NotReadyError)(nil); !errors.As(err, &notReady) {
			return p, err
		}
		select {
		case <-time.After(startPoll):
		case <-ctx.Done():
			return p, err
		}
	}
}
