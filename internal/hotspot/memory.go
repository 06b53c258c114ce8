package hotspot

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
)

// Memory is the memory of one process: a live one, a core file, or pages that were recorded.
type Memory interface {
	// ReadAt fills buf with the bytes at an address. It fails if any of them cannot be read.
	ReadAt(addr uint64, buf []byte) error
}

const (
	pageSize = 4096
	wordSize = 8
	// maxBytes bounds what one capture reads. 5,000 threads take about 100 MB.
	maxBytes = 1 << 30
	// lowestAddress: nothing is mapped below it (vm.mmap_min_addr).
	lowestAddress = 0x1000
)

// errTooMuch is why a capture ends that reads more than maxBytes.
var errTooMuch = fmt.Errorf("more than %d MB were read", maxBytes>>20)

// view reads memory for one capture. Pages are read once and kept; fresh reads again what
// changes. A view never panics and never reads without end: once the context is done or
// maxBytes are read, every read fails.
type view struct {
	ctx   context.Context
	src   Memory
	pages map[uint64]*[pageSize]byte // nil: cannot be read
	// spare are pages for what is read next.
	spare []*[pageSize]byte
	left  int
	// failed counts reads of addresses that cannot be read; such a read gives zeros.
	failed int
	// err is why nothing more is read.
	err error
	// scratch is for again.
	scratch []byte
	// over are copies that reads see in place of memory: of a thread, and of its stack.
	over [2]window
}

// window is a copy of the memory from lo on. It grows up to hi as more of it is read.
type window struct {
	lo, hi uint64
	bytes  []byte
	// fixed tells that the bytes are a copy of an earlier moment: what is not among them cannot be read.
	fixed bool
	// beyond tells that something was wanted which is not among the bytes.
	beyond bool
}

func newView(ctx context.Context, src Memory) *view {
	return &view{ctx: ctx, src: src, pages: map[uint64]*[pageSize]byte{}, left: maxBytes}
}

// forget lets the next reads see memory as it is then.
func (v *view) forget() {
	for _, page := range v.pages {
		if page != nil && len(v.spare) < mostPages {
			v.spare = append(v.spare, page)
		}
	}
	clear(v.pages)
}

// mostPages bounds the pages that are kept from one thread to the next: 2 MB. Each thread has some of its own, and
// what all share (code, methods, classes) has less.
const mostPages = 512

// keepFew forgets all pages once there are many.
func (v *view) keepFew() {
	if len(v.pages) > mostPages {
		v.forget()
	}
}

// fresh reads memory as it is now.
func (v *view) fresh(addr uint64, buf []byte) bool {
	if !v.may(addr, len(buf)) {
		v.failed++
		return false
	}
	v.left -= len(buf)
	if v.src.ReadAt(addr, buf) != nil {
		v.failed++
		return false
	}
	return true
}

// may tells whether the bytes can be memory of a process, and whether the bounds allow to read them.
func (v *view) may(addr uint64, size int) bool {
	if v.err == nil {
		v.err = v.ctx.Err()
	}
	if v.err == nil && v.left < size {
		v.err = errTooMuch
	}
	return v.err == nil && addr >= lowestAddress && addr+uint64(size) > addr
}

// read fills buf from the window, or from pages that were read before. On failure buf is zero.
func (v *view) read(addr uint64, buf []byte) bool {
	for i := range v.over {
		if w := &v.over[i]; w.covers(addr, len(buf)) {
			return v.readWindow(w, addr, buf)
		}
	}
	for rest := buf; len(rest) > 0; {
		page := v.page(addr &^ (pageSize - 1))
		if page == nil {
			clear(buf)
			v.failed++
			return false
		}
		n := copy(rest, page[addr&(pageSize-1):])
		rest = rest[n:]
		addr += uint64(n)
	}
	return true
}

func (w *window) covers(addr uint64, size int) bool {
	return addr >= w.lo && addr < w.hi && uint64(size) <= w.hi-addr
}

func (v *view) readWindow(w *window, addr uint64, buf []byte) bool {
	end := int(addr-w.lo) + len(buf)
	if end > len(w.bytes) && (w.fixed || !v.grow(w, end)) {
		w.beyond = true
		clear(buf)
		v.failed++
		return false
	}
	copy(buf, w.bytes[addr-w.lo:])
	return true
}

