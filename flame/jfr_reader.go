package flame

import (
	"slices"
	"time"

	"github.com/google/pprof/profile"
	"github.com/jstall/jstall/internal/jfr"
)

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

// usualPeriod is that of the samples of a recording that does not tell it.
const usualPeriod = 20 * time.Millisecond

// period is that of an event's samples.
func (r *recordingReader) period(event string) time.Duration {
	if d, told := r.periods[event]; told {
		return d
	}
	return usualPeriod
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
