package flame

import (
	"bytes"
	"encoding/binary"
	"slices"
	"testing"

	"github.com/jstall/jstall/internal/jfr/jfrtest"
)

// FuzzJFR: whatever a recording holds is a profile that can be written, or an error. The header
// is made to fit, so that what is behind it is read.
func FuzzJFR(f *testing.F) {
	self := jfrtest.Class{ID: 90, Name: "a.Self", Fields: []jfrtest.Field{{Name: "self", Class: 90, Array: true}}}
	classes, sample := forgedClasses(), jfrtest.Event(forgedSample, 0, 1, 1)
	events := slices.Concat(
		sample,
		jfrtest.Event(forgedNative, 0, 1, 1),
		jfrtest.Event(forgedOnCPU, 0, 1, 1, 10e6, 0),
		jfrtest.Event(forgedInTLAB, 0, 1, 1, 7e6),
		jfrtest.Event(forgedAlloc, 0, 1, 1, 5e6),
		forgedSetting(forgedSample, "period", "10 ms"),
	)
	for _, seed := range [][]byte{
		jfrtest.Chunk(classes, sample, forgedPools()), jfrtest.Chunk(classes, events, forgedPools()),
		jfrtest.Chunk(classes, sample, jfrtest.Place()), jfrtest.Chunk(classes, sample, longNames("A", "m", 20)),
		jfrtest.Chunk(append(classes, self), jfrtest.Event(90, 1, 1, 1), forgedPools()),
	} {
		f.Add(seed, binary.BigEndian.Uint16(seed[22:]), binary.BigEndian.Uint16(seed[30:]))
	}
	f.Fuzz(func(t *testing.T, data []byte, pools, metadata uint16) {
		chunk := jfrtest.Fit(data, pools, metadata)
		if chunk == nil {
			return
		}
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
