package live

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/diagcmd"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
)

// Inquiry says what a round of questions asks, without a thread dump.
type Inquiry struct {
	// Commands are diagnostic commands; of each list the JVM is asked the first that
	// it knows.
	Commands [][]string
	// Walk is true if the commands stop the JVM for a walk of its heap, which must
	// not take longer than MaxPause, as predicted for PerMB.
	Walk     *HeapWalk
	MaxPause time.Duration
	// Machine asks for the kernel's files, Release for the JDK's release file.
	Machine, Release bool
}

// HeapWalk is what a command takes for a megabyte of heap in use: of 20,000 small
// objects or more. Large arrays take a fraction of it.
type HeapWalk struct {
	PerMB time.Duration
	// Barrier is that under ZGC and Shenandoah.
	Barrier time.Duration
}

// PauseError reports that a question was not asked for the pause it would cost.
type PauseError struct {
	Command             string
	Predicted, MaxPause time.Duration
	HeapUsed            int64
	// WithAll is the pause that is predicted for a histogram without a collection, 0 if this was one.
	WithAll time.Duration
}

func (e *PauseError) Error() string {
	if e.Predicted == 0 {
		return e.Command + " not asked: the JVM does not tell how much heap is in use, so the pause cannot be predicted"
	}
	return fmt.Sprintf(
		"%s not asked: a pause of about %s is predicted for the %d MB of heap in use, and --max-pause is %s",
		e.Command, source.PauseText(e.Predicted), e.HeapUsed>>20, e.MaxPause)
}

// Ask takes the next round when it is due: the counters, the answers, and the
// counters again. It returns io.EOF after the last one; a question that failed is
// an entry with Err.
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
		if err := l.mayWalk(info, before, q); err != nil {
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
	l.account(time.Since(begin), before, l.Target().Counters())
	return entries, nil
}

// mayWalk predicts the pause as for the owners of locks.
func (l *Source) mayWalk(info, counters recording.Entry, q Inquiry) error {
	if info.Err != nil && !IsUnknownCommand(info.Err) {
		return info.Err
	}
	h := diagcmd.ParseHeapInfo(string(info.Bytes))
	used, collector := jvm.Opt[int64](h.Used), h.Collector
	if data, err := jvm.ParsePerfData(counters.Bytes); err == nil && !used.Known {
		used, collector = data.HeapUsed(), data.GC()
	}
	e := &PauseError{Command: q.Commands[0][0], MaxPause: q.MaxPause, HeapUsed: used.Value}
	if !used.Known {
		return e
	}
	e.Predicted = q.Walk.pause(used.Value, collector)
	if e.Command == HistogramCommand {
		e.WithAll = HistogramWalk(HistogramAll).pause(used.Value, collector)
	}
	if e.Predicted >= q.MaxPause {
		return e
	}
	return nil
}

// pause is what is predicted for so many bytes of heap in use.
func (w HeapWalk) pause(used int64, collector string) time.Duration {
	return time.Duration(float64(used) / (1 << 20) * float64(w.perMB(collector)))
}

func (w HeapWalk) perMB(collector string) time.Duration {
	if collector == "ZGC" || collector == "Shenandoah" {
		return w.Barrier
	}
	return w.PerMB
}

// IsUnknownCommand recognises the answer of a JVM that does not have the command.
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
