package vm

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
	WordSize = 8
	// MaxBytes bounds what one capture reads. 5,000 threads take about 100 MB.
	MaxBytes = 1 << 30
	// LowestAddress: nothing is mapped below it (vm.mmap_min_addr).
	LowestAddress = 0x1000
)

// errTooMuch is why a capture ends that reads more than maxBytes.
var errTooMuch = fmt.Errorf("more than %d MB were read", MaxBytes>>20)

// View reads memory for one capture. Pages are read once and kept; fresh reads again what
// changes. A view never panics and never reads without end: once the context is done or
// maxBytes are read, every read fails.
type View struct {
	Ctx    context.Context
	Source Memory
	Pages  map[uint64]*[pageSize]byte // nil: cannot be read
	// spare are pages for what is read next.
	spare []*[pageSize]byte
	Left  int
	// Failed counts reads of addresses that cannot be read; such a read gives zeros.
	Failed int
	// Err is why nothing more is read.
	Err error
	// scratch is for again.
	scratch []byte
	// Windows are copies that reads see in place of memory: of a thread, and of its stack.
	Windows [2]Window
}

// Window is a copy of the memory from lo on. It grows up to hi as more of it is read.
type Window struct {
	Lo, Hi uint64
	Bytes  []byte
	// Fixed reports that the bytes are a copy of an earlier moment: what is not among them cannot be read.
	Fixed bool
	// Beyond reports that something was wanted which is not among the bytes.
	Beyond bool
}

func newView(ctx context.Context, src Memory) *View {
	return &View{Ctx: ctx, Source: src, Pages: map[uint64]*[pageSize]byte{}, Left: MaxBytes}
}

// Forget lets the next reads see memory as it is then.
func (v *View) Forget() {
	for _, page := range v.Pages {
		if page != nil && len(v.spare) < mostPages {
			v.spare = append(v.spare, page)
		}
	}
	clear(v.Pages)
}

// mostPages bounds the pages that are kept from one thread to the next: 2 MB. Each thread has some that no other has,
// and what all share (code, methods, classes) has less.
const mostPages = 512

// KeepFew forgets all pages once there are many.
func (v *View) KeepFew() {
	if len(v.Pages) > mostPages {
		v.Forget()
	}
}

// Fresh reads memory as it is now.
func (v *View) Fresh(addr uint64, buf []byte) bool {
	if !v.may(addr, len(buf)) {
		v.Failed++
		return false
	}
	v.Left -= len(buf)
	if v.Source.ReadAt(addr, buf) != nil {
		v.Failed++
		return false
	}
	return true
}

// may reports whether the bytes can be memory of a process, and whether the bounds allow to read them.
func (v *View) may(addr uint64, size int) bool {
	if v.Err == nil {
		v.Err = v.Ctx.Err()
	}
	if v.Err == nil && v.Left < size {
		v.Err = errTooMuch
	}
	return v.Err == nil && addr >= LowestAddress && addr+uint64(size) > addr
}

// Read fills buf from the window, or from pages that were read before. On failure buf is zero.
func (v *View) Read(addr uint64, buf []byte) bool {
	for i := range v.Windows {
		if w := &v.Windows[i]; w.covers(addr, len(buf)) {
			return v.readWindow(w, addr, buf)
		}
	}
	for rest := buf; len(rest) > 0; {
		page := v.page(addr &^ (pageSize - 1))
		if page == nil {
			clear(buf)
			v.Failed++
			return false
		}
		n := copy(rest, page[addr&(pageSize-1):])
		rest = rest[n:]
		addr += uint64(n)
	}
	return true
}

func (w *Window) covers(addr uint64, size int) bool {
	return addr >= w.Lo && addr < w.Hi && uint64(size) <= w.Hi-addr
}

func (v *View) readWindow(w *Window, addr uint64, buf []byte) bool {
	end := int(addr-w.Lo) + len(buf)
	if end > len(w.Bytes) && (w.Fixed || !v.grow(w, end)) {
		w.Beyond = true
		clear(buf)
		v.Failed++
		return false
	}
	copy(buf, w.Bytes[addr-w.Lo:])
	return true
}

