package vm

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"testing"
)

// block is memory that is one piece.
type block struct {
	at    uint64
	bytes []byte
}

func (b block) ReadAt(addr uint64, buf []byte) error {
	w := Window{Lo: b.at, Hi: b.at + uint64(len(b.bytes))}
	if !w.covers(addr, len(buf)) {
		return errors.New("not mapped")
	}
	copy(buf, b.bytes[addr-b.at:])
	return nil
}

func TestViewReadsAcrossPages(t *testing.T) {
	b := block{0x10000, make([]byte, 2*pageSize)}
	binary.LittleEndian.PutUint64(b.bytes[pageSize-4:], 0x1122334455667788)
	copy(b.bytes[pageSize-3:], "text\x00")
	v := newView(t.Context(), b)
	if got, err := v.CString(b.at+pageSize-3, 10); got != "text" || err != nil {
		t.Errorf("%q, %v", got, err)
	}
	copy(b.bytes[pageSize-3:], "other\x00")
	if got, _ := v.CString(b.at+pageSize-3, 10); got != "text" {
		t.Errorf("%q: the page was read again", got)
	}
	if v.Failed != 0 {
		t.Errorf("%d reads failed", v.Failed)
	}
	if n := v.U64(b.at + 2*pageSize - 4); n != 0 || v.Failed != 1 {
		t.Errorf("%#x past the end, %d reads failed", n, v.Failed)
	}
	if v.Bytes(b.at, 100, 99) != nil || v.Bytes(b.at, 0, 99) != nil || len(v.Bytes(b.at, 99, 99)) != 99 {
		t.Error("a block is not bounded by its limit")
	}
	if _, err := v.CString(b.at, 5); err != nil {
		t.Errorf("an empty string: %v", err)
	}
	copy(b.bytes, bytes.Repeat([]byte("x"), 100))
	if got, err := newView(t.Context(), b).CString(b.at, 50); err == nil {
		t.Errorf("%d characters of a string that may have 50", len(got))
	}
}

// TestViewKeepsFewPages: pages that are forgotten are filled again, with what is there by then.
func TestViewKeepsFewPages(t *testing.T) {
	b := block{0x10000, make([]byte, 3*mostPages*pageSize)}
	v := newView(t.Context(), b)
	for i := range 3 * mostPages {
		at := i * pageSize
		binary.LittleEndian.PutUint64(b.bytes[at:], uint64(i)+1)
		v.KeepFew()
		if got := v.U64(b.at + uint64(at)); got != uint64(i)+1 || len(v.Pages) > mostPages+1 {
			t.Fatalf("page %d: %d, and %d pages are kept", i, got, len(v.Pages))
		}
		if i%5 == 0 && v.U64(1<<40+uint64(at)) != 0 {
			t.Fatal("a page that cannot be read has the bytes of another")
		}
	}
	if len(v.spare) > mostPages {
		t.Errorf("%d spare pages", len(v.spare))
	}
}

func TestNumbers(t *testing.T) {
	b := block{0x10000, make([]byte, pageSize)}
	copy(b.bytes, []byte{0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f})
	v := newView(t.Context(), b)
	for _, c := range []struct {
		size   int
		signed bool
		want   int64
	}{
		{1, true, -2}, {1, false, 0xfe}, {2, true, -2}, {4, false, 0xfffffffe}, {8, true, 0x7ffffffffffffffe},
		{0, true, 0}, {9, true, 0},
	} {
		if got := v.number(b.at, c.size, c.signed); got != c.want {
			t.Errorf("%d bytes, signed %v: %d, want %d", c.size, c.signed, got, c.want)
		}
	}
}

func TestWindowGrowsAndIsCompared(t *testing.T) {
	b := block{0x10000, make([]byte, 3*pageSize)}
	v := newView(t.Context(), b)
	w := &v.Windows[0]
	if !v.Open(w, b.at, b.at+2*pageSize, 16) || len(w.Bytes) != 16 {
		t.Fatalf("a window of %d bytes", len(w.Bytes))
	}
	b.bytes[8], b.bytes[100] = 1, 2
	if v.U8(b.at+8) != 0 {
		t.Error("memory was read, not the window")
	}
	if v.U8(b.at+100) != 2 || len(w.Bytes) < 101 {
		t.Errorf("the window has not grown: %d bytes", len(w.Bytes))
	}
	if v.Same(w, 16) || !v.Same(w, 8) {
		t.Error("a change is not seen, or one that is not there")
	}
	if v.U8(b.at+2*pageSize) != 0 || v.Failed != 0 {
		t.Error("behind the window nothing is read")
	}
}

func TestViewEnds(t *testing.T) {
	b := block{0x10000, make([]byte, pageSize)}
	b.bytes[0] = 7
	ctx, cancel := context.WithCancel(t.Context())
	v := newView(ctx, b)
	cancel()
	if v.U8(b.at) != 0 || !errors.Is(v.Err, context.Canceled) {
		t.Errorf("reads on after the end: %v", v.Err)
	}
	v = newView(t.Context(), b)
	v.Left = pageSize - 1
	if v.U8(b.at) != 0 || !errors.Is(v.Err, errTooMuch) {
		t.Errorf("reads more than it may: %v", v.Err)
	}
	for _, at := range []uint64{0, 0xfff, ^uint64(0), ^uint64(0) - 3} {
		if v := newView(t.Context(), b); v.U64(at) != 0 || v.Failed == 0 {
			t.Errorf("%#x was read", at)
		}
	}
}

// TestStream reads numbers as HotSpot writes them: 192 is the lowest byte that another one follows.
func TestStream(t *testing.T) {
	for _, c := range []struct {
		bytes    []byte
		excludes bool
		want     uint32
	}{
		{[]byte{0}, false, 0}, {[]byte{191}, false, 191}, {[]byte{192, 0}, false, 192},
		{[]byte{193, 1}, false, 193 + 64},
		{[]byte{1}, true, 0}, {[]byte{191}, true, 190}, {[]byte{192, 1}, true, 191},
		{[]byte{255, 255, 255, 255, 255}, true, 34087038},
	} {
		s := &Stream{Bytes: c.bytes, ExcludesZero: c.excludes}
		if got := s.Number(); got != c.want || s.Overrun() || !s.Ended() {
			t.Errorf("%v: %d, want %d; at %d", c.bytes, got, c.want, s.At)
		}
	}
	s := &Stream{Bytes: []byte{5, 4}}
	if a, b := s.Signed(), s.Signed(); a != -3 || b != 2 {
		t.Errorf("signed: %d %d", a, b)
	}
	if s.Number(); !s.Overrun() {
		t.Error("reads past the end")
	}
}
