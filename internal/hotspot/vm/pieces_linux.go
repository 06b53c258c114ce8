package vm

import (
	"bufio"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

const (
	// mostPieces is how many pieces one call reads (UIO_MAXIOV, limits.h).
	mostPieces = 1024
	// nearPieces is how far pieces may be apart that are read as one, in bytes: the kernel takes longer to find a page
	// than to copy that much of it. Less than a page, so that no page is touched that no piece is on.
	nearPieces = 1024
	// largestRun bounds pieces that are read as one, in bytes, runsRoom those that one call reads.
	largestRun, runsRoom = 64 << 10, 512 << 10
)

// run is some pieces that are close together, and where they are read to.
type run struct {
	pieces []*Piece
	at     uint64
	bytes  []byte
}

// pieceReader reads pieces of the memory of a process. What it needs for one call it keeps for the next one.
type pieceReader struct {
	memory ProcessMemory
	runs   []run
	room   []byte
	local  []unix.Iovec
	remote []unix.RemoteIovec
}

// Bulk implements bulkMemory.
func (m ProcessMemory) Bulk() BulkReader { return &pieceReader{memory: m} }

// ReadPieces reads pieces of memory, which are in the order of their addresses, many with one call.
func (p *pieceReader) ReadPieces(pieces []*Piece) {
	for len(pieces) > 0 {
		used := 0
		p.runs = p.runs[:0]
		for len(pieces) > 0 && len(p.runs) < mostPieces && used <= runsRoom-largestRun {
			n, end := nearby(pieces)
			r := run{pieces[:n], pieces[0].At, pieces[0].Bytes}
			if n > 1 {
				r.bytes = p.take(used, int(end-r.at))
				used += len(r.bytes)
			}
			p.runs, pieces = append(p.runs, r), pieces[n:]
		}
		p.readRuns()
	}
}

// take is a part of the room for runs.
func (p *pieceReader) take(from, size int) []byte {
	if p.room == nil {
		p.room = make([]byte, runsRoom)
	}
	return p.room[from : from+size]
}

// nearby is how many of the first pieces are close together, and where these end.
func nearby(pieces []*Piece) (n int, end uint64) {
	first := pieces[0].At
	end, n = first+uint64(len(pieces[0].Bytes)), 1
	for n < len(pieces) && pieces[n].At <= end+nearPieces {
		last := max(end, pieces[n].At+uint64(len(pieces[n].Bytes)))
		if last-first > largestRun {
			break
		}
		end = last
		n++
	}
	return n, end
}

// readRuns reads with one call. It ends at the first run that cannot be read: the pieces of that one are read one by
// one, and then what follows.
func (p *pieceReader) readRuns() {
	for runs := p.runs; len(runs) > 0; {
		p.local, p.remote = p.local[:0], p.remote[:0]
		for _, r := range runs {
			p.local = append(p.local, unix.Iovec{Base: &r.bytes[0], Len: uint64(len(r.bytes))})
			p.remote = append(p.remote, unix.RemoteIovec{Base: uintptr(r.at), Len: len(r.bytes)})
		}
		got, err := unix.ProcessVMReadv(int(p.memory), p.local, p.remote, 0)
		if err != nil {
			got = 0
		}
		for len(runs) > 0 && got >= len(runs[0].bytes) {
			got -= len(runs[0].bytes)
			runs[0].hand()
			runs = runs[1:]
		}
		if len(runs) > 0 {
			p.memory.readSingly(runs[0].pieces)
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

func (m ProcessMemory) readSingly(pieces []*Piece) {
	if len(pieces) == 1 {
		return // it was tried
	}
	for _, p := range pieces {
		p.OK = m.ReadAt(p.At, p.Bytes) == nil
	}
}

// Readable are the parts of a range that the process has mapped and that can be read.
func (m ProcessMemory) Readable(low, high uint64) [][2]uint64 {
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
