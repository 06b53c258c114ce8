package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/target"
)

// FromMemory reports whether the JVM is not asked, or no longer asked as it gave no dump.
func (l *Source) FromMemory() bool { return l.Via == source.ViaMemory || l.cost.Memory.Dumps > 0 }

// instead reads the memory of a JVM that gave no dump, if that is allowed and may work. Without a dump it returns
// nothing.
func (l *Source) instead(ctx context.Context, r source.Request, failed error) []recording.Entry {
	if l.Via != source.ViaAuto || !readable(failed) {
		return nil
	}
	l.waited = time.Since(l.Target().Start) - time.Duration(l.taken-1)*l.Interval
	entries := l.fromMemory(ctx, r)
	if err := entries[0].Err; err != nil {
		l.cost.Memory.Why = err.Error()
		return nil
	}
	noteFailure(&l.cost.Memory, failed)
	if before := l.taken - 1; before > 0 {
		l.cost.Memory.Before = before
		l.cost.Memory.Ended = &source.UnansweredError{Dumps: before, Err: failed}
	}
	if codeOf(failed) == attach.CodeStopped { // nothing moves: further looks would show the same
		l.taken = l.Count
	}
	return entries
}

// noteFailure keeps the facts of a failed attach for the report.
func noteFailure(o *source.MemoryOutcome, failed error) {
	e := (*attach.Error)(nil)
	if !errors.As(failed, &e) {
		return
	}
	if !target.Explicable(failed) {
		o.Instead = e.Cause
	}
	unanswered := e.Triggered || e.Asked || e.Phase == attach.PhaseRead
	if n := len(e.Sent); n > 0 && unanswered {
		last := e.Sent[n-1]
		o.Unanswered = []string{fmt.Sprintf("%s at %s", last.What, last.At.Local().Format(time.TimeOnly))}
	}
}

// readable reports whether the process of a failed attach is still there, so that its memory can show more.
func readable(err error) bool {
	switch codeOf(err) {
	case "", attach.CodeNoProcess, attach.CodeNotJVM, attach.CodeZombie, attach.CodeTargetDied, attach.CodeForeignProc,
		attach.CodePIDReused, attach.CodeRequest, attach.CodeInterrupted, attach.CodeUnsupported, attach.CodeCrash:
		return false
	}
	return true
}

// codeOf is the code of a failed attach, empty for another error.
func codeOf(err error) string {
	e := (*attach.Error)(nil)
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

// fromMemory is a reading whose dump, first of the entries, is read from memory.
func (l *Source) fromMemory(ctx context.Context, r source.Request) []recording.Entry {
	entries := l.Memory().Reading(ctx, r, l.Count > 1)
	if entries[0].Err == nil {
		l.cost.Memory.Dumps++
	}
	return entries
}

// Dump takes one dump in the way that Via says, with the owners of locks if requested. instead is why the JVM gave no
// dump and its memory was read, nil if it was asked or Via is ViaMemory.
func (l *Source) Dump(ctx context.Context, locks bool) (answer *attach.Answer, instead, err error) {
	if l.Via == source.ViaMemory {
		d, err := l.Memory().Dump(ctx)
		return answerOf(d, err), nil, err
	}
	if err = l.Asker().standstill(ctx); err == nil {
		answer, err = l.Asker().execute(ctx, attach.ThreadDump(l.Process.Major, locks))
	}
	if err == nil && l.Via == source.ViaAuto {
		answer.Body = append(answer.Body, l.Memory().VirtualOf(ctx, answer.Body)...)
	}
	if err == nil || l.Via != source.ViaAuto || !readable(err) {
		return answer, nil, err
	}
	d, unread := l.Memory().Dump(ctx)
	if unread != nil {
		return answer, nil, err
	}
	return answerOf(d, nil), err, nil
}

func answerOf(d *hotspot.Dump, err error) *attach.Answer {
	if err != nil {
		return nil
	}
	return &attach.Answer{Body: append(d.Text(), d.VirtualText()...)}
}
