package flame

import (
	"io"
	"slices"
	"strings"
	"time"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/internal/jfr"
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
	if o.Labels != nil {
		r.labelled = make([]int, len(o.Labels.events))
	}
	file := jfr.NewReader(in)
	for number := 0; ; number++ {
		chunk, err := file.Next()
		if err == io.EOF {
			return r.profile(), nil
		}
		if err == nil {
			err = file.Fail(r.chunk(chunk))
		}
		if err == nil {
			continue
		}
		if number == 0 {
			return nil, err
		}
		return r.profile(), err
	}
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
	// labelled counts the samples within the events that give labels.
	labelled []int

	// seen are the events of all chunks, by the name of their type; writer are the settings of the
	// last chunk of async-profiler.
	seen   map[string]bool
	writer asyncSettings
	loads  cpuLoads

	// of the chunk in hand
	async asyncSettings
	file  *jfr.Chunk
	has   map[string]bool // events, by the name of their type
	names *names
	// start is when it begins, in nanoseconds since 1970.
	start     uint64
	stacks    map[uint64]stackID
	functions map[codeKey]*profile.Function
}

func (r *recordingReader) chunk(c *jfr.Chunk) (err error) {
	r.file = c
	constants, err := c.Constants(namedConstants...)
	if err != nil {
		return err
	}
	r.names = newNames(c.Types, constants, r.options.ExactNames)
	if err := r.survey(); err != nil {
		return err
	}
	r.timed = r.timed || r.has[cpuTimeSample]
	r.stacks, r.functions = map[uint64]stackID{}, map[codeKey]*profile.Function{}
	if r.begin == 0 {
		r.begin = c.Start
	}
	r.start = max(c.Start, r.begin)
	r.end = max(r.end, c.Start+c.Duration)
	err = r.events()
	isVirtual := func(thread uint64) bool { return r.names.thread(thread).virtual }
	r.allocations.settle(isVirtual, func(s allocation, bytes int64) {
		at := r.since(s.at)
		r.put(s.stack, s.labels, span{at, at}, bytes)
	})
	return err
}

// survey tells which events a chunk has, whoever's they are, and takes the periods of samples
// from what the recording says of itself.
func (r *recordingReader) survey() error {
	r.has, r.async = map[string]bool{}, asyncSettings{}
	defer r.settle()
	return r.file.Events(nil, func(t *jfr.Type, in *jfr.Decoder) error {
		r.has[t.Name], r.seen[t.Name] = true, true
		switch {
		case t.Name == activeSetting:
			r.setting(t, in)
		case r.event == EventCPU && (t.Name == cpuLoad || t.Name == cpuInformation):
			e := fields{}
			in.Object(t, e.keep)
			r.loads.learn(t.Name, e)
		}
		return nil
	})
}

// setting takes the period of an event, and what async-profiler has set.
func (r *recordingReader) setting(t *jfr.Type, in *jfr.Decoder) {
	var id uint64
	text := map[string]string{}
	in.Object(t, func(_ int, f *jfr.Field, v jfr.Item) {
		if text[f.Name] = v.Text; f.Name == "id" {
			id = v.Bits
		}
	})
	of := r.file.Types[jfr.TypeID(id)]
	if of != nil {
		r.async.learn(of.Name, text["name"], text["value"])
	}
	if of == nil || weights[r.event][of.Name] == nil || text["name"] != "period" {
		return
	}
	if d, err := time.ParseDuration(strings.ReplaceAll(text["value"], " ", "")); err == nil && d > 0 {
		r.periods[of.Name] = d
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

// put adds an event to the sample of a stack, and to the time when it was.
func (r *recordingReader) put(stack stackID, l labels, when span, value int64) {
	r.options.Timeline.Add(r.a.add(stack, l, value, 1), when.from, when.to, value, 1)
}

// span is when an event was, of one that weighs its duration all of it, counted from the beginning of the recording.
func (r *recordingReader) span(name string, e fields) span {
	begin := r.since(e["startTime"])
	switch name {
	case monitorEnter, monitorWait, threadPark, threadSleep:
		return span{begin, begin + time.Duration(r.file.Nanos(e["duration"]))}
	}
	return span{begin, begin}
}

// since is a time in ticks of the chunk in hand, counted from the beginning of the recording. Within the recording is
// what a forged time cannot leave.
func (r *recordingReader) since(ticks uint64) time.Duration {
	if r.file.TicksPerSecond == 0 {
		return 0
	}
	perNano := float64(r.file.TicksPerSecond) / 1e9
	after := float64(int64(ticks-r.file.StartTicks))/perNano + float64(r.start-r.begin)
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
		return jfr.ErrForged
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
