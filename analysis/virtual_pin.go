package analysis

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// monitorsPin reports that a monitor keeps a virtual thread on its carrier: before 24.
func (f *timeline) monitorsPin() bool {
	major := majorOf(f.last().version)
	return major == 0 || major < 24
}

// pin is what may keep a virtual thread on its carrier.
type pin uint8

const (
	pinUnknown pin = iota
	pinNative      // a native method, below which Java code may have been called
	pinInitialiser
	pinEntry // it waits to enter a monitor
	pinMonitor
)

// pinOf finds what pins, and the frame of it.
func (c carrier) pinOf(monitors bool) (pin, *threaddump.Frame) {
	frames := c.stack.Frames
	for i, f := range frames {
		switch {
		case servesParking(f):
		case f.Method == "<clinit>":
			return pinInitialiser, f
		case f.Native && (i > 0 || !parkedOnCarrier(c.stack)), f.Class == "jdk.internal.foreign.abi.UpcallStub" || strings.HasPrefix(f.Class, "jdk.internal.foreign.abi.UpcallStub/"):
			return pinNative, f
		}
	}
	switch {
	case !monitors || c.stack.Application == nil:
		return pinUnknown, c.stack.Application
	case len(frames) > 0 && frames[0] == c.stack.Application:
		return pinEntry, frames[0]
	}
	return pinMonitor, c.stack.Application
}

// servesParking tells the frames under which every virtual thread runs or parks.
func servesParking(f *threaddump.Frame) bool {
	return strings.HasPrefix(f.Class, "jdk.internal.vm.Continuation") || f.Class == "java.lang.VirtualThread" ||
		f.Class == "jdk.internal.misc.Unsafe" && f.Method == "park"
}

// suspects are the frames to be shown: where it stands, and what may pin it.
func (c carrier) suspects(monitors bool) []*threaddump.Frame {
	what, frame := c.pinOf(monitors)
	switch {
	case frame == nil:
		return nil
	case what == pinMonitor || what == pinEntry:
		return c.stack.program()[:min(3, len(c.stack.program()))]
	case c.stack.Application != nil && frame != c.stack.Application:
		return []*threaddump.Frame{c.stack.Application, frame}
	}
	return []*threaddump.Frame{frame}
}

// pinning words what pins one of them.
func (f *timeline) pinning(c carrier) string {
	what, frame := c.pinOf(f.monitorsPin())
	switch {
	case frame == nil:
		return "the dumps do not show where it stands"
	case what == pinInitialiser:
		return "it is in the static initialiser of " + frame.Class + ", which the JVM's native code has called"
	case what == pinNative && strings.HasPrefix(frame.Class, "jdk.internal.foreign.abi."):
		return "native code has called it back, below " + c.stack.Application.Name()
	case what == pinNative:
		return "it is in the native method " + frame.Name()
	case what == pinEntry:
		return "it stands at a monitor in " + frame.Name()
	case what == pinMonitor && c.inMapFunction() != "":
		return "it waits in " + frame.Name() + " in the function of " + c.inMapFunction() + ", which holds a monitor meanwhile"
	case what == pinMonitor:
		if callers := c.stack.program(); len(callers) > 1 && !isStart(callers[1]) {
			return "it waits in " + frame.Name() + " inside a monitor of that or of " + callers[1].Name()
		}
		return "it waits in " + frame.Name() + " inside a monitor"
	}
	return "it waits in " + frame.Name() + " with a native method below"
}

// inMapFunction is the method of a ConcurrentHashMap that has called the code in which the
// thread waits, and which holds the monitor of a bin until that returns; empty if none has.
func (c carrier) inMapFunction() string {
	at := slices.Index(c.stack.Frames, c.stack.Application)
	if at < 0 {
		return ""
	}
	for _, f := range c.stack.Frames[at:] {
		if f.Class == juc+"ConcurrentHashMap" && hasAnyPrefix(f.Method, "compute merge") {
			return shortName(f.Name())
		}
	}
	return ""
}

func (f *timeline) pinAdvice(c carrier) string {
	what, _ := c.pinOf(f.monitorsPin())
	if of := c.inMapFunction(); what == pinMonitor && of != "" {
		return "Do not wait in the function of " + of + ": up to JDK 23 the virtual thread keeps its carrier meanwhile, and others that want the map wait. " +
			"Keep a future in the map and wait for it outside, or run on JDK 24 or newer."
	}
	switch what {
	case pinMonitor, pinEntry:
		return "Up to JDK 23 a virtual thread in a monitor keeps its carrier while it waits: take a ReentrantLock " +
			"instead of synchronized there, or run on JDK 24 or newer."
	case pinInitialiser:
		return "Do not wait in a static initialiser: the virtual thread keeps its carrier meanwhile."
	}
	return "Native code keeps the carrier while it waits: call it from a pool of platform threads."
}
