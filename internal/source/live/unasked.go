package live

import (
	"context"
	"time"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/unresponsive"
)

// standing is why a JVM is not asked for a reading, nil if it is: what the request says, or that it is stopped. Where
// the memory may not be read, the reading says so.
func (l *Source) standing(ctx context.Context, r source.Request) error {
	if r.Standing == nil && l.TellStopped && l.Via == source.ViaMemory && l.Memory().MayRead(ctx) {
		return (&unresponsive.Pulses{Kernel: l.Kernel, Process: l.Process}).WhyStopped()
	}
	return r.Standing
}

// unasked is a reading of a JVM that cannot answer: what /proc and the counters show, and its memory. Nothing is sent.
func (l *Source) unasked(ctx context.Context, r source.Request) ([]recording.Entry, error) {
	dump := recording.Entry{Kind: recording.ThreadDump, At: time.Since(l.Target().Start), Err: r.Standing}
	_, watcher := l.watch(ctx)
	entries := append([]recording.Entry{dump}, watcher.End(r.Standing)...)
	if l.Via == source.ViaMemory || l.Via == source.ViaAuto && l.Memory().MayRead(ctx) {
		if read := l.fromMemory(ctx, r); read[0].Err == nil {
			entries = append(entries, read...)
		}
	}
	return entries, ctx.Err()
}
