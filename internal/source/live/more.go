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

// More asks the JVM for the further facts of a recording, one command after the other. A command that the JVM does not
// have gives an entry with an error. More ends at the first command without an answer.
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

// Unanswered returns the error of the first command without an answer, nil if all were answered or refused.
func Unanswered(entries []recording.Entry) error {
	for _, e := range entries {
		if e.Kind == recording.Jcmd && target.Explicable(e.Err) {
			return e.Err
		}
	}
	return nil
}

// Histogram asks for the live objects by class. If the predicted pause is longer than maxPause it returns an entry that
// says so.
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
