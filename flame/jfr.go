package flame

import (
	"bytes"
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

// ReadJFR makes a profile of the events of one kind in a flight recording, chunk by chunk:
// its memory is bound by the largest one. With an error after the first chunk the profile is
// that of those before it.
func ReadJFR(in io.Reader, event Event, o Options) (*profile.Profile, error) {
	r := &recordingReader{
		event: event, period: usualPeriod, options: o, a: newAssembler(event.types()...), counts: map[string]int{},
	}
	for number := 0; ; number++ {
		chunk, err := readChunk(in)
		if err == io.EOF && number > 0 {
			return r.profile(), nil
		}
		if err == nil {
			err = r.chunk(chunk)
		}
		if err == nil {
			continue
		}
		err = fmt.Errorf("the recording cannot be read: chunk %d: %w", number, err)
		if number == 0 {
			return nil, err
		}
		return r.profile(), err
	}
}

// chunkHeader is how long the header of a chunk is.
const chunkHeader = 68

// readChunk reads the next chunk. Each is a recording of its own.
func readChunk(in io.Reader) ([]byte, error) {
	var chunk bytes.Buffer
	n, err := io.CopyN(&chunk, in, chunkHeader)
	switch {
	case n == 0 && err == io.EOF:
		return nil, io.EOF
	case err != nil && err != io.EOF:
		return nil, err
	case !bytes.HasPrefix(chunk.Bytes(), []byte("FLR\x00")):
		return nil, errors.New("it does not begin like one")
	case err != nil:
		return nil, errCut
	}
	size := binary.BigEndian.Uint64(chunk.Bytes()[8:])
	if size < chunkHeader { // 0 while it is written
		return nil, errCut
	}
	if size > maxChunk {
		return nil, fmt.Errorf("its %d MB are more than can be read, %d MB", size>>20, maxChunk>>20)
	}
	if _, err = io.CopyN(&chunk, in, int64(size-chunkHeader)); err == io.EOF {
		return nil, errCut
	}
	return chunk.Bytes(), err
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
	// threads are copies: what the parser gives holds the whole chunk in memory.
	threads map[types.ThreadRef]types.Thread
}

func (r *recordingReader) chunk(data []byte) (err error) {
	defer func() {
		if broken := recover(); broken != nil { // what no check has thought of
			err = fmt.Errorf("%v", broken)
		}
	}()
	if err := checkChunk(data); err != nil {
		return err
	}
	r.parser = parser.NewParser(data, parser.Options{})
	if err := r.settings(); err != nil {
		return err
	}
	h := r.parser.ChunkHeader()
	r.ticks = float64(h.TicksPerSecond) / 1e9
	r.stacks, r.threads = map[types.StackTraceRef]stackID{}, map[types.ThreadRef]types.Thread{}
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
	t, ok := r.threads[types.ThreadRef(ref)]
	if !ok {
		t = r.copyOf(types.ThreadRef(ref))
		r.threads[types.ThreadRef(ref)] = t
	}
	return t
}

func (r *recordingReader) copyOf(ref types.ThreadRef) types.Thread {
	at, ok := r.parser.Threads.IDMap[ref]
	if !ok {
		return types.Thread{}
	}
	t := r.parser.Threads.Thread[at]
	if t.JavaName == "" {
		t.JavaName = t.OsName
	}
	return types.Thread{JavaName: strings.Clone(t.JavaName), OsThreadId: t.OsThreadId}
}

func (r *recordingReader) state(e fields) string {
	ref, ok := e["state"]
	s := r.parser.GetThreadState(types.ThreadStateRef(ref))
	if !ok || s == nil {
		return ""
	}
	return strings.Clone(strings.TrimPrefix(s.Name, "STATE_"))
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
		name = strings.Clone(r.parser.GetSymbolString(m.Name))
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
	p.Comments = append(p.Comments, r.a.comments()...)
	return p
}

// eventNotes say what the figures are worth.
var eventNotes = map[Event]string{
	EventCPU:   "Flight recorder: running Java code only, without the bias of safepoints; not the collector, the compiler or native libraries.",
	EventWall:  "Flight recorder: running and native code by samples, waits by their length once they have ended; a wait that outlasts the recording is not seen, thread dumps see it.",
	EventAlloc: "Flight recorder: bytes allocated, extrapolated from samples.",
	EventLock:  "Flight recorder: time blocked at monitors and locks, waits of 100 µs and longer.",
}
