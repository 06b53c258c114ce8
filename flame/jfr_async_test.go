package flame

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// asyncChunk is a chunk with settings of async-profiler, and samples of the method A.a of "main".
func asyncChunk(settings map[string]string, events ...[]byte) []byte {
	recording := jfrtest.Class{
		ID: forgedRecording, Name: activeRecording, Fields: []jfrtest.Field{{Name: "x", Class: 1}},
	}
	classes := append(forgedClasses(), recording)
	var all []byte
	for name, value := range settings {
		kind := uint64(forgedRecording)
		switch name {
		case "interval", "wall":
			kind = forgedSample
		case "alloc":
			kind = forgedInTLAB
		}
		all = append(all, forgedSetting(kind, name, value)...)
	}
	for _, e := range events {
		all = append(all, e...)
	}
	return jfrtest.Chunk(classes, all, forgedPools())
}

const forgedRecording = 30

// asyncCPU are the settings of samples of an event.
func asyncCPU(event, interval string) map[string]string {
	return map[string]string{"version": "4.5", "event": event, "interval": interval}
}

// weightOf is the sum of the weights of a recording's samples.
func weightOf(t *testing.T, event Event, chunk []byte) (sum int64) {
	t.Helper()
	p, err := ReadJFR(bytes.NewReader(chunk), event, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range p.Sample {
		sum += s.Value[0]
	}
	return sum
}

func TestAsyncSettings(t *testing.T) {
	sample := jfrtest.Event(forgedSample, 5, 1, 1)
	const ms = int64(time.Millisecond)
	for name, c := range map[string]struct {
		event    Event
		settings map[string]string
		want     int64
	}{
		"default":             {EventCPU, asyncCPU("cpu", "0"), 10 * ms},
		"own":                 {EventCPU, asyncCPU("itimer", "1000000"), ms},
		"odd":                 {EventCPU, asyncCPU("cpu", "-7"), 10 * ms},
		"counter":             {EventCPU, asyncCPU("cycles", "1000"), 1000},
		"wall":                {EventWall, asyncCPU("wall", "0"), 50 * ms},
		"wall is no CPU time": {EventCPU, asyncCPU("wall", "0"), 0},
		"CPU is no wall time": {EventWall, asyncCPU("cpu", "0"), 0},
		"of the JVM":          {EventCPU, nil, 20 * ms},
	} {
		if got := weightOf(t, c.event, asyncChunk(c.settings, sample)); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	p, err := ReadJFR(bytes.NewReader(asyncChunk(asyncCPU("cache-misses", "1000"), sample)), EventCPU, Options{})
	if err != nil || p.SampleType[0].Type != "cache-misses" || p.SampleType[0].Unit != "count" ||
		!strings.Contains(strings.Join(p.Comments, " "), "1000 of cache-misses") {
		t.Errorf("a counter of the processor: %v, %v", p, err)
	}
}

// TestAsyncSmallAllocations: what is less than the interval is sampled for the sum of several.
func TestAsyncSmallAllocations(t *testing.T) {
	got := weightOf(t, EventAlloc, asyncChunk(
		map[string]string{"version": "4.5", "alloc": "1000"},
		jfrtest.Event(forgedInTLAB, 5, 1, 1, 10), jfrtest.Event(forgedInTLAB, 5, 1, 1, 5000)))
	if got != 6000 {
		t.Errorf("%d, want 6000", got)
	}
}

// TestHugeWeightsOfRecordings: none turns negative, and their sum is refused.
func TestHugeWeightsOfRecordings(t *testing.T) {
	huge := jfrtest.Event(forgedInTLAB, 5, 1, 1, math.MaxUint64)
	p, err := ReadJFR(bytes.NewReader(asyncChunk(nil, huge, huge)), EventAlloc, Options{})
	if err != nil || p.Sample[0].Value[0] != math.MaxInt64 {
		t.Fatalf("%v, %v", p, err)
	}
	if CheckWeights(p) == nil {
		t.Error("the weights are taken for right")
	}
}

func TestLoadsOfRecordings(t *testing.T) {
	load := func(user, system float32) fields {
		return fields{"jvmUser": uint64(math.Float32bits(user)), "jvmSystem": uint64(math.Float32bits(system))}
	}
	l := cpuLoads{}
	l.learn(cpuInformation, fields{"hwThreads": 4})
	l.learn(cpuInformation, fields{"hwThreads": math.MaxUint64})
	l.learn(cpuLoad, load(0.25, 0.25))
	if got := l.used(10 * time.Second); got != 0 {
		t.Errorf("by one event: %v", got)
	}
	for _, e := range []fields{load(0.125, 0.125), load(-1, 0), load(2, 0), load(float32(math.NaN()), 0),
		load(float32(math.Inf(1)), 0)} {
		l.learn(cpuLoad, e)
	}
	if got := l.used(10 * time.Second); got != 15*time.Second {
		t.Errorf("used %v, want 15s", got)
	}
	if got := l.used(math.MaxInt64); got != math.MaxInt64 {
		t.Errorf("over the longest time: %v", got)
	}
	if got := l.used(-1); got != 0 {
		t.Errorf("over less than no time: %v", got)
	}
}
