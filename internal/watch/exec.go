package watch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Hook runs the user's command for events, one at a time.
type Hook struct {
	// Command is a script for sh. $1 and $JSTALL_FILE are the event's file, standard input is the event's line.
	Command string
	// Limit is how long one run may take.
	Limit time.Duration
	// Output receives what the command prints; Complain is called when a run fails.
	Output   io.Writer
	Complain func(message string)

	queue chan run
	done  chan struct{}
	// ended is done once no command may run any more. end ends it.
	ended context.Context
	end   context.CancelFunc
}

// run is one event for the command. file is empty if there is no recording.
type run struct {
	file string
	line []byte
}

// mostQueued is how many events may wait for the command.
const mostQueued = 16

// Start begins to run the events that Add queues.
func (h *Hook) Start() {
	h.queue, h.done = make(chan run, mostQueued), make(chan struct{})
	h.ended, h.end = context.WithCancel(context.Background())
	go func() {
		defer close(h.done)
		left := 0
		for r := range h.queue {
			if h.ended.Err() != nil {
				left++
			} else if err := h.run(r); err != nil {
				h.Complain(fmt.Sprintf("--exec: %v", err))
			}
		}
		if left > 0 {
			h.Complain(fmt.Sprintf("--exec: not run for the last %d of the events: the watch had to end", left))
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

// Stop waits for the queued runs. After the shorter of Limit and most it ends those that are left.
func (h *Hook) Stop(most time.Duration) {
	if h == nil {
		return
	}
	close(h.queue)
	last := time.AfterFunc(min(h.Limit, most), h.end)
	defer last.Stop()
	<-h.done
}

// mostPrinted bounds what one run may print, in bytes.
const mostPrinted = 64 << 10

// printed passes on what a run prints, up to a bound.
type printed struct {
	to   io.Writer
	left int
	cut  bool
}

func (p *printed) Write(b []byte) (int, error) {
	some := b[:min(len(b), p.left)]
	p.left -= len(some)
	p.cut = p.cut || len(some) < len(b)
	if len(some) > 0 {
		if _, err := p.to.Write(some); err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// run runs the command once. The only text of the target in its argument and environment is in the file's name, in
// which jstall writes only letters, digits and dashes.
func (h *Hook) run(r run) error {
	ctx, cancel := context.WithTimeout(h.ended, h.Limit)
	defer cancel()
	args := []string{"-c", h.Command, "sh"}
	if r.file != "" {
		args = append(args, r.file)
	}
	cmd := exec.CommandContext(ctx, "sh", args...)
	cmd.Env = append(os.Environ(), "JSTALL_FILE="+r.file)
	out := &printed{to: h.Output, left: mostPrinted}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(append(r.line, '\n')), out, out
	cmd.WaitDelay = time.Second
	endWithChildren(cmd)
	err := cmd.Run()
	if out.cut {
		h.Complain(fmt.Sprintf("--exec: %s printed more than %d kB; the rest is left out", h.Command, mostPrinted>>10))
	}
	switch {
	case h.ended.Err() != nil:
		return fmt.Errorf("%s was ended after the watch (--exec-timeout, 3 s at most)", h.Command)
	case ctx.Err() != nil:
		return fmt.Errorf("%s was ended after %v (--exec-timeout)", h.Command, h.Limit)
	case err != nil:
		return fmt.Errorf("%s: %w", h.Command, err)
	}
	return nil
}
