package flame

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"
)

// FuzzJFR: whatever a recording holds is a profile that can be written, or an error. The header
// is made to fit, so that what is behind it is read.
func FuzzJFR(f *testing.F) {
	classes, sample := forgedClasses(), forgedEvent(forgedSample, 0, 1, 1)
	events := slices.Concat(
		sample,
		forgedEvent(forgedNative, 0, 1, 1),
		forgedEvent(forgedOnCPU, 0, 1, 1, 10e6, 0),
		forgedEvent(forgedInTLAB, 0, 1, 1, 7e6),
		forgedEvent(forgedAlloc, 0, 1, 1, 5e6),
		forgedSetting(forgedSample, "period", "10 ms"),
	)
	for _, seed := range [][]byte{
		forgedChunk(classes, sample, forgedPools()), forgedChunk(classes, events, forgedPools()),
		forgedChunk(classes, sample, onePlace()), forgedChunk(classes, sample, longNames("A", "m", 20)),
		forgedChunk(append(classes, forgedClass{90, "a.Self",
			[]forgedField{{name: "self", class: 90, array: true}}}), forgedEvent(90, 1, 1, 1), forgedPools()),
	} {
		f.Add(seed, binary.BigEndian.Uint16(seed[22:]), binary.BigEndian.Uint16(seed[30:]))
	}
	f.Fuzz(func(t *testing.T, data []byte, pools, metadata uint16) {
		if len(data) < chunkHeader {
			return
		}
		chunk := bytes.Clone(data)
		copy(chunk, "FLR\x00\x00\x02\x00\x01")
		binary.BigEndian.PutUint64(chunk[8:], uint64(len(chunk)))
		binary.BigEndian.PutUint64(chunk[16:], uint64(pools))
		binary.BigEndian.PutUint64(chunk[24:], uint64(metadata))
		chunk[67] |= 1
		for _, event := range []Event{EventCPU, EventWall, EventAlloc, EventLock} {
			p, err := ReadJFR(bytes.NewReader(append(chunk, chunk...)), event, Options{})
			if (p == nil) != (err != nil) {
				t.Fatalf("%s: %v, %v", event, p, err)
			}
			if p == nil {
				continue
			}
			if err := p.CheckValid(); err != nil {
				t.Fatalf("%s: %v", event, err)
			}
		}
	})
}
