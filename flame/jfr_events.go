package flame

import (
	"strings"

	"github.com/jstall/jstall/internal/jfr"
)

// weigher is what an event weighs, and whether it counts.
type weigher func(r *recordingReader, e fields) (value int64, ok bool)

// weights tell which events make a profile of a kind, and what they weigh.
var weights = map[Event]map[string]weigher{
	EventCPU: {cpuTimeSample: byCPUTime, executionSample: bySample(executionSample)},
	EventWall: {
		executionSample: bySample(executionSample), nativeSample: bySample(nativeSample), wallClockSample: byWallClock,
		monitorEnter: byWait, monitorWait: byWait, threadPark: byWait, threadSleep: byWait,
	},
	EventAlloc: {
		allocSample: byField("weight"), allocInTLAB: byTLAB("tlabSize"), allocOutside: byTLAB("allocationSize"),
	},
	EventLock:      {monitorEnter: byBlocking, threadPark: byLockPark},
	EventNativeMem: {nativeMalloc: byMalloc},
}

// bySample weighs a sample of the JVM by the period of its event. Where there are CPU-time
// samples too, those say the same better.
func bySample(name string) weigher {
	return func(r *recordingReader, e fields) (int64, bool) {
		if r.async.wrote() {
			return r.async.execution(r.event, r.state(e))
		}
		return int64(r.period(name)), r.event != EventCPU || !r.has[cpuTimeSample]
	}
}

func byCPUTime(r *recordingReader, e fields) (int64, bool) {
	period := r.file.Nanos(e["samplingPeriod"])
	if period == 0 {
		period = int64(r.period(cpuTimeSample))
	}
	return period, true
}

// byWallClock is async-profiler's: one event stands for several samples.
func byWallClock(r *recordingReader, e fields) (int64, bool) {
	return times(r.async.wallPeriod(), max(1, whole(e["samples"]))), true
}

// byWait weighs a wait of a recording of the JVM. async-profiler has samples of waiting threads too.
func byWait(r *recordingReader, e fields) (int64, bool) {
	return r.file.Nanos(e["duration"]), !r.async.wrote()
}

func byBlocking(r *recordingReader, e fields) (int64, bool) {
	return r.async.atLeast("lock", r.file.Nanos(e["duration"])), true
}

func byMalloc(r *recordingReader, e fields) (int64, bool) {
	return r.async.atLeast("nativemem", whole(e["size"])), true
}

func byField(name string) weigher {
	return func(_ *recordingReader, e fields) (int64, bool) { return whole(e[name]), true }
}

// byTLAB weighs the events of 8 to 15, and of later ones that are recorded next to
// the samples and say the same.
func byTLAB(name string) weigher {
	return func(r *recordingReader, e fields) (int64, bool) {
		return r.async.atLeast("alloc", whole(e[name])), !r.has[allocSample]
	}
}

// byLockPark distinguishes a thread parked for a lock from one that waits for work.
func byLockPark(r *recordingReader, e fields) (int64, bool) {
	class := r.names.class(e["parkedClass"])
	lock := strings.HasSuffix(class, "Sync") || strings.HasSuffix(class, "StampedLock")
	return r.async.atLeast("lock", r.file.Nanos(e["duration"])), lock && !strings.Contains(class, "CountDownLatch")
}

// events adds the events of the chunk in hand.
func (r *recordingReader) events() error {
	wanted := func(t *jfr.Type) bool { return weights[r.event][t.Name] != nil || r.explains(t.Name) }
	return r.file.Events(wanted, func(t *jfr.Type, in *jfr.Decoder) error {
		e := fields{}
		if in.Object(t, e.keep); in.Err != nil {
			return in.Err
		}
		if r.explains(t.Name) {
			r.allocations.learn(t.Name, e, r.names)
		} else {
			r.add(t.Name, e)
		}
		return r.tooManyNames()
	})
}

// explains reports whether events of a type are needed to read the samples of allocations.
func (r *recordingReader) explains(name string) bool {
	return r.event == EventAlloc && (name == threadStart || name == allocStatistics)
}

func (r *recordingReader) add(name string, e fields) {
	weigh := weights[r.event][name]
	if weigh == nil {
		return
	}
	value, ok := weigh(r, e)
	if !ok {
		return
	}
	thread := r.names.thread(whose(e))
	if want := r.options.Thread; want != nil && !want(thread.name, thread.nid) {
		return
	}
	r.counts[name]++
	if e["biased"] != 0 {
		r.biased++
	}
	l := labels{thread: thread.name, pool: thread.pool, state: r.state(e)}
	if l.state == asyncNoState {
		l.state = ""
	}
	if l.context = r.options.Labels.at(thread.id, r.file.Time(e["startTime"])); l.context != nil {
		for _, event := range l.context.events {
			r.labelled[event]++
		}
	}
	stack := r.stack(e["stackTrace"])
	if name == allocSample {
		r.allocations.samples = append(r.allocations.samples, allocation{whose(e), e["startTime"], value, stack, l})
		return
	}
	r.put(stack, l, r.span(name, e), value)
}
