package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
)

// startPoll is how often a JVM that is still starting is checked.
const startPoll = 2 * time.Millisecond

// Await inspects a process. It waits, up to timeout, for a Java launcher that has not loaded its JVM yet.
func Await(ctx context.Context, k *kernel.Reader, pid int, timeout time.Duration) (jvm.Process, error) {
	within, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	deadline, _ := within.Deadline()
	for {
		p, err := jvm.Inspect(within, k, pid)
		late := err == nil && !time.Now().Before(deadline)
		if ctx.Err() == nil && (late || errors.Is(err, context.DeadlineExceeded)) {
			return p, &TooShortError{PID: pid, Timeout: timeout}
		}
		if notReady := (*jvm.NotReadyError)(nil); !errors.As(err, &notReady) {
			return p, err
		}
		select {
		case <-time.After(startPoll):
		case <-within.Done():
			return p, err
		}
	}
}

// TooShortError reports that the given time was too short even to inspect a process.
type TooShortError struct {
	PID     int
	Timeout time.Duration
}

func (e *TooShortError) Error() string {
	return fmt.Sprintf("process %d could not be read within the %v of --timeout", e.PID, e.Timeout)
}
