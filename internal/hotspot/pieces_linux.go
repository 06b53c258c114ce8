package hotspot

import (
	"bufio"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"jstall/internal/hotspot/vthread"
)

const (
	// mostPieces is how many pieces one call reads (UIO_MAXIOV, limits.h).
	mostPieces = 1024
	// nearPieces is how far pieces may be apart that are read as one, in bytes: the kernel takes longer to find a page
	// than to copy that much of it. Less than a page, so that no page is touched that no piece is on.
	nearPieces = 1024
	// largestRun bounds pieces that are read as one, in bytes.
	largestRun = 64 << 10
)

// run is some pieces that are close together, and where they are read to.
type run struct {
	pieces []*vthread.Piece
	at     uint64
	bytes  []byte
}

// readPieces reads pieces of memory, which are in the order of their addresses, many with one call.
func (m processMemory) readPieces(pieces []*vthread.Piece) {
	runs := make([]run, 0, mostPieces)
	for len(pieces) > 0 {
		runs = runs[:0]
		for len(pieces) > 0 && len(runs) < mostPieces {
			var r run
			r, pieces = nextRun(pieces)
			runs = append(runs, r)
		}
		m.readRuns(runs)
	}
}

// nextRun takes the first pieces that are close together.
func nextRun(pieces []*vthread.Piece) (run, []*vthread.Piece) {
	first := pieces[0]
	end, n := first.At+uint64(len(first.Bytes)), 1
	for n < len(pieces) && pieces[n].At <= end+nearPieces && pieces[n].At-first.At < largestRun {
		end = max(end, pieces[n].At+uint64(len(pieces[n].Bytes)))
		n++
	}
	r := run{pieces[:n], first.At, first.Bytes}
	if n > 1 {
		r.bytes = make([]byte, end-first.At)
	}
	return r, pieces[n:]
}

// readRuns reads with one call. It ends at the first run that cannot be read: the pieces of that one are read one by
// one, and then what follows.
func (m processMemory) readRuns(runs []run) {
	var local [mostPieces]unix.Iovec
	var remote [mostPieces]unix.RemoteIovec
	for len(runs) > 0 {
		for i, r := range runs {
			local[i] = unix.Iovec{Base: &r.bytes[0], Len: uint64(len(r.bytes))}
			remote[i] = unix.RemoteIovec{Base: uintptr(r.at), Len: len(r.bytes)}
		}
		got, err := unix.ProcessVMReadv(int(m), local[:len(runs)], remote[:len(runs)], 0)
		if err != nil {
			got = 0
		}
		for len(runs) > 0 && got >= len(runs[0].bytes) {
			got -= len(runs[0].bytes)
			runs[0].hand()
			runs = runs[1:]
		}
		if len(runs) > 0 {
			m.readSingly(runs[0].pieces)
			runs = runs[1:]
		}
	}
}

// hand gives the pieces of a run their bytes.
func (r run) hand() {
	for _, p := range r.pieces {
		p.OK = true
		if len(r.pieces) > 1 {
			copy(p.Bytes, r.bytes[p.At-r.at:])
		}
	}
}

func (m processMemory) readSingly(pieces []*vthread.Piece) {
	if len(pieces) == 1 {
		return // it was tried
	}
	for _, p := range pieces {
		p.OK = m.ReadAt(p.At, p.Bytes) == nil
	}
}

// readable are the parts of a range that the process has mapped and that can be read.
func (m processMemory) readable(low, high uint64) [][2]uint64 {
	maps, err := os.Open(fmt.Sprintf("/proc/%d/maps", int(m)))
	if err != nil {
		return nil
	}
	defer func() { _ = maps.Close() }()
	var parts [][2]uint64
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		var begin, end uint64
		var rights string
		n, _ := fmt.Sscanf(lines.Text(), "%x-%x %s", &begin, &end, &rights)
		if n == 3 && rights[0] == 'r' {
			parts = appendPart(parts, begin, end, low, high)
		}
	}
	return parts
}
