package jfr_test

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// TestClockGoesOnFromChunkToChunk: an event that ends in a later chunk is as long as its ticks, though the time of day
// in the header of that chunk has drifted from them; another JVM's chunk has its own clock.
func TestClockGoesOnFromChunkToChunk(t *testing.T) {
	second := uint64(1e9)
	file := slices.Concat(
		chunkAt(100*second, 5*second), chunkAt(110*second+20e6, 15*second), // 20 ms of drift in 10 s
		chunkAt(120*second, 3*second), // of another JVM: its ticks began later
	)
	r := jfr.NewReader(bytes.NewReader(file))
	for i, want := range []int64{101e9, 111e9, 121e9} {
		c, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Time(c.StartTicks + second); got != want {
			t.Errorf("chunk %d: a second after its begin is %d, want %d", i, got, want)
		}
	}
}

// chunkAt is an empty chunk that began at a time of day, in nanoseconds, and at a moment in ticks of as many.
func chunkAt(start, ticks uint64) []byte {
	b := jfrtest.Chunk([]jfrtest.Class{{ID: 1, Name: "long"}}, nil, jfrtest.Place())
	binary.BigEndian.PutUint64(b[32:], start)
	binary.BigEndian.PutUint64(b[48:], ticks)
	return b
}
