package live

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/form"
)

// Inquiry says what to ask in one round, without a thread dump.
type Inquiry struct {
	// Commands are diagnostic commands; of each list the JVM is asked the first one that it knows.
	Commands [][]string
	// Walk is set if the commands pause the JVM for a walk of its heap. The pause predicted for PerMB must not be
	// longer than MaxPause.
	Walk     *HeapWalk
	MaxPause time.Duration
	// Machine asks for the kernel's files, Release for the JDK's release file.
	Machine, Release bool
}

// Ask takes the next round when it is due: the counters, the answers, and the counters again. It returns io.EOF after
// the last one. A command that failed is an entry with Err.
func (l *Source) Ask(ctx context.Context, q Inquiry) ([]recording.Entry, error) {
	if l.taken == l.Count {
		return nil, io.EOF
	}
	if err := l.wait(ctx); err != nil {
		return nil, err
	}
	l.taken++
	var entries []recording.Entry
	if len(q.Commands) > 0 {
		answers, err := l.questions(ctx, q)
		if err != nil {
			return nil, err
		}
		entries = append(entries, answers...)
	}
	entries = append(entries, l.Target().Counters())
	if q.Machine {
		entries = append(append(entries, l.Target().Stat()), l.Target().Surroundings()...)
	}
	if q.Release {
		entries = append(entries, l.Target().Release())
	}
	return entries, ctx.Err()
}

func (l *Source) questions(ctx context.Context, q Inquiry) ([]recording.Entry, error) {
	before := l.Target().Counters()
	var entries []recording.Entry
	if q.Walk != nil {
		info := l.Asker().jcmd(ctx, form.HeapInfoCommand)
		if err := q.mayWalk(info, before); err != nil {
			return nil, err
		}
		entries = append(entries, info)
	}
	begin := time.Now()
	for _, alternatives := range q.Commands {
		for _, command := range alternatives {
			answer := l.Asker().jcmd(ctx, command)
			entries = append(entries, answer)
			if !IsUnknownCommand(answer.Err) {
				break
			}
		}
	}
	took := time.Since(begin)
	l.cost.Add(pauseBetween(before, l.Target().Counters(), took))
	return entries, nil
}

// mayWalk returns why the heap is not walked, nil if the predicted pause is short enough.
func (q Inquiry) mayWalk(info, counters recording.Entry) error {
	if info.Err != nil && !IsUnknownCommand(info.Err) {
		return info.Err
	}
	if refused := q.Walk.refusal(heapUseOf(info, counters), q.Commands[0][0], q.MaxPause); refused != nil {
		return refused
	}
	return nil
}

// IsUnknownCommand reports whether the error is the answer of a JVM that does not have the command.
func IsUnknownCommand(err error) bool {
	switch e := (*attach.Error)(nil); {
	case errors.As(err, &e):
		return e.Code == attach.CodeCommandFailed
	case err != nil:
		f := (*recording.Failure)(nil)
		return errors.As(err, &f) && f.Code == attach.CodeCommandFailed
	}
	return false
}
