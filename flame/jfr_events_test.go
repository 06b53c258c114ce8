package flame

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// TestSamplesThatSayTheSame: where the better event is in a chunk the other does not count,
// whichever comes first and whoever's the better ones are.
func TestSamplesThatSayTheSame(t *testing.T) {
	plain, timed := jfrtest.Event(forgedSample, 0, 1, 1), jfrtest.Event(forgedOnCPU, 0, 1, 1, 10e6, 0)
	inTLAB, sampled := jfrtest.Event(forgedInTLAB, 0, 1, 1, 7e6), jfrtest.Event(forgedAlloc, 0, 1, 1, 5e6)
	nobodys := func(kind uint64, more ...uint64) []byte {
		return jfrtest.Event(kind, append([]uint64{0, 9, 1, 3e6}, more...)...)
	}
	ofMain := func(name string, _ int64) bool { return name == "main" }
	for name, c := range map[string]struct {
		event  Event
		thread func(string, int64) bool
		chunks [][]byte
		want   []int64 // of the thread main
	}{
		"samples alone":         {EventCPU, nil, [][]byte{slices.Concat(plain, plain)}, []int64{40, 2}},
		"both":                  {EventCPU, nil, [][]byte{slices.Concat(plain, timed, plain)}, []int64{10, 1}},
		"another thread's":      {EventCPU, ofMain, [][]byte{slices.Concat(plain, nobodys(forgedOnCPU, 0))}, nil},
		"in the next chunk":     {EventCPU, nil, [][]byte{plain, timed}, []int64{30, 2}},
		"in the chunk before":   {EventCPU, nil, [][]byte{timed, plain}, []int64{30, 2}},
		"wall has samples only": {EventWall, nil, [][]byte{slices.Concat(plain, timed, plain)}, []int64{40, 2}},
		"buffers alone":         {EventAlloc, nil, [][]byte{slices.Concat(inTLAB, inTLAB)}, []int64{14, 2}},
		"both, of allocations": {EventAlloc, ofMain,
			[][]byte{slices.Concat(inTLAB, nobodys(forgedAlloc), sampled)}, []int64{0, 1}},
	} {
		var chunks [][]byte
		for _, events := range c.chunks {
			chunks = append(chunks, jfrtest.Chunk(forgedClasses(), events, forgedPools()))
		}
		got := readForged(t, c.event, Options{Thread: c.thread}, chunks...)
		if !slices.Equal(got["main  A.a"], c.want) || len(got) > 1 {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
}

// TestPeriodsOfSamples: Java and native code are sampled each with its own period, of
// which a chunk may tell one, both or none.
func TestPeriodsOfSamples(t *testing.T) {
	events := slices.Concat(jfrtest.Event(forgedSample, 0, 1, 1), jfrtest.Event(forgedNative, 0, 1, 1),
		jfrtest.Event(forgedNative, 0, 1, 1))
	java, native := forgedSetting(forgedSample, "period", "10 ms"), forgedSetting(forgedNative, "period", "1 s")
	for name, c := range map[string]struct {
		settings []byte
		want     int64
	}{
		"none":   {nil, 3 * 20},
		"java":   {java, 10 + 2*20},
		"native": {native, 20 + 2*1000},
		"both":   {slices.Concat(native, java), 10 + 2*1000},
		"never":  {forgedSetting(forgedSample, "period", "everyChunk"), 3 * 20},
	} {
		got := readForged(t, EventWall, Options{},
			jfrtest.Chunk(forgedClasses(), slices.Concat(events, c.settings), forgedPools()))
		if want := []int64{c.want, 3}; !slices.Equal(got["main  A.a"], want) {
			t.Errorf("%s: %v, want %d", name, got, want)
		}
	}
}

// TestBiasedSamplesAreTold counts the stacks that the JVM says it took late.
func TestBiasedSamplesAreTold(t *testing.T) {
	for late, want := range map[int]string{0: "", 1: "took 25 % of the stacks late"} {
		var events []byte
		for i := range 4 {
			biased := uint64(0)
			if i < late {
				biased = 1
			}
			events = append(events, jfrtest.Event(forgedOnCPU, 0, 1, 1, 10e6, biased)...)
		}
		p, err := ReadJFR(bytes.NewReader(jfrtest.Chunk(forgedClasses(), events, forgedPools())), EventCPU, Options{})
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(p.Comments, "\n")
		if strings.Contains(said, "stacks late") != (late > 0) || !strings.Contains(said, want) {
			t.Errorf("%d of 4 are biased: %s", late, said)
		}
	}
}
