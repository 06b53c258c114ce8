package capture

import (
	"context"

	"jstall/internal/recording"
)

// furtherCommands are what a recording keeps of a JVM beside what an analysis
// needs. None walks the heap.
var furtherCommands = [...]string{
	"VM.version", "VM.uptime", "VM.command_line", "VM.flags", "VM.flags -all", "VM.system_properties",
	"GC.heap_info", "VM.metaspace", "VM.classloader_stats", "Compiler.queue", "VM.native_memory summary", "VM.vitals", "VM.info",
}

// fullCommands cost the target a full collection.
var fullCommands = [...]string{"GC.class_histogram"}

// More asks the JVM for what a recording holds beyond the looks, one command
// after the other; what a JVM does not have is an entry that says so.
func (l *Live) More(ctx context.Context, full bool) []recording.Entry {
	commands := furtherCommands[:]
	if full {
		commands = append(commands[:len(commands):len(commands)], fullCommands[:]...)
	}
	entries := make([]recording.Entry, 0, len(commands))
	for _, c := range commands {
		if ctx.Err() != nil {
			break
		}
		entries = append(entries, l.jcmd(ctx, c))
	}
	return append(entries, l.Release())
}
