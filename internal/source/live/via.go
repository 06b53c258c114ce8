package live

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/form"
	"github.com/jstall/jstall/internal/source/memory"
	"github.com/jstall/jstall/internal/source/target"
)

// FromMemory reports whether the JVM is not asked, or is asked no longer as it gave no dump.
func (l *Source) FromMemory() bool { return l.Via == source.ViaMemory || l.cost.Memory.Dumps > 0 }

// instead reads the memory of a JVM that gave no dump, if that is allowed and may work. Without a dump
// it returns nothing.
func (l *Source) instead(ctx context.Context, r source.Request, failed error) []recording.Entry {
	if l.Via != source.ViaAuto || !readable(failed) {
		return nil
	}
	l.waited = time.Since(l.Target().Start) - time.Duration(l.taken-1)*l.Interval
	entries := l.lookAtMemory(ctx, r)
	if err := entries[0].Err; err != nil {
		l.cost.Memory.Why = err.Error()
		return nil
	}
	l.noteFailure(failed)
	if before := l.taken - 1; before > 0 {
		l.cost.Memory.Before = before
		l.cost.Memory.Ended = &source.SilencedError{Dumps: before, Err: failed}
	}
	if codeOf(failed) == attach.CodeStopped { // nothing moves: further looks would show the same
		l.taken = l.Count
	}
	return entries
}

// noteFailure notes what the report says of an attach that failed.
func (l *Source) noteFailure(failed error) {
	e := (*attach.Error)(nil)
	if !errors.As(failed, &e) {
		return
	}
	if !target.Explicable(failed) {
		l.cost.Memory.Instead = e.Cause
	}
	unanswered := e.Triggered || e.Asked || e.Phase == attach.PhaseRead
	if n := len(e.Sent); n > 0 && unanswered {
		last := e.Sent[n-1]
		l.cost.Memory.Unanswered = []string{fmt.Sprintf("%s at %s", last.What, last.At.Local().Format(time.TimeOnly))}
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

// codeOf is the code of a failed attach, empty of another error.
func codeOf(err error) string {
	e := (*attach.Error)(nil)
	if !errors.As(err, &e) {
		return ""
	}
	return e.Code
}

// lookAtMemory is a reading whose dump, first of the entries, comes from memory. The other entries come from /proc and
// the counters.
func (l *Source) lookAtMemory(ctx context.Context, r source.Request) []recording.Entry {
	begin := time.Now()
	d, err := l.Memory().Dump(ctx)
	dump := recording.Entry{Kind: recording.ThreadDump, At: begin.Sub(l.Target().Start), Took: time.Since(begin),
		Err: err}
	if err != nil {
		return []recording.Entry{dump}
	}
	l.cost.Memory.Dumps++
	dump.Bytes = d.Text()
	entries := []recording.Entry{dump}
	if r.Tasks {
		entries = append(entries, l.Target().Tasks(dump.Bytes))
	}
	if r.Objects != source.NoObjects {
		objects := form.ObjectsEntry(d.Facts, nil)
		objects.At = dump.At
		entries = append(entries, objects)
	}
	for _, e := range form.VirtualOfDump(d, nil) {
		e.At = dump.At
		entries = append(entries, e)
	}
	entries = append(entries, l.Target().Counters())
	if l.Count > 1 {
		entries = append(entries, l.Target().Stat())
	}
	if r.Machine {
		entries = append(entries, l.Target().Surroundings()...)
	}
	return entries
}

// Dump takes one dump, the way that Via says; with the owners of locks if so asked. instead is why the JVM
// gave none and its memory was read, nil if it was asked or Via is ViaMemory.
func (l *Source) Dump(ctx context.Context, locks bool) (answer *attach.Answer, instead, err error) {
	if l.Via == source.ViaMemory {
		d, err := l.Memory().Dump(ctx)
		return answerOf(d, err), nil, err
	}
	if err = l.Asker().standstill(ctx); err == nil {
		answer, err = l.Asker().execute(ctx, attach.ThreadDump(l.Process.Major, locks))
	}
	if err == nil {
		answer.Body = append(answer.Body, l.virtualOf(ctx, answer.Body)...)
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

// virtualOf is the virtual threads that belong to a dump which the JVM has just given, as text behind it; nil where
// they cannot be read.
func (l *Source) virtualOf(ctx context.Context, dump []byte) []byte {
	list, ok := listOf(dump)
	if !ok || l.Via != source.ViaAuto || l.Process.Major > 0 && l.Process.Major < firstVirtual {
		return nil
	}
	d, err := memory.FromMemory(ctx, l.Memory(), min(l.Memory().Limit(), objectsLimit), l.Memory().Supplement(false))
	if err != nil {
		return nil
	}
	return d.VirtualTextOf(list)
}

// listOf is the address of the list of threads in the head of a dump.
func listOf(dump []byte) (uint64, bool) {
	const head, digits = 1 << 10, 16 // it comes before all names of threads
	_, rest, found := bytes.Cut(dump[:min(head, len(dump))], []byte("_java_thread_list=0x"))
	if !found || len(rest) < digits {
		return 0, false
	}
	list, err := strconv.ParseUint(string(rest[:digits]), 16, 64)
	return list, err == nil
}

func answerOf(d *hotspot.Dump, err error) *attach.Answer {
	if err != nil {
		return nil
	}
	return &attach.Answer{Body: append(d.Text(), d.VirtualText()...)}
}