// grow reads more of a window: to its end or twice as much as there is, size at least.
func (v *view) grow(w *window, size int) bool {
	size = min(max(size, 2*len(w.bytes)), int(w.hi-w.lo))
	before := len(w.bytes)
	w.bytes = slices.Grow(w.bytes, size-before)[:size]
	if !v.fresh(w.lo+uint64(before), w.bytes[before:]) {
		w.bytes = w.bytes[:before]
		v.failed--
		return false
	}
	return true
}

// maxWindow bounds a copy, in bytes. What is beyond it is read page by page.
const maxWindow = 16 << 20

// open makes a window that begins with size bytes and may grow up to hi.
func (v *view) open(w *window, lo, hi uint64, size int) bool {
	if hi <= lo {
		return false
	}
	hi = min(hi, lo+maxWindow)
	*w = window{lo: lo, hi: hi, bytes: w.bytes[:0]}
	return v.grow(w, min(size, int(hi-lo)))
}

// same tells whether the first size bytes of a window are still in memory.
func (v *view) same(w *window, size int) bool {
	size = min(size, len(w.bytes))
	return size == 0 || bytes.Equal(v.again(w.lo, size), w.bytes[:size])
}

// again reads memory as it is now; nil if it cannot be read. The bytes are right until the next call.
func (v *view) again(addr uint64, size int) []byte {
	v.scratch = slices.Grow(v.scratch[:0], size)[:size]
	if !v.fresh(addr, v.scratch) {
		return nil
	}
	return v.scratch
}

func (v *view) page(addr uint64) *[pageSize]byte {
	page, known := v.pages[addr]
	if known || !v.may(addr, pageSize) {
		return page
	}
	if n := len(v.spare); n > 0 {
		page, v.spare = v.spare[n-1], v.spare[:n-1]
	} else {
		page = new([pageSize]byte)
	}
	v.left -= pageSize
	if v.src.ReadAt(addr, page[:]) != nil {
		v.spare, page = append(v.spare, page), nil
	}
	v.pages[addr] = page
	return page
}

func (v *view) u8(addr uint64) uint8 {
	var b [1]byte
	v.read(addr, b[:])
	return b[0]
}

func (v *view) u16(addr uint64) uint16 {
	var b [2]byte
	v.read(addr, b[:])
	return binary.LittleEndian.Uint16(b[:])
}

func (v *view) u32(addr uint64) uint32 {
	var b [4]byte
	v.read(addr, b[:])
	return binary.LittleEndian.Uint32(b[:])
}

func (v *view) i32(addr uint64) int64 { return int64(int32(v.u32(addr))) }

func (v *view) u64(addr uint64) uint64 {
	var b [8]byte
	v.read(addr, b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// number reads an integer of 1, 2, 4 or 8 bytes; 0 for any other size.
func (v *view) number(addr uint64, size int, signed bool) int64 {
	var b [8]byte
	if size < 1 || size > 8 || !v.read(addr, b[:size]) {
		return 0
	}
	n := binary.LittleEndian.Uint64(b[:])
	if shift := 64 - 8*size; signed {
		return int64(n<<shift) >> shift
	}
	return int64(n)
}

// bytes reads a block of at most limit bytes; nil if it is empty, longer, or cannot be read.
func (v *view) bytes(addr, size, limit uint64) []byte {
	if size == 0 || size > limit {
		return nil
	}
	b := make([]byte, size)
	if !v.read(addr, b) {
		return nil
	}
	return b
}

// cstring reads a string that ends with a zero byte, and fails if it has more than limit bytes.
func (v *view) cstring(addr uint64, limit int) (string, error) {
	var text []byte
	for len(text) <= limit {
		page := v.page(addr &^ (pageSize - 1))
		if page == nil {
			v.failed++
			return "", fmt.Errorf("no string at %#x", addr)
		}
		for _, c := range page[addr&(pageSize-1):] {
			if c == 0 {
				return string(text), nil
			}
			if text = append(text, c); len(text) > limit {
				break
			}
		}
		addr = addr&^(pageSize-1) + pageSize
	}
	return "", errors.New("a string without end")
}
