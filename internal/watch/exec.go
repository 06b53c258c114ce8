package watch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"
)

// Hook runs the user's command for events, one at a time.
type Hook struct {
	// Command is given to sh, with the event's file as its argument and the event's line on standard input.
	Command string
	// Limit is how long one run may take.
	Limit time.Duration
	// Output takes what it prints; Complain is told of a run that fails.
	Output   io.Writer
	Complain func(message string)

	queue chan run
	done  chan struct{}
}

// run is one event for the command. file is empty if there is no recording.
type run struct {
	file string
	line []byte
}

// mostQueued is how many events may wait for the command.
const mostQueued = 16

// Start begins to run what Add is given.
func (h *Hook) Start() {
	h.queue, h.done = make(chan run, mostQueued), make(chan struct{})
	go func() {
		defer close(h.done)
		for r := range h.queue {
			if err := h.run(r); err != nil {
				h.Complain(fmt.Sprintf("--exec: %v", err))
			}
		}
	}()
}

// Add queues an event. A nil Hook does nothing.
func (h *Hook) Add(r run) {
	if h == nil {
		return
	}
	select {
	case h.queue <- r:
	default:
		h.Complain(fmt.Sprintf("--exec: not run for an event: %d others wait", mostQueued))
	}
}

// Stop waits for the runs that are queued.
func (h *Hook) Stop() {
	if h != nil {
		close(h.queue)
		<-h.done
	}
}

// run runs the command once. Neither its arguments nor its environment have text of the target: the name of the file
// is ours.
func (h *Hook) run(r run) error {
	ctx, cancel := context.WithTimeout(context.Background(), h.Limit)
	defer cancel()
	args := []string{"-c", h.Command + ` "$@"`, "sh"}
	if r.file != "" {
		args = append(args, r.file)
	}
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(append(r.line, '\n')), h.Output, h.Output
	cmd.WaitDelay = time.Second
	endWithChildren(cmd)
	err := cmd.Run()
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Errorf("%s was ended after %v (--exec-timeout)", h.Command, h.Limit)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", h.Command, err)
	}
	return nil
}
