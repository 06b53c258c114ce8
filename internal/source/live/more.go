package live

import (
	"context"
	"time"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source/target"
)

// furtherCommands are the commands whose answers a recording has in addition to what an analysis needs. None walks the
// heap or runs Java code.
var furtherCommands = [...]string{
	"VM.version", "VM.uptime", "VM.command_line", "VM.flags", "VM.flags -all",
	"GC.heap_info", "VM.metaspace", "VM.classloader_stats", "Compiler.queue", "VM.native_memory summary",
	VitalsCommand, "VM.info",
}

// VitalsCommand is the diagnostic command that SapMachine alone has.
const VitalsCommand = "VM.vitals"

// IsVendorCommand recognises the commands that are missing in most JVMs.
func IsVendorCommand(name string) bool { return name == VitalsCommand }

// More asks the JVM for what a recording holds beyond the readings, one command
// after the other; what a JVM does not have is an entry that says so. It ends at the first
// command that the JVM gives no answer to.
func (a *Asker) More(ctx context.Context) []recording.Entry {
	entries := make([]recording.Entry, 0, len(furtherCommands)+1)
	for _, c := range furtherCommands {
		if ctx.Err() != nil {
			break
		}
		entries = append(entries, a.jcmd(ctx, c))
		if Unanswered(entries) != nil {
			break
		}
	}
	return append(entries, a.Release())
}

// Unanswered is why the JVM gave no answer to the first of the questions that has none, nil
// if all were answered or refused.
func Unanswered(entries []recording.Entry) error {
	for _, e := range entries {
		if e.Kind == recording.Jcmd && target.Explicable(e.Err) {
			return e.Err
		}
	}
	return nil
}

// Histogram asks for the live objects by class unless the predicted pause is longer
// than may be; then the entry says so.
func (l *Source) Histogram(ctx context.Context, maxPause time.Duration) []recording.Entry {
	client := l.Asker().attachClient()
	defer func(d time.Duration) { client.Timeout = d }(client.Timeout)
	client.Timeout = max(client.Timeout, WalkTimeout(maxPause))
	entries, err := l.questions(ctx, Inquiry{
		Commands: [][]string{{HistogramCommand}}, Walk: HistogramWalk(HistogramCommand), MaxPause: maxPause,
	})
	if err != nil {
		return []recording.Entry{{Kind: recording.Jcmd, Name: HistogramCommand, At: time.Since(l.Target().Start),
			Err: err}}
	}
	return entries
}
