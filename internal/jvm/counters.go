package jvm

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// Opt is a value that may be unknown. It converts to the Opt of other rooms.
type Opt[T any] = kernel.Opt[T]

// Names returns the names of all counters, sorted.
func (d *PerfData) Names() []string { return slices.Sorted(maps.Keys(d.counters)) }

// Counter returns one counter by its name.
func (d *PerfData) Counter(name string) (Counter, bool) {
	c, ok := d.counters[name]
	return c, ok
}

// Number returns the counter of that name if it is a number.
func (d *PerfData) Number(name string) Opt[int64] {
	c, ok := d.counters[name]
	if !ok || c.IsText {
		return Opt[int64]{}
	}
	return kernel.Known(c.Number)
}

// Text returns the counter of that name if it is a text, else "".
func (d *PerfData) Text(name string) string { return d.counters[name].Text }

// Duration returns a counter of ticks as time; unknown if it is no such one, or
// if the clock's rate is missing.
func (d *PerfData) Duration(name string) Opt[time.Duration] {
	ticks, rate := d.Number(name), d.Number("sun.os.hrt.frequency")
	if !ticks.Known || !rate.Known || rate.Value <= 0 {
		return Opt[time.Duration]{}
	}
	if rate.Value == int64(time.Second) { // on every Linux
		return kernel.Known(time.Duration(ticks.Value))
	}
	ns := float64(ticks.Value) / float64(rate.Value) * float64(time.Second)
	if math.Abs(ns) >= math.MaxInt64 {
		return Opt[time.Duration]{}
	}
	return kernel.Known(time.Duration(ns))
}

// JavaCommand is the main class, jar or module and its arguments, joined by
// blanks; the JVM cuts it at about 1,000 bytes.
func (d *PerfData) JavaCommand() string { return d.Text("sun.rt.javaCommand") }

// VMArgs and VMFlags are the options of the command line and of a flags file,
// joined by blanks.
func (d *PerfData) VMArgs() string { return d.Text("java.rt.vmArgs") }

// VMFlags: see VMArgs.
func (d *PerfData) VMFlags() string { return d.Text("java.rt.vmFlags") }

// VMName is "OpenJDK 64-Bit Server VM", VMVersion "21.0.13+9-Debian" or
// "25.504-b01" on JDK 8, JavaVersion "21.0.13" or "1.8.0_504".
func (d *PerfData) VMName() string { return d.Text("java.property.java.vm.name") }

// VMVersion: see VMName.
func (d *PerfData) VMVersion() string { return d.Text("java.property.java.vm.version") }

// JavaVersion: see VMName.
func (d *PerfData) JavaVersion() string { return d.Text("java.property.java.version") }

// Attachable reports whether the attach mechanism is on: the first digit of
// sun.rt.jvmCapabilities. -XX:+DisableAttachMechanism turns it off.
func (d *PerfData) Attachable() Opt[bool] {
	text := d.Text("sun.rt.jvmCapabilities")
	if text == "" {
		return Opt[bool]{}
	}
	return kernel.Known(text[0] == '1')
}

// Started is the JVM's own wall-clock time of its start, in milliseconds.
func (d *PerfData) Started() Opt[time.Time] {
	ms := d.Number("sun.rt.createVmBeginTime")
	if !ms.Known || ms.Value <= 0 {
		return Opt[time.Time]{}
	}
	return kernel.Known(time.UnixMilli(ms.Value))
}

// Uptime is the JVM's clock when it last took a sample, every 50 ms up to JDK
// 25; JDK 26 takes none.
func (d *PerfData) Uptime() Opt[time.Duration] { return d.Duration("sun.os.hrt.ticks") }

// SafepointTime is the total time in safepoints, up to JDK 12 with the time to safepoint. SafepointSyncTime is the time
// to safepoint, ApplicationTime the time outside of safepoints.
func (d *PerfData) SafepointTime() Opt[time.Duration] { return d.Duration("sun.rt.safepointTime") }

// SafepointSyncTime: see SafepointTime.
func (d *PerfData) SafepointSyncTime() Opt[time.Duration] {
	return d.Duration("sun.rt.safepointSyncTime")
}

// ApplicationTime: see SafepointTime.
func (d *PerfData) ApplicationTime() Opt[time.Duration] { return d.Duration("sun.rt.applicationTime") }

// CompileTime is the total time of the compilations that have ended.
func (d *PerfData) CompileTime() Opt[time.Duration] { return d.Duration("java.ci.totalTime") }

// Safepoints counts the stops.
func (d *PerfData) Safepoints() Opt[int64] { return d.Number("sun.rt.safepoints") }

// ThreadsLive, ThreadsDaemon and ThreadsStarted count Java threads.
func (d *PerfData) ThreadsLive() Opt[int64] { return d.Number("java.threads.live") }

// ThreadsDaemon: see ThreadsLive.
func (d *PerfData) ThreadsDaemon() Opt[int64] { return d.Number("java.threads.daemon") }

// ThreadsStarted: see ThreadsLive.
func (d *PerfData) ThreadsStarted() Opt[int64] { return d.Number("java.threads.started") }

// LoadedClasses counts the classes loaded since the start, those of the shared
// archive too; UnloadedClasses those gone again.
func (d *PerfData) LoadedClasses() Opt[int64] {
	return d.sum("java.cls.loadedClasses", "java.cls.sharedLoadedClasses")
}

// UnloadedClasses: see LoadedClasses.
func (d *PerfData) UnloadedClasses() Opt[int64] {
	return d.sum("java.cls.unloadedClasses", "java.cls.sharedUnloadedClasses")
}

// sum adds the counters that are there, and is unknown if none is.
func (d *PerfData) sum(names ...string) (total Opt[int64]) {
	for _, name := range names {
		if n := d.Number(name); n.Known {
			total = kernel.Known(total.Value + n.Value)
		}
	}
	return total
}

// numbered calls f with sun.gc.KIND.0, sun.gc.KIND.1 … where a counter named
// like that and sign is there; JDK 21's ZGC has number 2 and neither 0 nor 1.
func (d *PerfData) numbered(kind, sign string, f func(prefix string)) {
	const most = 8 // HotSpot has at most three of each
	for i := range most {
		prefix := fmt.Sprintf("sun.gc.%s.%d.", kind, i)
		if _, ok := d.counters[prefix+sign]; ok {
			f(prefix)
		}
	}
}

// hasPrefix reports whether any collector's name begins so.
func hasPrefix(all []Collector, prefix string) bool {
	return slices.ContainsFunc(all, func(c Collector) bool { return strings.HasPrefix(c.Name, prefix) })
}
