package flame

import (
	"encoding/binary"
	"errors"
	"strings"
)

// fields are the whole-number fields of an event, references included, by name.
type fields map[string]uint64

// Names of events.
const (
	cpuTimeSample   = "jdk.CPUTimeSample"
	executionSample = "jdk.ExecutionSample"
	nativeSample    = "jdk.NativeMethodSample"
	wallClockSample = "profiler.WallClockSample"
	allocSample     = "jdk.ObjectAllocationSample"
	allocInTLAB     = "jdk.ObjectAllocationInNewTLAB"
	allocOutside    = "jdk.ObjectAllocationOutsideTLAB"
	monitorEnter    = "jdk.JavaMonitorEnter"
	monitorWait     = "jdk.JavaMonitorWait"
	threadPark      = "jdk.ThreadPark"
	threadSleep     = "jdk.ThreadSleep"
	activeSetting   = "jdk.ActiveSetting"
	activeRecording = "jdk.ActiveRecording"
	nativeMalloc    = "profiler.Malloc"
	threadStart     = "jdk.ThreadStart"
	allocStatistics = "jdk.ThreadAllocationStatistics"
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
	period := r.nanos(e["samplingPeriod"])
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
	return r.nanos(e["duration"]), !r.async.wrote()
}

func byBlocking(r *recordingReader, e fields) (int64, bool) {
	return r.async.atLeast("lock", r.nanos(e["duration"])), true
}

func byMalloc(r *recordingReader, e fields) (int64, bool) {
	return r.async.atLeast("nativemem", whole(e["size"])), true
}

func byField(name string) weigher {
	return func(_ *recordingReader, e fields) (int64, bool) { return whole(e[name]), true }
}

// byTLAB weighs the events of 8 to 15, and of later ones that are recorded beside
// the samples and say the same.
func byTLAB(name string) weigher {
	return func(r *recordingReader, e fields) (int64, bool) {
		return r.async.atLeast("alloc", whole(e[name])), !r.has[allocSample]
	}
}

// byLockPark tells a thread parked for a lock from one that waits for work.
func byLockPark(r *recordingReader, e fields) (int64, bool) {
	class := r.names.class(e["parkedClass"])
	lock := strings.HasSuffix(class, "Sync") || strings.HasSuffix(class, "StampedLock")
	return r.async.atLeast("lock", r.nanos(e["duration"])), lock && !strings.Contains(class, "CountDownLatch")
}

func (r *recordingReader) nanos(ticks uint64) int64 {
	if r.ticks <= 0 {
		return 0
	}
	return whole(uint64(min(float64(ticks)/r.ticks, 1<<63)))
}

// events are a chunk's without its header: size, type, fields, as its own description has
// them.
func (r *recordingReader) events(data []byte) error {
	return walkEvents(data, r.kinds, func(kind kindID, in *eventReader) {
		class := r.kinds[kind]
		if class == nil || weights[r.event][class.name] == nil && !r.tells(class.name) {
			return
		}
		e := fields{}
		in.object(class, e.keep)
		switch {
		case in.err != nil:
		case r.tells(class.name):
			r.allocations.learn(class.name, e, r.names)
			in.fail(r.tooManyNames())
		default:
			r.add(class.name, e)
			in.fail(r.tooManyNames())
		}
	})
}

// tells are the events that the samples of allocations are to be read with.
func (r *recordingReader) tells(name string) bool {
	return r.event == EventAlloc && (name == threadStart || name == allocStatistics)
}

// keep is a visitor that leaves out the fields of fields.
func (e fields) keep(depth int, f *field, v uint64, _ string) {
	if depth == 1 {
		e[f.name] = v
	}
}

// walkEvents has read look at each event's kind and, as far as it wants, its fields.
func walkEvents(data []byte, kinds kinds, read func(kind kindID, in *eventReader)) error {
	for len(data) > 0 {
		in := eventReader{data: data, kinds: kinds}
		size, kind := in.number(), in.number()
		if in.err != nil || size < uint64(in.at) || size > uint64(len(data)) {
			return errEventSize
		}
		in.data = data[:size]
		if read(kindID(kind), &in); in.err != nil {
			return in.err
		}
		data = data[size:]
	}
	return nil
}

