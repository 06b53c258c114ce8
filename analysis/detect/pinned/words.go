package pinned

import (
	"slices"
	"strings"

	"jstall/analysis/facts/virtual"
	"jstall/analysis/stack"
	"jstall/analysis/timeline"
)

// pinning words what pins one of them.
func pinning(f *timeline.Timeline, c virtual.Carrier) string {
	what, frame := c.PinOf(virtual.MonitorPins(f))
	switch {
	case frame == nil:
		return "the dumps do not show where it stands"
	case what == virtual.PinInitialiser:
		return "it is in the static initialiser of " + frame.Class + ", which the JVM's native code has called"
	case what == virtual.PinNative && strings.HasPrefix(frame.Class, "jdk.internal.foreign.abi."):
		return "native code has called it back, below " + c.Stack.Application.Name()
	case what == virtual.PinNative:
		return "it is in the native method " + frame.Name()
	case what == virtual.PinEntry:
		return "it stands at a monitor in " + frame.Name()
	case what == virtual.PinMonitor && inMapFunction(c) != "":
		return "it waits in " + frame.Name() + " in the function of " + inMapFunction(c) +
			", which holds a monitor meanwhile"
	case what == virtual.PinMonitor:
		if callers := c.Stack.Program(); len(callers) > 1 && !stack.IsStart(callers[1]) {
			return "it waits in " + frame.Name() + " inside a monitor of that or of " + callers[1].Name()
		}
		return "it waits in " + frame.Name() + " inside a monitor"
	}
	return "it waits in " + frame.Name() + " with a native method below"
}

// inMapFunction is the method of a ConcurrentHashMap that has called the code in which the
// thread waits, and which holds the monitor of a bin until that returns; empty if none has.
func inMapFunction(c virtual.Carrier) string {
	at := slices.Index(c.Stack.Frames, c.Stack.Application)
	if at < 0 {
		return ""
	}
	for _, f := range c.Stack.Frames[at:] {
		if f.Class == stack.JUC+"ConcurrentHashMap" && stack.HasAnyPrefix(f.Method, "compute merge") {
			return stack.ShortName(f.Name())
		}
	}
	return ""
}

func pinAdvice(f *timeline.Timeline, c virtual.Carrier) string {
	what, _ := c.PinOf(virtual.MonitorPins(f))
	if of := inMapFunction(c); what == virtual.PinMonitor && of != "" {
		return "Do not wait in the function of " + of +
			": up to JDK 23 the virtual thread keeps its carrier meanwhile, and others that want the map wait. " +
			"Keep a future in the map and wait for it outside, or run on JDK 24 or newer."
	}
	switch what {
	case virtual.PinMonitor, virtual.PinEntry:
		return "Up to JDK 23 a virtual thread in a monitor keeps its carrier while it waits: take a ReentrantLock " +
			"instead of synchronized there, or run on JDK 24 or newer."
	case virtual.PinInitialiser:
		return "Do not wait in a static initialiser: the virtual thread keeps its carrier meanwhile."
	}
	return "Native code keeps the carrier while it waits: call it from a pool of platform threads."
}
