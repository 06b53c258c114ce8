package hotspot

import "github.com/jstall/jstall/internal/hotspot/vthread"

// bulkMemory is memory of which many pieces are read at once.
type bulkMemory interface {
	bulk() bulkReader
}

// bulkReader reads pieces that are in the order of their addresses.
type bulkReader interface {
	readPieces(pieces []*vthread.Piece)
}

// mappedMemory is memory of which the mapped parts are known.
type mappedMemory interface {
	readable(low, high uint64) [][2]uint64
}

// appendPart adds what a piece of memory has in common with a range.
func appendPart(parts [][2]uint64, begin, end, low, high uint64) [][2]uint64 {
	if begin, end = max(begin, low), min(end, high); begin < end {
		parts = append(parts, [2]uint64{begin, end})
	}
	return parts
}