// eventReader reads the fields of one event.
type eventReader struct {
	data  []byte
	at    int
	kinds kinds
	depth int // of objects in objects
	err   error
}

// maxDepth is deeper than any event is.
const maxDepth = 10

var (
	errCutEvent  = errors.New("an event is cut")
	errEventSize = errors.New("an event has a size that it cannot have")
	errNoKind    = errors.New("an event has a field of no known type")
)

// fail keeps the first error.
func (in *eventReader) fail(err error) {
	if in.err == nil {
		in.err = err
	}
}

// left is how many bytes are left.
func (in *eventReader) left() uint64 { return uint64(max(0, len(in.data)-in.at)) }

// count reads how many things follow: each takes a byte at least.
func (in *eventReader) count() uint64 {
	n := in.number()
	if n > in.left() {
		in.fail(errForged)
		return 0
	}
	return n
}

// number reads a whole number, 7 bits a byte, the ninth byte with 8.
func (in *eventReader) number() (v uint64) {
	for shift := uint(0); ; shift += 7 {
		b := in.take(1)
		if in.err != nil {
			return 0
		}
		if shift == 56 {
			return v | uint64(b[0])<<shift
		}
		if v |= uint64(b[0]&0x7f) << shift; b[0] < 0x80 {
			return v
		}
	}
}

func (in *eventReader) take(n uint64) []byte {
	if in.err != nil || n > in.left() {
		in.fail(errCutEvent)
		return nil
	}
	b := in.data[in.at : in.at+int(n)]
	in.at += int(n)
	return b
}

// visitor is told of each field with a plain value: how deep in objects it is, from 1, and
// its number, key or text.
type visitor func(depth int, f *field, v uint64, text string)

// object reads the fields of a class, which may be visited.
func (in *eventReader) object(c *class, visit visitor) {
	if in.depth++; in.depth > maxDepth {
		in.fail(errors.New("an event has itself as a field"))
	}
	defer func() { in.depth-- }()
	for i := range c.fields {
		f := &c.fields[i]
		count := uint64(1)
		if f.array {
			count = in.count()
		}
		for ; count > 0 && in.err == nil; count-- {
			in.value(f, visit)
		}
	}
}

func (in *eventReader) value(f *field, visit visitor) {
	kind := in.kinds[f.kind]
	if !f.pooled && (kind == nil || len(kind.fields) == 0 && !isPlain(kind.name)) {
		in.fail(errNoKind)
		return
	}
	var v uint64
	var text string
	switch {
	case f.pooled:
		v = in.number()
	case !isPlain(kind.name):
		in.object(kind, visit)
		return
	case kind.name == nameOfText:
		text = in.text()
	default:
		v = in.plain(kind.name)
	}
	if visit != nil && in.err == nil {
		visit(in.depth, f, v, text)
	}
}

// plain reads a value of one of the language's own types.
func (in *eventReader) plain(name string) uint64 {
	switch name {
	case "boolean", "byte":
		if b := in.take(1); b != nil {
			return uint64(b[0])
		}
	case "float": // as its bits
		if b := in.take(4); b != nil {
			return uint64(binary.BigEndian.Uint32(b))
		}
	case "double":
		in.take(8)
	case "int", "long", "short", "char":
		return in.number()
	default:
		in.fail(errNoKind)
	}
	return 0
}

// text reads a string: none, empty, a reference (of which nothing is told), UTF-8,
// UTF-16 or Latin-1.
func (in *eventReader) text() string {
	b := in.take(1)
	if in.err != nil {
		return ""
	}
	switch b[0] {
	case 2:
		in.number()
	case 3:
		return string(in.take(in.count()))
	case 5:
		return latin1(in.take(in.count()))
	case 4:
		return in.utf16()
	}
	return ""
}

func latin1(b []byte) string {
	runes := make([]rune, len(b))
	for i, c := range b {
		runes[i] = rune(c)
	}
	return string(runes)
}

// maxText is the length of one string, the JVM's own bound being 65,535 bytes.
const maxText = 1 << 20

func (in *eventReader) utf16() string {
	n := in.count()
	if n > maxText {
		in.fail(errForged)
	}
	var b strings.Builder
	for ; n > 0 && in.err == nil; n-- {
		b.WriteRune(rune(in.number()))
	}
	return b.String()
}
