package flame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"
)

// Event is what a profile from a flight recording counts.
type Event string

// The events of recordings: CPU time, wall time, bytes allocated in the Java heap, time blocked on
// locks, bytes allocated by malloc. The last is recorded by async-profiler alone.
const (
	EventCPU   Event = "cpu"
	EventWall  Event = "wall"
	EventAlloc Event = "alloc"
	EventLock  Event = "lock"

	EventNativeMem Event = "nativemem"
)

// types are the sample types of a profile of the event.
func (e Event) types() []*profile.ValueType {
	first := map[Event]*profile.ValueType{
		EventCPU: {Type: CPU, Unit: "nanoseconds"}, EventWall: {Type: Wall, Unit: "nanoseconds"},
		EventAlloc: {Type: Alloc, Unit: "bytes"}, EventLock: {Type: Lock, Unit: "nanoseconds"},
		EventNativeMem: {Type: Malloc, Unit: "bytes"},
	}[e]
	return []*profile.ValueType{first, {Type: Samples, Unit: "count"}}
}

// usualPeriod is that of the samples of a recording that does not tell it.
const usualPeriod = 20 * time.Millisecond

// ReadJFR makes a profile of the events of one kind in a flight recording, chunk by chunk:
// its memory is bound by the largest one. With an error in the first chunk there is no profile;
// in a later one it is that of the chunks before, and perhaps of this one's beginning.
func ReadJFR(in io.Reader, event Event, o Options) (*profile.Profile, error) {
	r := &recordingReader{
		event: event, periods: map[string]time.Duration{}, options: o, a: newAssembler(event.types()...),
		counts: map[string]int{}, seen: map[string]bool{},
		allocations: newAllocations(),
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
		return nil, errors.New("it does not begin like a flight recording")
	case err != nil:
		return nil, errCut
	}
	if err := checkFormat(chunk.Bytes()); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint64(chunk.Bytes()[8:])
	if size < chunkHeader { // 0 while it is written
		return nil, errCut
	}
	if size > maxChunk {
		return nil, fmt.Errorf("its %d MB exceed the limit of %d MB", size>>20, maxChunk>>20)
	}
	data := make([]byte, size)
	if _, err = io.ReadFull(in, data[copy(data, chunk.Bytes()):]); err == io.EOF || err == io.ErrUnexpectedEOF {
		return nil, errCut
	}
	return data, err
}

// checkFormat reports whether the header of a chunk promises what can be read: a format of OpenJDK,
// 1 up to 10 and 2 since, with whole numbers packed as every JVM has them.
func checkFormat(header []byte) error {
	major, minor := binary.BigEndian.Uint16(header[4:]), binary.BigEndian.Uint16(header[6:])
	if major < 1 || major > 2 {
		return fmt.Errorf("its format is %d.%d, only 1 and 2 can be read", major, minor)
	}
	if header[67]&1 == 0 {
		return errors.New("its integers are not compressed, and only compressed ones can be read")
	}
	return nil
}

// recordingReader folds the events of a recording's chunks into a profile.
type recordingReader struct {
	event   Event
	periods map[string]time.Duration // by the name of an event
	options Options
	a       *assembler
	// counts are the events read, by the name of their type.
	counts map[string]int
	// timed is true if there are CPU-time samples, be it of threads that are left out.
	timed bool
	// biased counts the samples whose stacks the JVM took at a safepoint after them.
	biased int
	begin  uint64 // of the first chunk, in nanoseconds since 1970
	end    uint64
	// allocations are those that are held back until the chunk is read.
	allocations *allocations

	// seen are the events of all chunks, by the name of their type; writer are the settings of the
	// last chunk of async-profiler.
	seen   map[string]bool
	writer asyncSettings
	loads  cpuLoads

	// of the chunk in hand
	async asyncSettings
	kinds kinds
	has   map[string]bool // events, by the name of their type
	names *names
	ticks float64 // per nanosecond
	// start is when it begins, in nanoseconds since 1970, and in ticks.
	start, startTicks uint64
	stacks            map[uint64]stackID
	functions         map[codeKey]*profile.Function
}

// maxChunk is the size of one: the JVM begins a new one after 12 MB.
const maxChunk = 128 << 20

func (r *recordingReader) chunk(data []byte) (err error) {
	number := func(at int) uint64 { return binary.BigEndian.Uint64(data[at:]) }
	metadata := number(24)
	if metadata < chunkHeader || metadata >= uint64(len(data)) {
		return errCut
	}
	if r.kinds, err = readKinds(data[metadata:]); err != nil {
		return err
	}
	pools, err := readPools(data, r.kinds)
	if err != nil {
		return err
	}
	r.names = newNames(pools, r.options.ExactNames)
	if err := r.survey(data[chunkHeader:]); err != nil {
		return err
	}
	r.timed = r.timed || r.has[cpuTimeSample]
	r.ticks = float64(number(56)) / 1e9
	r.stacks, r.functions = map[uint64]stackID{}, map[codeKey]*profile.Function{}
	start := number(32)
	if r.begin == 0 {
		r.begin = start
	}
	r.start, r.startTicks = max(start, r.begin), number(48)
	r.end = max(r.end, start+number(40))
	err = r.events(data[chunkHeader:])
	isVirtual := func(thread uint64) bool { return r.names.thread(thread).virtual }
	r.allocations.settle(isVirtual, func(s allocation, bytes int64) {
		at := r.since(s.at)
		r.put(s.stack, s.labels, span{at, at}, bytes)
	})
	return err
}

