package jvm

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/jstall/jstall/internal/kernel"
)

// Opt is a value that may be unknown. It can be converted to the Opt of other packages.
type Opt[T any] = kernel.Opt[T]

// number is the counter of that name if it is a number.
func (d *PerfData) number(name string) Opt[int64] {
	c, ok := d.counters[name]
	if !ok || c.isText {
		return Opt[int64]{}
	}
	return kernel.Known(c.number)
}

// text is the counter of that name if it is a text, otherwise "".
func (d *PerfData) text(name string) string { return d.counters[name].text }

// duration is a counter of ticks as time; unknown if there is no such counter, or if the rate of the clock is missing.
func (d *PerfData) duration(name string) Opt[time.Duration] {
	ticks, rate := d.number(name), d.number("sun.os.hrt.frequency")
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

// javaCommand is the main class, jar or module and its arguments, joined by
// blanks; the JVM cuts it at about 1,000 bytes.
func (d *PerfData) javaCommand() string { return d.text("sun.rt.javaCommand") }

// vmName is "OpenJDK 64-Bit Server VM", vmVersion "21.0.13+9-Debian" or
// "25.504-b01" on JDK 8, JavaVersion "21.0.13" or "1.8.0_504".
func (d *PerfData) vmName() string { return d.text("java.property.java.vm.name") }

// VMVendor is "Eclipse Adoptium".
func (d *PerfData) VMVendor() string { return d.text("java.property.java.vm.vendor") }

// vmVersion: see vmName.
func (d *PerfData) vmVersion() string { return d.text("java.property.java.vm.version") }

// JavaVersion: see VMName.
func (d *PerfData) javaVersion() string { return d.text("java.property.java.version") }

// attachable reports whether the attach mechanism is on: the first digit of
// sun.rt.jvmCapabilities. -XX:+DisableAttachMechanism turns it off.
func (d *PerfData) attachable() Opt[bool] {
	text := d.text("sun.rt.jvmCapabilities")
	if text == "" {
		return Opt[bool]{}
	}
	return kernel.Known(text[0] == '1')
}

// started is the JVM's own wall-clock time of its start, in milliseconds.
func (d *PerfData) started() Opt[time.Time] {
	ms := d.number("sun.rt.createVmBeginTime")
	if !ms.Known || ms.Value <= 0 {
		return Opt[time.Time]{}
	}
	return kernel.Known(time.UnixMilli(ms.Value))
}

// Uptime is the JVM's clock at its last sample. Up to JDK 25 it takes one every 50 ms, JDK 26 takes none.
func (d *PerfData) Uptime() Opt[time.Duration] { return d.duration("sun.os.hrt.ticks") }

// SafepointTime is the total time in safepoints, up to JDK 12 with the time to safepoint. SafepointSyncTime is the
// total time to safepoint.
func (d *PerfData) SafepointTime() Opt[time.Duration] { return d.duration("sun.rt.safepointTime") }

// SafepointSyncTime: see SafepointTime.
func (d *PerfData) SafepointSyncTime() Opt[time.Duration] {
	return d.duration("sun.rt.safepointSyncTime")
}

// Safepoints counts the safepoints.
func (d *PerfData) Safepoints() Opt[int64] { return d.number("sun.rt.safepoints") }

// ThreadsLive counts the live Java threads.
func (d *PerfData) ThreadsLive() Opt[int64] { return d.number("java.threads.live") }

// LoadedClasses counts the classes loaded since the start, with those of the shared archive; UnloadedClasses counts
// those that were unloaded.
func (d *PerfData) LoadedClasses() Opt[int64] {
	return d.sum("java.cls.loadedClasses", "java.cls.sharedLoadedClasses")
}

// UnloadedClasses: see LoadedClasses.
func (d *PerfData) UnloadedClasses() Opt[int64] {
	return d.sum("java.cls.unloadedClasses", "java.cls.sharedUnloadedClasses")
}

// sum adds the existing counters, and is unknown without any.
func (d *PerfData) sum(names ...string) Opt[int64] { return total(names, d.number) }

// total adds the known figures of all parts, and is unknown without any.
func total[E any, N int64 | time.Duration](parts []E, figure func(E) Opt[N]) (sum Opt[N]) {
	for _, part := range parts {
		if n := figure(part); n.Known {
			sum = kernel.Known(sum.Value + n.Value)
		}
	}
	return sum
}

// numbered calls f with each of sun.gc.KIND.0, sun.gc.KIND.1 … that has the counter sign. JDK 21's ZGC has number 2 and
// neither 0 nor 1.
func (d *PerfData) numbered(kind, sign string, f func(prefix string)) {
	const most = 8 // HotSpot has at most three of each
	for i := range most {
		prefix := fmt.Sprintf("sun.gc.%s.%d.", kind, i)
		if _, ok := d.counters[prefix+sign]; ok {
			f(prefix)
		}
	}
}

// hasPrefix reports whether the name of any collector begins with prefix.
func hasPrefix(all []Collector, prefix string) bool {
	return slices.ContainsFunc(all, func(c Collector) bool { return strings.HasPrefix(c.Name, prefix) })
}
