package flame

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"github.com/grafana/jfr-parser/parser"
	"github.com/grafana/jfr-parser/parser/types"

	"jstall/analysis"
)

// Event is what a profile from a flight recording counts.
type Event string

// The events of recordings: CPU time, wall time, allocated bytes, time blocked on
// locks.
const (
	EventCPU   Event = "cpu"
	EventWall  Event = "wall"
	EventAlloc Event = "alloc"
	EventLock  Event = "lock"
)

// types are the sample types of a profile of the event.
func (e Event) types() []*profile.ValueType {
	first := map[Event]*profile.ValueType{
		EventCPU: {Type: CPU, Unit: "nanoseconds"}, EventWall: {Type: Wall, Unit: "nanoseconds"},
		EventAlloc: {Type: Alloc, Unit: "bytes"}, EventLock: {Type: Lock, Unit: "nanoseconds"},
	}[e]
	return []*profile.ValueType{first, {Type: Samples, Unit: "count"}}
}

// usualPeriod is that of the samples of a recording that does not tell it.
const usualPeriod = 20 * time.Millisecond

// ReadJFR makes a profile of the events of one kind in a flight recording.
func ReadJFR(data []byte, event Event, o Options) (p *profile.Profile, err error) {
	defer func() {
		if broken := recover(); broken != nil { // a cut recording leads the parser astray
			p, err = nil, fmt.Errorf("the recording cannot be read: %v", broken)
		}
	}()
	r := &recordingReader{
		event: event, period: usualPeriod, options: o, a: newAssembler(event.types()...), counts: map[string]int{},
	}
	for number := 0; len(data) > 0; number++ {
		chunk, rest, err := cutChunk(data)
		if err == nil {
			err = r.chunk(chunk)
		}
		if err != nil {
			return nil, fmt.Errorf("the recording cannot be read: chunk %d: %w", number, err)
		}
		data = rest
	}
	return r.profile(), nil
}

// chunkHeader is how long the header of a chunk is.
const chunkHeader = 68

// cutChunk parts the first chunk from the rest. Each is a recording of its own.
func cutChunk(data []byte) (chunk, rest []byte, err error) {
	if len(data) < chunkHeader || string(data[:4]) != "FLR\x00" {
		return nil, nil, errors.New("it does not begin like one")
	}
	size := binary.BigEndian.Uint64(data[8:])
	if size < chunkHeader || size > uint64(len(data)) {
		return nil, nil, errors.New("it is cut")
	}
	return data[:size], data[size:], nil
}

// recordingReader folds the events of a recording's chunks into a profile.
type recordingReader struct {
	event   Event
	period  time.Duration
	options Options
	a       *assembler
	// counts are the events read, by the name of their type.
	counts map[string]int
	begin  uint64 // of the first chunk, in nanoseconds since 1970
	end    uint64

	parser *parser.Parser // of the chunk in hand
	ticks  float64        // per nanosecond
	stacks map[types.StackTraceRef]stackID
}

func (r *recordingReader) chunk(data []byte) error {
	r.parser = parser.NewParser(data, parser.Options{})
	if err := r.settings(); err != nil {
		return err
	}
	h := r.parser.ChunkHeader()
	r.ticks = float64(h.TicksPerSecond) / 1e9
	r.stacks = map[types.StackTraceRef]stackID{}
	if r.begin == 0 {
		r.begin = h.StartNanos
	}
	r.end = max(r.end, h.StartNanos+h.DurationNanos)
	return eachEvent(data[chunkHeader:], &r.parser.TypeMap, r.add)
}

// settings has the parser read what events refer to, and takes the period of the
// samples from what the recording says of itself.
func (r *recordingReader) settings() error {
	for {
		kind, err := r.parser.ParseEvent()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		s, known := &r.parser.ActiveSetting, &r.parser.TypeMap
		if kind != known.T_ACTIVE_SETTING || s.Id != uint64(known.T_EXECUTION_SAMPLE) || s.Name != "period" {
			continue
		}
		if d, err := time.ParseDuration(strings.ReplaceAll(s.Value, " ", "")); err == nil && d > 0 {
			r.period = d
		}
	}
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
	thread := r.thread(e)
	if want := r.options.Thread; want != nil && !want(thread.JavaName, int64(thread.OsThreadId)) {
		return
	}
	r.counts[name]++
	l := labels{thread: thread.JavaName, pool: analysis.PoolName(thread.JavaName), state: r.state(e)}
	r.a.add(r.stack(types.StackTraceRef(e["stackTrace"])), l, value, 1)
}

