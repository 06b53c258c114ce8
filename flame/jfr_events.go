package flame

import (
	"errors"
	"strings"

	"github.com/grafana/jfr-parser/parser/types"
	"github.com/grafana/jfr-parser/parser/types/def"
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
)

// weigher is what an event weighs, and whether it counts.
type weigher func(r *recordingReader, e fields) (value int64, ok bool)

// weights tell which events make a profile of a kind, and what they weigh.
var weights = map[Event]map[string]weigher{
	EventCPU: {cpuTimeSample: byCPUTime, executionSample: bySample},
	EventWall: {
		executionSample: bySample, nativeSample: bySample, wallClockSample: byWallClock,
		monitorEnter: byDuration, monitorWait: byDuration, threadPark: byDuration, threadSleep: byDuration,
	},
	EventAlloc: {allocSample: byField("weight"), allocInTLAB: byTLAB("tlabSize"), allocOutside: byTLAB("allocationSize")},
	EventLock:  {monitorEnter: byDuration, threadPark: byLockPark},
}

// bySample weighs a sample of the JVM by the period. Where there are CPU-time
// samples too, those say the same better.
func bySample(r *recordingReader, _ fields) (int64, bool) {
	return int64(r.period), r.event != EventCPU || r.counts[cpuTimeSample] == 0
}

func byCPUTime(r *recordingReader, e fields) (int64, bool) {
	period := r.nanos(e["samplingPeriod"])
	if period == 0 {
		period = int64(r.period)
	}
	return period, true
}

// byWallClock is async-profiler's: one event stands for several samples.
func byWallClock(r *recordingReader, e fields) (int64, bool) {
	return int64(r.period) * max(1, int64(e["samples"])), true
}

func byDuration(r *recordingReader, e fields) (int64, bool) { return r.nanos(e["duration"]), true }

func byField(name string) weigher {
	return func(_ *recordingReader, e fields) (int64, bool) { return int64(e[name]), true }
}

// byTLAB weighs the events of 8 to 15, and of later ones that are recorded beside
// the samples and say the same.
func byTLAB(name string) weigher {
	return func(r *recordingReader, e fields) (int64, bool) { return int64(e[name]), r.counts[allocSample] == 0 }
}

// byLockPark tells a thread parked for a lock from one that waits for work.
func byLockPark(r *recordingReader, e fields) (int64, bool) {
	class := r.class(types.ClassRef(e["parkedClass"]))
	lock := strings.HasSuffix(class, "Sync") || strings.HasSuffix(class, "StampedLock")
	return r.nanos(e["duration"]), lock && !strings.Contains(class, "CountDownLatch")
}

func (r *recordingReader) nanos(ticks uint64) int64 {
	if r.ticks <= 0 {
		return 0
	}
	return int64(float64(ticks) / r.ticks)
}

// eachEvent visits the events of a chunk without its header: size, type, fields,
// as the chunk's own metadata describes them. The parser knows fewer kinds.
func eachEvent(data []byte, kinds *def.TypeMap, visit func(name string, e fields)) error {
	return walkEvents(data, kinds, func(kind def.TypeID, in *eventReader) {
		class := kinds.IDMap[kind]
		if class == nil || !wanted(class.Name) {
			return
		}
		e := fields{}
		if in.object(class, e); in.err == nil {
			visit(class.Name, e)
		}
	})
}

// walkEvents has read look at each event's kind and, as far as it wants, its fields.
func walkEvents(data []byte, kinds *def.TypeMap, read func(kind def.TypeID, in *eventReader)) error {
	for len(data) > 0 {
		in := eventReader{data: data, kinds: kinds}
		size, kind := in.number(), in.number()
		if in.err != nil || size == 0 || size > uint64(len(data)) {
			return errLongEvent
		}
		in.data = data[:size]
		if read(def.TypeID(kind), &in); in.err != nil {
			return in.err
		}
		data = data[size:]
	}
	return nil
}

func wanted(name string) bool {
	for _, kinds := range weights {
		if kinds[name] != nil {
			return true
		}
	}
	return false
}

// eventReader reads the fields of one event.
type eventReader struct {
	data  []byte
	at    int
	kinds *def.TypeMap
	depth int // of objects in objects
	err   error
}

// maxDepth is deeper than any event is.
const maxDepth = 10

var (
	errCutEvent  = errors.New("an event is cut")
	errLongEvent = errors.New("an event is longer than its chunk")
)

// fail keeps the first error.
func (in *eventReader) fail(err error) {
	if in.err == nil {
		in.err = err
	}
}

// count reads how many things follow: each takes a byte at least.
func (in *eventReader) count() uint64 {
	n := in.number()
	if n > uint64(len(in.data)-in.at) {
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
	if in.err != nil || n > uint64(len(in.data)-in.at) {
		in.err = errCutEvent
		return nil
	}
	b := in.data[in.at : in.at+int(n)]
	in.at += int(n)
	return b
}

// object reads the fields of a class; those that are numbers or references go
// into out, if there is one.
func (in *eventReader) object(class *def.Class, out fields) {
	if in.depth++; in.depth > maxDepth {
		in.err = errors.New("an event has itself as a field")
	}
	defer func() { in.depth-- }()
	for i := range class.Fields {
		f := &class.Fields[i]
		count := uint64(1)
		if f.Array {
			count = in.count()
		}
		for ; count > 0 && in.err == nil; count-- {
			if v := in.value(f); out != nil {
				out[f.Name] = v
			}
		}
	}
}

func (in *eventReader) value(f *def.Field) uint64 {
	class := in.kinds.IDMap[f.Type]
	switch {
	case f.ConstantPool:
		return in.number()
	case class == nil:
		in.err = errors.New("an event has a field of no known type")
	case class.Name == "boolean" || class.Name == "byte":
		if b := in.take(1); b != nil {
			return uint64(b[0])
		}
	case class.Name == "float":
		in.take(4)
	case class.Name == "double":
		in.take(8)
	case class.Name == "java.lang.String":
		in.text()
	case class.Name == "int" || class.Name == "long" || class.Name == "short" || class.Name == "char":
		return in.number()
	case len(class.Fields) == 0 && in.err == nil:
		in.err = errors.New("an event has a field of no known type")
	default:
		in.object(class, nil)
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
	case 3, 5:
		return string(in.take(in.count()))
	case 4:
		return in.utf16()
	}
	return ""
}

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
