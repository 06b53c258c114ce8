package timeline

import (
	"slices"
	"strings"
)

// observers are the methods by which a thread of the JVM takes a dump of all threads: of the
// management beans, which JMX clients, actuators and agents call, and of the JDK itself.
var observers = [...]string{
	"sun.management.ThreadImpl.dumpThreads0", "sun.management.ThreadImpl.getThreadInfo",
	"sun.management.ThreadImpl.findDeadlockedThreads0", "sun.management.ThreadImpl.findMonitorDeadlockedThreads0",
	"java.lang.Thread.dumpThreads", "java.lang.Thread.getAllStackTraces",
	"sun.management.DiagnosticCommandImpl.executeDiagnosticCommand",
	"com.sun.management.internal.DiagnosticCommandImpl.executeDiagnosticCommand",
	"sun.management.ManagementFactoryHelper", "jdk.internal.vm.ThreadSnapshot.",
	"jdk.internal.vm.ThreadDumper.", "sun.tools.attach.", "jdk.internal.agent.",
}

// TakesDump reports that the thread takes the dump: that it runs says nothing of the program.
func (s *Sample) TakesDump() bool {
	const top = 6
	frames := s.Stack.Frames
	for _, f := range frames[:min(top, len(frames))] {
		if slices.ContainsFunc(observers[:], func(o string) bool { return strings.HasPrefix(f.Name(), o) }) {
			return true
		}
	}
	return false
}
