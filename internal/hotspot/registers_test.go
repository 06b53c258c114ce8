package hotspot_test

import (
	"context"
	"encoding/binary"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
)

// FuzzSnapshot reads threads of recorded pages as if they had run, with any registers and any words on the stack:
// it ends in time and without a panic, and what it reads is within bounds.
func FuzzSnapshot(f *testing.F) {
	var all []*pages
	var orders [][]uint64
	for _, name := range fixtures(f) {
		p := loadPages(f, name)
		all, orders = append(all, p), append(orders, slices.Sorted(maps.Keys(p.at)))
	}
	f.Add(uint8(0), uint8(5), uint16(7), uint16(100), uint16(0), uint16(64), []byte{})
	f.Add(uint8(2), uint8(9), uint16(40), uint16(8), uint16(16), uint16(256), []byte{3, 0, 9, 0, 8, 0, 8, 1})
	f.Fuzz(func(t *testing.T, which, thread uint8, page, offset, sp, fp uint16, words []byte) {
		p, order := all[int(which)%len(all)], orders[int(which)%len(all)]
		address := func(page, offset uint16) uint64 {
			return order[int(page)%len(order)] + uint64(offset)%pageSize
		}
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		j, err := hotspot.Open(ctx, p, p.libjvm)
		if err != nil {
			t.Fatal(err)
		}
		got, err := j.ReadSnapshot(ctx, int(thread), func(at, stack uint64) hotspot.Snapshot {
			s := hotspot.Snapshot{Thread: at, PC: address(page, offset), SP: stack + uint64(sp), FP: stack + uint64(fp)}
			s.Stack = make([]byte, 2048)
			for n := 0; n < len(s.Stack) && p.ReadAt(s.SP, s.Stack[:len(s.Stack)-n]) != nil; n += 256 {
			}
			for i := 0; i+4 <= len(words); i += 4 { // addresses of pages among them
				to, from := binary.LittleEndian.Uint16(words[i:]), binary.LittleEndian.Uint16(words[i+2:])
				binary.LittleEndian.PutUint64(s.Stack[int(to)%255*8:], address(from, to))
			}
			return s
		})
		if err != nil || ctx.Err() != nil {
			t.Fatal(err, ctx.Err())
		}
		if got != nil && len(got.Frames) > 1024 {
			t.Errorf("%d frames", len(got.Frames))
		}
	})
}
