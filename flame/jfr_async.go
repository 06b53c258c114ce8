package flame

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"
)

// What async-profiler takes where its settings say 0.
const (
	asyncPeriod     = 10 * time.Millisecond
	asyncWallPeriod = 50 * time.Millisecond
)

// asyncNoState is the state of samples that async-profiler takes without asking for it.
const asyncNoState = "DEFAULT"

// asyncSettings are those of the chunk in hand that async-profiler has written, by the names that
// it gives them. Its samples have no weights: the settings hold the interval.
type asyncSettings struct {
	// version is empty if the chunk is the JVM's own.
	version string
	// event is what jdk.ExecutionSample counts: "cpu", "wall", an event of the processor or a
	// Java method; empty for none.
	event string
	// numbers are the intervals: nanoseconds of "interval", "wall" and "lock", bytes of "alloc"
	// and "nativemem". One that is absent was not recorded.
	numbers map[string]int64
}

// AsyncOptions are what async-profiler's agent gets to record the event. A period of 0 is the usual one;
// it is for CPU and wall time.
func (e Event) AsyncOptions(period time.Duration) string {
	switch e {
	case EventWall:
		return fmt.Sprintf("event=wall,interval=%d", cmp.Or(period, asyncWallPeriod).Nanoseconds())
	case EventAlloc:
		return "event=alloc,alloc=524287"
	case EventLock:
		return "event=lock,lock=10000"
	case EventNativeMem:
		return "event=nativemem,nativemem=524287,nofree"
	}
	return fmt.Sprintf("event=cpu,interval=%d", cmp.Or(period, asyncPeriod).Nanoseconds())
}

// learn takes a setting of an event. Settings of the JVM have other names, and none for its recordings.
func (a *asyncSettings) learn(event, name, value string) {
	switch {
	case event == activeRecording && name == "version":
		a.version = value
	case event == activeRecording && name == "event":
		a.event = value
	case slices.Contains([]string{"interval", "wall", "lock", "alloc", "nativemem"}, name):
		if n, err := strconv.ParseInt(value, 10, 64); err == nil && n >= 0 {
			if a.numbers == nil {
				a.numbers = map[string]int64{}
			}
			a.numbers[name] = n
		}
	}
}

// wrote reports that the chunk is async-profiler's.
func (a *asyncSettings) wrote() bool { return a.version != "" }

// counter is what the samples count other than time, empty if they count time.
func (a *asyncSettings) counter() string {
	switch a.event {
	case "", "cpu", "itimer", "ctimer", "cpu-clock", "task-clock", "wall":
		return ""
	}
	return a.event
}

// execution is the weight of a jdk.ExecutionSample in nanoseconds, or in what [asyncSettings.counter]
// counts. Before 4.0 and with "nobatch", samples by the wall clock are such events too; those by CPU
// time have no state then.
func (a *asyncSettings) execution(event Event, state string) (int64, bool) {
	_, both := a.numbers["wall"]
	byWall := a.event == "wall" || both && (a.event == "" || state != asyncNoState)
	switch {
	case event == EventWall:
		return a.wallPeriod(), byWall
	case byWall:
		return 0, false
	case a.counter() != "":
		return max(1, a.numbers["interval"]), true
	}
	return a.period(), true
}

func (a *asyncSettings) period() int64 {
	if n := a.numbers["interval"]; n > 0 {
		return n
	}
	return int64(asyncPeriod)
}

// wallPeriod is the time from one sample of a thread to the next, in nanoseconds.
func (a *asyncSettings) wallPeriod() int64 {
	n, own := a.numbers["wall"]
	if !own {
		n = a.numbers["interval"]
	}
	if n == 0 {
		return int64(asyncWallPeriod)
	}
	return n
}

// atLeast is what an event stands for that is recorded each time the sum of the values passes the
// interval: the interval, if its own value is less.
func (a *asyncSettings) atLeast(setting string, value int64) int64 {
	if !a.wrote() {
		return value
	}
	return max(value, a.numbers[setting])
}

// note says what the profiler was and how it sampled.
func (a *asyncSettings) note(event Event) string {
	text := "async-profiler " + short(a.version) + ": "
	interval := func(name string, unit string) string {
		if n := a.numbers[name]; n > 1 {
			return fmt.Sprintf("; one sample per %d %s or more", n, unit)
		}
		return ""
	}
	switch event {
	case EventCPU:
		if counter := a.counter(); counter != "" {
			return fmt.Sprintf("%seach sample counts as %d of %s, not as CPU time.", text,
				max(1, a.numbers["interval"]), short(counter))
		}
		return fmt.Sprintf("%seach sample counts as %v of CPU time.", text, time.Duration(a.period()))
	case EventWall:
		return fmt.Sprintf("%seach sample counts as %v of a thread's time, running or waiting.", text,
			time.Duration(a.wallPeriod()))
	case EventAlloc:
		return text + "bytes allocated in the Java heap, extrapolated from samples."
	case EventLock:
		return text + "time blocked at monitors, ReentrantLock, ReentrantReadWriteLock and Semaphore" +
			interval("lock", "ns") + "."
	}
	return text + "bytes allocated by malloc, freed since or not" + interval("nativemem", "bytes") + "."
}
