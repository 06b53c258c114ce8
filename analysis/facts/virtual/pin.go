package virtual

import (
	"strings"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// MonitorPins reports whether a monitor pins a virtual thread to its carrier, which it does before JDK 24.
func MonitorPins(f *timeline.Timeline) bool {
	major := timeline.MajorOf(f.Last().Version)
	return major == 0 || major < 24
}

// pin is what may pin a virtual thread to its carrier.
type pin uint8

const (
	pinUnknown pin = iota
	PinNative      // a native method, below which Java code may have been called
	PinInitialiser
	PinEntry // it waits to enter a monitor
	PinMonitor
)

// PinOf finds what pins the virtual thread, and its frame.
func (c Carrier) PinOf(monitors bool) (pin, *threaddump.Frame) {
	frames := c.Stack.Frames
	for i, f := range frames {
		switch {
		case servesParking(f):
		case f.Method == "<clinit>":
			return PinInitialiser, f
		case f.Native && (i > 0 || !parkedOnCarrier(c.Stack)), isUpcall(f):
			return PinNative, f
		}
	}
	switch {
	case !monitors || c.Stack.Application == nil:
		return pinUnknown, c.Stack.Application
	case len(frames) > 0 && frames[0] == c.Stack.Application:
		return PinEntry, frames[0]
	}
	return PinMonitor, c.Stack.Application
}

// isUpcall reports whether native code calls Java by this frame.
func isUpcall(f *threaddump.Frame) bool {
	const stub = "jdk.internal.foreign.abi.UpcallStub"
	return f.Class == stub || strings.HasPrefix(f.Class, stub+"/")
}

// servesParking reports whether every virtual thread runs or parks under this frame.
func servesParking(f *threaddump.Frame) bool {
	return strings.HasPrefix(f.Class, "jdk.internal.vm.Continuation") || f.Class == "java.lang.VirtualThread" ||
		f.Class == "jdk.internal.misc.Unsafe" && f.Method == "park"
}

// suspects are the frames to show: the frame of the application, and the one that may pin.
func (c Carrier) suspects(monitors bool) []*threaddump.Frame {
	what, frame := c.PinOf(monitors)
	switch {
	case frame == nil:
		return nil
	case what == PinMonitor || what == PinEntry:
		return c.Stack.Program()[:min(3, len(c.Stack.Program()))]
	case c.Stack.Application != nil && frame != c.Stack.Application:
		return []*threaddump.Frame{c.Stack.Application, frame}
	}
	return []*threaddump.Frame{frame}
}
