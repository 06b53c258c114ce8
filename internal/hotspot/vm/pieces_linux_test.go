package vm

import (
	"bytes"
	"cmp"
	"math/rand/v2"
	"os"
	"slices"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// closedPages is memory of this process, and a copy of it: every seventh page of its second half may not be read.
type closedPages struct {
	base uint64
	copy []byte
}

const (
	manyPages = 3000
	everyPage = 7
)

func (c *closedPages) closed(page int) bool { return page >= manyPages/2 && page%everyPage == 0 }

// open reports that all bytes of a range can be read.
func (c *closedPages) open(from, to int) bool {
	for page := from / pageSize; page <= (to-1)/pageSize; page++ {
		if c.closed(page) {
			return false
		}
	}
	return true
}

func mapPages(t *testing.T, random *rand.Rand) *closedPages {
	t.Helper()
	mapped, err := unix.Mmap(-1, 0, manyPages*pageSize, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(mapped) })
	for i := range mapped {
		mapped[i] = byte(random.Uint32())
	}
	c := &closedPages{uint64(uintptr(unsafe.Pointer(&mapped[0]))), bytes.Clone(mapped)}
	for page := range manyPages {
		if !c.closed(page) {
			continue
		}
		if err := unix.Mprotect(mapped[page*pageSize:(page+1)*pageSize], unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// pieces are some at random places, in the order of their addresses. Every second one is near another one.
func (c *closedPages) pieces(random *rand.Rand, n int) []*Piece {
	const small, large = 100, 3 * pageSize
	pieces := make([]*Piece, n)
	for i := range pieces {
		size := 1 + random.IntN(small)
		if random.IntN(20) == 0 {
			size = 1 + random.IntN(large)
		}
		at := random.IntN(len(c.copy) - size)
		if i > 0 && random.IntN(2) == 0 {
			at = min(int(pieces[i-1].At-c.base)+random.IntN(2*nearPieces), len(c.copy)-size)
		}
		pieces[i] = &Piece{At: c.base + uint64(at), Bytes: make([]byte, size)}
	}
	slices.SortFunc(pieces, func(a, b *Piece) int { return cmp.Compare(a.At, b.At) })
	return pieces
}

// TestPiecesAreReadAsTheyAre reads memory in pieces of all sizes that overlap, touch each other, or are far apart.
// Those on closed pages are not read, all others are.
func TestPiecesAreReadAsTheyAre(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	memory := mapPages(t, random)
	r := ProcessMemory(os.Getpid()).Bulk()
	opened, closed := 0, 0
	for _, n := range []int{1, 2, 10, mostPieces, 100 * mostPieces} {
		pieces := memory.pieces(random, n)
		r.ReadPieces(pieces)
		for _, p := range pieces {
			from := int(p.At - memory.base)
			to := from + len(p.Bytes)
			if !memory.open(from, to) {
				if closed++; p.OK {
					t.Errorf("%d pieces: %d to %d cannot be read, and was", n, from, to)
				}
				continue
			}
			if opened++; !p.OK || !bytes.Equal(p.Bytes, memory.copy[from:to]) {
				t.Errorf("%d pieces: %d to %d was read: %t, with other bytes", n, from, to, p.OK)
			}
		}
	}
	if opened < mostPieces || closed < 100 {
		t.Errorf("%d pieces could be read, %d could not", opened, closed)
	}
}