// grow reads more of a window: to its end or twice as much as there is, size at least.
func (v *View) grow(w *Window, size int) bool {
	size = min(max(size, 2*len(w.Bytes)), int(w.Hi-w.Lo))
	before := len(w.Bytes)
	w.Bytes = slices.Grow(w.Bytes, size-before)[:size]
	if !v.Fresh(w.Lo+uint64(before), w.Bytes[before:]) {
		w.Bytes = w.Bytes[:before]
		v.Failed--
		return false
	}
	return true
}

// maxWindow bounds a copy, in bytes. What is beyond it is read page by page.
const maxWindow = 16 << 20

// Open makes a window that begins with size bytes and may grow up to hi.
func (v *View) Open(w *Window, lo, hi uint64, size int) bool {
	if hi <= lo {
		return false
	}
	hi = min(hi, lo+maxWindow)
	*w = Window{Lo: lo, Hi: hi, Bytes: w.Bytes[:0]}
	return v.grow(w, min(size, int(hi-lo)))
}

// Same reports whether the first size bytes of a window are still in memory.
func (v *View) Same(w *Window, size int) bool {
	size = min(size, len(w.Bytes))
	return size == 0 || bytes.Equal(v.Reread(w.Lo, size), w.Bytes[:size])
}

// Reread reads memory as it is now; nil if it cannot be read. The bytes are right until the next call.
func (v *View) Reread(addr uint64, size int) []byte {
	v.scratch = slices.Grow(v.scratch[:0], size)[:size]
	if !v.Fresh(addr, v.scratch) {
		return nil
	}
	return v.scratch
}

func (v *View) page(addr uint64) *[pageSize]byte {
	page, known := v.Pages[addr]
	if known || !v.may(addr, pageSize) {
		return page
	}
	if n := len(v.spare); n > 0 {
		page, v.spare = v.spare[n-1], v.spare[:n-1]
	} else {
		page = new([pageSize]byte)
	}
	v.Left -= pageSize
	if v.Source.ReadAt(addr, page[:]) != nil {
		v.spare, page = append(v.spare, page), nil
	}
	v.Pages[addr] = page
	return page
}

func (v *View) U8(addr uint64) uint8 {
	var b [1]byte
	v.Read(addr, b[:])
	return b[0]
}

func (v *View) U16(addr uint64) uint16 {
	var b [2]byte
	v.Read(addr, b[:])
	return binary.LittleEndian.Uint16(b[:])
}

func (v *View) U32(addr uint64) uint32 {
	var b [4]byte
	v.Read(addr, b[:])
	return binary.LittleEndian.Uint32(b[:])
}

func (v *View) I32(addr uint64) int64 { return int64(int32(v.U32(addr))) }

func (v *View) U64(addr uint64) uint64 {
	var b [8]byte
	v.Read(addr, b[:])
	return binary.LittleEndian.Uint64(b[:])
}

// number reads an integer of 1, 2, 4 or 8 bytes; 0 for any other size.
func (v *View) number(addr uint64, size int, signed bool) int64 {
	var b [8]byte
	if size < 1 || size > 8 || !v.Read(addr, b[:size]) {
		return 0
	}
	n := binary.LittleEndian.Uint64(b[:])
	if shift := 64 - 8*size; signed {
		return int64(n<<shift) >> shift
	}
	return int64(n)
}

// Bytes reads a block of at most limit bytes; nil if it is empty, longer, or cannot be read.
func (v *View) Bytes(addr, size, limit uint64) []byte {
	if size == 0 || size > limit {
		return nil
	}
	b := make([]byte, size)
	if !v.Read(addr, b) {
		return nil
	}
	return b
}

// CString reads a string that ends with a zero byte, and fails if it has more than limit bytes.
func (v *View) CString(addr uint64, limit int) (string, error) {
	var text []byte
	for len(text) <= limit {
		page := v.page(addr &^ (pageSize - 1))
		if page == nil {
			v.Failed++
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
