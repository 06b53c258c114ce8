package hotspot

import (
	"bufio"
	"fmt"
	"os"

	"golang.org/x/sys/unix"

	"jstall/internal/hotspot/vthread"
)

// mostPieces is how many pieces one call reads (UIO_MAXIOV, limits.h).
const mostPieces = 1024

// readPieces reads pieces of memory, many with one call. A call ends at the first piece that cannot be read.
func (m processMemory) readPieces(pieces []*vthread.Piece) {
	var local [mostPieces]unix.Iovec
	var remote [mostPieces]unix.RemoteIovec
	for len(pieces) > 0 {
		n := min(mostPieces, len(pieces))
		for i, p := range pieces[:n] {
			local[i] = unix.Iovec{Base: &p.Bytes[0], Len: uint64(len(p.Bytes))}
			remote[i] = unix.RemoteIovec{Base: uintptr(p.At), Len: len(p.Bytes)}
		}
		got, err := unix.ProcessVMReadv(int(m), local[:n], remote[:n], 0)
		if err != nil {
			got = 0
		}
		done := 0
		for done < n && got >= len(pieces[done].Bytes) {
			got -= len(pieces[done].Bytes)
			pieces[done].OK = true
			done++
		}
		pieces = pieces[min(done+1, n):] // behind one that cannot be read
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