// survey tells which events a chunk has, whoever's they are, and takes the periods of samples
// from what the recording says of itself.
func (r *recordingReader) survey(data []byte) error {
	r.has, r.async = map[string]bool{}, asyncSettings{}
	defer r.settle()
	return walkEvents(data, r.kinds, func(kind kindID, in *eventReader) {
		c := r.kinds[kind]
		if c == nil {
			return
		}
		r.has[c.name], r.seen[c.name] = true, true
		switch {
		case c.name == activeSetting:
			r.setting(c, in)
		case r.event == EventCPU && (c.name == cpuLoad || c.name == cpuInformation):
			e := fields{}
			in.object(c, e.keep)
			r.loads.learn(c.name, e)
		}
	})
}

// setting takes the period of an event, and what async-profiler has set.
func (r *recordingReader) setting(c *class, in *eventReader) {
	var id uint64
	text := map[string]string{}
	in.object(c, func(_ int, f *field, v uint64, s string) {
		if text[f.name] = s; f.name == "id" {
			id = v
		}
	})
	of := r.kinds[kindID(id)]
	if of != nil {
		r.async.learn(of.name, text["name"], text["value"])
	}
	if of == nil || weights[r.event][of.name] == nil || text["name"] != "period" {
		return
	}
	if d, err := time.ParseDuration(strings.ReplaceAll(text["value"], " ", "")); err == nil && d > 0 {
		r.periods[of.name] = d
	}
}

// period is that of an event's samples.
func (r *recordingReader) period(event string) time.Duration {
	if d, told := r.periods[event]; told {
		return d
	}
	return usualPeriod
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
	stack := r.stack(e["stackTrace"])
	if name == allocSample {
		r.allocations.samples = append(r.allocations.samples, allocation{whose(e), e["startTime"], value, stack, l})
		return
	}
	r.put(stack, l, r.span(name, e), value)
}

// put adds an event to the sample of a stack, and to the time when it was.
func (r *recordingReader) put(stack stackID, l labels, when span, value int64) {
	r.options.Timeline.Add(r.a.add(stack, l, value, 1), when.from, when.to, value, 1)
}

// span is when an event was, of one that weighs its duration all of it, counted from the beginning of the recording.
func (r *recordingReader) span(name string, e fields) span {
	begin := r.since(e["startTime"])
	switch name {
	case monitorEnter, monitorWait, threadPark, threadSleep:
		return span{begin, begin + time.Duration(r.nanos(e["duration"]))}
	}
	return span{begin, begin}
}

// since is a time in ticks of the chunk in hand, counted from the beginning of the recording. Within the recording is
// what a forged time cannot leave.
func (r *recordingReader) since(ticks uint64) time.Duration {
	if r.ticks <= 0 {
		return 0
	}
	after := float64(int64(ticks-r.startTicks))/r.ticks + float64(r.start-r.begin)
	return time.Duration(min(max(0, after), float64(r.end-r.begin)))
}

// whose event it is; sampling events are written by another thread.
func whose(e fields) uint64 {
	if key, ok := e["sampledThread"]; ok {
		return key
	}
	return e["eventThread"]
}

func (r *recordingReader) state(e fields) string {
	key, ok := e["state"]
	if !ok {
		return ""
	}
	return r.names.state(key)
}

func (r *recordingReader) stack(key uint64) stackID {
	if id, ok := r.stacks[key]; ok {
		return id
	}
	id := noStack
	frames := r.names.stack(key)
	for _, f := range slices.Backward(frames) {
		id = r.a.underLine(id, line{r.function(f.codeKey), f.line})
	}
	if len(frames) == 0 {
		id = r.a.under(noStack, special(FrameNoStack))
	}
	if len(r.stacks) < maxKeys {
		r.stacks[key] = id
	}
	return id
}

// maxKeys bounds how many constants of a kind a chunk may use.
const maxKeys = 1 << 19

// function is that of a method, nil if there is no room for it.
func (r *recordingReader) function(code codeKey) *profile.Function {
	f, ok := r.functions[code]
	if !ok {
		name := r.names.method(code)
		f = r.a.functionIfRoom(frame{name: name, system: name})
		if len(r.functions) < maxKeys {
			r.functions[code] = f
		}
	}
	return f
}

// tooManyNames is an error when those of a chunk, or of the profile, take too much memory.
func (r *recordingReader) tooManyNames() error {
	if r.a.text > maxNames || len(r.allocations.samples) > maxKeys || r.allocations.threads() > maxKeys {
		return errForged
	}
	return r.names.err
}

func (r *recordingReader) profile() *profile.Profile {
	p := r.a.profile
	p.TimeNanos = int64(r.begin)
	p.DurationNanos = int64(r.end - r.begin)
	p.PeriodType = &profile.ValueType{Type: Wall, Unit: "nanoseconds"}
	p.Period = int64(r.period(executionSample))
	total := 0
	for _, n := range r.counts {
		total += n
	}
	p.Comments = append(p.Comments, sampleError(total, "sample"))
	if r.writer.wrote() {
		r.asyncProfile(p)
	}
	p.Comments = append(append(p.Comments, r.notes(p, total)...), r.a.comments()...)
	return p
}