// thread is whose event it is; sampling events are written by another thread.
func (r *recordingReader) thread(e fields) types.Thread {
	ref, ok := e["sampledThread"]
	if !ok {
		ref = e["eventThread"]
	}
	at, ok := r.parser.Threads.IDMap[types.ThreadRef(ref)]
	if !ok {
		return types.Thread{}
	}
	t := r.parser.Threads.Thread[at]
	if t.JavaName == "" {
		t.JavaName = t.OsName
	}
	return t
}

func (r *recordingReader) state(e fields) string {
	ref, ok := e["state"]
	s := r.parser.GetThreadState(types.ThreadStateRef(ref))
	if !ok || s == nil {
		return ""
	}
	return strings.TrimPrefix(s.Name, "STATE_")
}

func (r *recordingReader) stack(ref types.StackTraceRef) stackID {
	if id, ok := r.stacks[ref]; ok {
		return id
	}
	id := noStack
	trace := r.parser.GetStacktrace(ref)
	if trace == nil || len(trace.Frames) == 0 {
		id = r.a.under(noStack, special(FrameNoStack))
	} else {
		for i := len(trace.Frames) - 1; i >= 0; i-- {
			id = r.a.under(id, r.frame(trace.Frames[i]))
		}
	}
	r.stacks[ref] = id
	return id
}

func (r *recordingReader) frame(f types.StackFrame) frame {
	name := "?"
	if m := r.parser.GetMethod(f.Method); m != nil {
		class := r.class(m.Type)
		if !r.options.ExactNames {
			class = stableClass(class)
		}
		name = r.parser.GetSymbolString(m.Name)
		if class != "" {
			name = class + "." + name
		}
	}
	return frame{name: name, system: name, line: int64(f.LineNumber)}
}

func (r *recordingReader) class(ref types.ClassRef) string {
	c := r.parser.GetClass(ref)
	if c == nil {
		return ""
	}
	return className(r.parser.GetSymbolString(c.Name))
}

// className writes "java/util/HashMap" as we do; the slash before the address of a
// hidden class stays.
func className(name string) string {
	end := len(name)
	if at := strings.LastIndexByte(name, '/'); at >= 0 && at+1 < len(name) && name[at+1] >= '0' && name[at+1] <= '9' {
		end = at
	}
	return strings.ReplaceAll(name[:end], "/", ".") + name[end:]
}

func (r *recordingReader) profile() *profile.Profile {
	p := r.a.profile
	p.TimeNanos = int64(r.begin)
	p.DurationNanos = int64(r.end - r.begin)
	p.PeriodType = &profile.ValueType{Type: Wall, Unit: "nanoseconds"}
	p.Period = int64(r.period)
	total := 0
	for _, n := range r.counts {
		total += n
	}
	p.Comments = append([]string{lookError(total)}, eventNotes[r.event])
	if r.event == EventCPU && r.counts[cpuTimeSample] == 0 {
		p.Comments = append(p.Comments, fmt.Sprintf(
			"Each sample is taken for %s of CPU time: this JVM records no CPU-time samples, and looks at some running threads at a time only.", r.period))
	}
	return p
}

// eventNotes say what the figures are worth.
var eventNotes = map[Event]string{
	EventCPU:   "Flight recorder: running Java code only, without the bias of safepoints; not the collector, the compiler or native libraries.",
	EventWall:  "Flight recorder: running and native code by samples, waits by their length once they have ended; a wait that outlasts the recording is not seen, thread dumps see it.",
	EventAlloc: "Flight recorder: bytes allocated, extrapolated from samples.",
	EventLock:  "Flight recorder: time blocked at monitors and locks, waits of 100 µs and longer.",
}
