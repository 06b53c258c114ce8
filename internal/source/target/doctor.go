package target

import (
	"strings"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/kernel"
)

// debuggerCheck is the name of the check for a Java debugger.
const debuggerCheck = "debugger"

// The threads of the JDK's debugging agent, as the kernel names them. The reader exists only while a debugger is
// connected.
const (
	agentThread  = "JDWP "
	readerThread = "JDWP Command Re"
)

// CheckDebugger checks whether a Java debugger may hold threads of the JVM: its agent is loaded. That does not prevent
// an attach, but the debugger decides what such threads do. loaded is false without an agent.
func (l *JVM) CheckDebugger() (check attach.Check, loaded bool) {
	tasks, err := l.Kernel.Tasks(l.Process.PID, kernel.TaskOptions{Comm: true})
	if err != nil {
		return check, false
	}
	connected := false
	for _, t := range tasks {
		loaded = loaded || strings.HasPrefix(t.Comm, agentThread)
		connected = connected || t.Comm == readerThread
	}
	check = attach.Check{Name: debuggerCheck, Result: attach.Unknown,
		Detail: "the debugging agent (JDWP) is loaded and no debugger is connected; with suspend=y main does not " +
			"begin before one is"}
	if connected {
		check.Detail = "a Java debugger is connected; threads that it holds make no progress"
	}
	return check, loaded
}

// CheckCounters checks whether pauses can be measured, and attaching during a GC can be avoided.
func (l *JVM) CheckCounters() attach.Check {
	check := attach.Check{Name: "counters", Result: attach.Unknown,
		Detail: "it has no performance counters: jstall cannot wait for the end of a collection, and cannot measure " +
			"pauses",
		Remedy: "start the JVM without -XX:-UsePerfData and -XX:+PerfDisableSharedMem"}
	data, err := jvm.ParsePerfData(l.Counters().Bytes)
	if err != nil {
		return check
	}
	check.Result, check.Remedy, check.Detail = attach.OK, "", "they can be read, and show no GC in progress"
	if data.InGC() {
		check.Detail = "they can be read; a collection is under way; jstall would wait for its end"
	}
	return check
}
