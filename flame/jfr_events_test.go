package flame

import (
	"slices"
	"testing"
)

// TestSamplesThatSayTheSame: where the better event is in a chunk the other does not count,
// whichever comes first and whoever's the better ones are.
func TestSamplesThatSayTheSame(t *testing.T) {
	plain, timed := forgedEvent(forgedSample, 0, 1, 1), forgedEvent(forgedOnCPU, 0, 1, 1, 10e6)
	inTLAB, sampled := forgedEvent(forgedInTLAB, 0, 1, 1, 7e6), forgedEvent(forgedAlloc, 0, 1, 1, 5e6)
	nobodys := func(kind uint64) []byte { return forgedEvent(kind, 0, 9, 1, 3e6) }
	ofMain := func(name string, _ int64) bool { return name == "main" }
	for name, c := range map[string]struct {
		event  Event
		thread func(string, int64) bool
		chunks [][]byte
		want   []int64 // of the thread main
	}{
		"samples alone":         {EventCPU, nil, [][]byte{slices.Concat(plain, plain)}, []int64{40, 2}},
		"both":                  {EventCPU, nil, [][]byte{slices.Concat(plain, timed, plain)}, []int64{10, 1}},
		"another thread's":      {EventCPU, ofMain, [][]byte{slices.Concat(plain, nobodys(forgedOnCPU))}, nil},
		"in the next chunk":     {EventCPU, nil, [][]byte{plain, timed}, []int64{30, 2}},
		"in the chunk before":   {EventCPU, nil, [][]byte{timed, plain}, []int64{30, 2}},
		"wall has samples only": {EventWall, nil, [][]byte{slices.Concat(plain, timed, plain)}, []int64{40, 2}},
		"buffers alone":         {EventAlloc, nil, [][]byte{slices.Concat(inTLAB, inTLAB)}, []int64{14, 2}},
		"both, of allocations":  {EventAlloc, ofMain, [][]byte{slices.Concat(inTLAB, nobodys(forgedAlloc), sampled)}, []int64{0, 1}},
	} {
		var chunks [][]byte
		for _, events := range c.chunks {
			chunks = append(chunks, forgedChunk(forgedClasses(), events, forgedPools()))
		}
		got := readForged(t, c.event, Options{Thread: c.thread}, chunks...)
		if !slices.Equal(got["main  A.a"], c.want) || len(got) > 1 {
			t.Errorf("%s: %v, want %d", name, got, c.want)
		}
	}
}
