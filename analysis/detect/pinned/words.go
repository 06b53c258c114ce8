package pinned

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis/facts/virtual"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/analysis/timeline"
)

func busyTitle(ready []*timeline.Sample, carriers int) string {
	return fmt.Sprintf("%s for a carrier: one virtual thread computes on %s without a pause",
		virtual.WaitersWords(ready), virtual.CarriersWords(carriers))
}

// crowdedTitle describes one point in time. It does not show whether the virtual threads on the carriers ever unmount.
func crowdedTitle(ready []*timeline.Sample, carriers int) string {
	return fmt.Sprintf("%s for a carrier while another virtual thread runs on %s", virtual.WaitersWords(ready),
		virtual.CarriersWords(carriers))
}

const busyAdvice = "Run long computations on a pool of platform threads, or call Thread.yield() in them: " +
	"virtual threads are not preempted."

// fullTitle is the title for a scheduler without a free carrier; pinned is how many are pinned by blocked threads.
func fullTitle(ready []*timeline.Sample, carriers, pinned int, why string) string {
	each := virtual.CarriersWords(carriers)
	if timeline.SizeOf(ready) == 0 {
		return "no carrier of virtual threads is free, " + each + " is taken by a blocked one that cannot leave: " + why
	}
	of := ""
	if pinned < carriers {
		of = fmt.Sprintf(", %d of them", pinned)
	}
	return fmt.Sprintf("%s for a carrier, and %s is taken%s by a blocked one that cannot leave: %s",
		virtual.WaitersWords(ready), each, of, why)
}

func pinnedTitle(carriers int, why string) string {
	return finding.Counted(carriers, "carrier") + finding.Verb(carriers, " is taken", " are taken, each") +
		" by a blocked virtual thread that cannot leave: " + why
}

// pinning names what pins the virtual thread of a carrier.
func pinning(f *timeline.Timeline, c virtual.Carrier) string {
	what, frame := c.PinOf(virtual.MonitorPins(f))
	switch {
	case frame == nil:
		return "the dumps do not show its stack"
	case what == virtual.PinInitialiser:
		return "it is in the static initialiser of " + frame.Class + ", called by native code of the JVM"
	case what == virtual.PinNative && strings.HasPrefix(frame.Class, "jdk.internal.foreign.abi."):
		return "native code has called it back, below " + c.Stack.Application.Name()
	case what == virtual.PinNative:
		return "it is in the native method " + frame.Name()
	case what == virtual.PinEntry:
		return "it waits for a monitor in " + frame.Name()
	case what == virtual.PinMonitor:
		if callers := c.Stack.Program(); len(callers) > 1 && !stack.IsStart(callers[1]) {
			return "it waits in " + frame.Name() + " inside a monitor of that or of " + callers[1].Name()
		}
		return "it waits in " + frame.Name() + " inside a monitor"
	}
	return "it waits in " + frame.Name() + " with a native method below"
}

func pinAdvice(f *timeline.Timeline, c virtual.Carrier) string {
	what, _ := c.PinOf(virtual.MonitorPins(f))
	switch what {
	case virtual.PinMonitor, virtual.PinEntry:
		return "Use a ReentrantLock instead of synchronized there, or run on JDK 24 or newer: " +
			"up to JDK 23 a virtual thread in a monitor keeps its carrier while it waits."
	case virtual.PinInitialiser:
		return "Do not wait in a static initialiser: the virtual thread keeps its carrier."
	}
	return "Call this native code from a pool of platform threads: it keeps the carrier while it waits."
}
