package attach

// The commands of jstall that send an operation.
const (
	records    = "`record`, `--keep`"
	typedOnly  = "no command, unless typed after `jstall jcmd`"
	recordings = "`flame --engine jfr`, `--event alloc`, `--event lock` and `--label-from`; `flame` from 25 on where " +
		"perf events are not allowed; `methods --count`"
)

// Operations returns the table of what can be sent to a JVM, by name. A request that is not in it is not sent: commands
// of jstall make no other one, and only what a user types after `jstall jcmd` (Typed) is checked by its name alone. The
// stops were read in the safepoint log of JDK 17, 21, 25 and 26. The table is in docs/safety.md too.
func Operations() []Operation {
	return append(protocolOperations(), append(diagnosticOperations(), recorderOperations()...)...)
}

// protocolOperations are those of the attach protocol.
func protocolOperations() []Operation {
	return []Operation{
		{
			Name: "getversion", Forms: []string{"getversion options"}, Stop: StopNone,
			Sender: "the first request to a JVM of 24 or newer, or of unknown release",
		},
		{
			Name: "load", Forms: []string{"load * true *"}, Stop: StopSafepoint,
			Sender: "`flame --engine async`; it loads libasyncProfiler.so and no other library",
			Rare:   "crashes in AsyncGetCallTrace of HotSpot (async-profiler issues 1110, 1364)",
		},
		{
			Name: "threaddump", Forms: []string{"threaddump", "threaddump -e"}, Stop: StopSafepoint,
			Sender: "every command that takes thread dumps",
			Rare: "11: a native thread that ended without detaching from the JVM (adoptium-support issue 122); " +
				"resolved in 17",
		},
		{
			Name: "threaddump -l", Forms: []string{"threaddump -l", "threaddump -l -e"}, Stop: StopHeapWalk,
			Sender: "`--locks auto` if its predicted pause is short, `--locks always`, `dump -l`",
			Rare:   "as threaddump",
		},
	}
}

// diagnosticOperations are the diagnostic commands but for those of the flight recorder.
func diagnosticOperations() []Operation {
	return []Operation{
		{Name: "Compiler.CodeHeap_Analytics", Stop: StopNone, Sender: typedOnly,
			Crashes: []Crash{{Bugs: "JDK-8219586", Why: "it reads compiled methods that are no longer there",
				Releases: []Releases{{First: 11, Last: 12}}}}},
		plain("Compiler.codecache", StopNone, "`status`, `record`, once in a capture"),
		plain("Compiler.queue", StopSafepoint, "`compiler-queue`, "+records),
		{Name: "GC.class_histogram", Forms: []string{"GC.class_histogram"}, Stop: StopFullGC,
			Sender:  "`class-histogram`, `record --full`, if the predicted pause is short",
			Crashes: shenandoahCollects()},
		plain("GC.class_histogram -all", StopHeapWalk, "`class-histogram --all`, if the predicted pause is short"),
		plain("GC.heap_info", StopNone, "`gc-heap-info`, "+records+"; before a heap walk, to predict its pause"),
		{Name: "GC.heap_dump", Stop: StopFullGC, Sender: typedOnly, Crashes: shenandoahCollects()},
		dumpToFileOperation(),
		plain("VM.classloader_stats", StopSafepoint,
			"`vm-classloader-stats`, "+records+"; `status` if many classes were loaded during the capture"),
		plain("VM.command_line", StopNone, records),
		{Name: "VM.flags", Forms: []string{"VM.flags", "VM.flags -all"}, Stop: StopNone,
			Sender: "`vm-flags`, " + records},
		plain("VM.info", StopNone, records),
		plain("VM.metaspace", StopSafepoint, "`vm-metaspace`, "+records),
		{Name: "VM.native_memory", Forms: []string{"VM.native_memory summary"}, Stop: StopNone, Sender: records,
			Crashes: []Crash{{Bugs: "JDK-8251257", Why: "the option scale can end this JVM", With: "scale",
				Instead:  "omit the option scale",
				Releases: []Releases{{First: 8, Last: 15}}}}},
		plain("VM.uptime", StopNone, records),
		plain("VM.version", StopNone, records),
		plain("VM.vitals", StopNone, "`vm-vitals`, "+records+"; only SapMachine has it"),
	}
}

// plain is a command that runs no Java code, has no options and no known bug.
func plain(name string, stop Stop, sender string) Operation {
	return Operation{Name: name, Forms: []string{name}, Stop: stop, Sender: sender}
}

// dumpToFileOperation has a bug in 24 and 25 whose fix no update is known to have: 25.0.5 crashes.
func dumpToFileOperation() Operation {
	return Operation{
		Name: "Thread.dump_to_file", Java: true, Stop: StopNone, Sender: "`--virtual always`",
		Forms: []string{"Thread.dump_to_file -format=json *", "Thread.dump_to_file -format=plain *"},
		Crashes: []Crash{{Bugs: "JDK-8364343", Why: "it can end this JVM while virtual threads mount or unmount",
			Releases: []Releases{{First: 24, Last: 25}}}},
	}
}

// shenandoahCollects is the bug of GCs on the VM thread during a concurrent cycle of Shenandoah.
func shenandoahCollects() []Crash {
	return []Crash{{
		Bugs: "JDK-8345750", Why: "its GC can corrupt the heap of Shenandoah", Collector: "Shenandoah", Without: "-all",
		Instead:  "ask for all objects, also dead ones (-all), which makes no GC",
		Releases: []Releases{{First: 8, Last: 20}, {First: 21, Last: 21, Fixed: 7}, {First: 22, Last: 23}},
	}}
}

// recorderOperations are those of the flight recorder.
func recorderOperations() []Operation {
	return []Operation{
		{
			Name: "JFR.check", Forms: []string{"JFR.check"}, Java: true, Stop: StopSafepoint, Sender: recordings,
		},
		{
			Name: "JFR.start", Java: true, Stop: StopSafepoint, Sender: recordings,
			Forms: []string{"JFR.start name=* settings=* duration=*s maxsize=*M filename=*"},
			Crashes: []Crash{{Bugs: "JDK-8371368", Why: "its samples of stacks can end this JVM", Arch: "arm64",
				Releases: []Releases{{First: 25, Last: 25, Fixed: 3}}}},
			Rare: "17 before 17.0.11: threads that native code attaches meanwhile (JDK-8276125); a full disk below " +
				"the recorder's repository ends the JVM (JDK-8280684), so jstall checks its room before and meanwhile",
		},
		{
			Name: "JFR.stop", Forms: []string{"JFR.stop name=*"}, Java: true, Stop: StopSafepoint, Sender: recordings,
			Rare: "as JFR.start",
		},
	}
}
