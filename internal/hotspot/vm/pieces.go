package vm

// BulkMemory is memory of which many pieces are read at once.
type BulkMemory interface {
	Bulk() BulkReader
}

// BulkReader reads pieces that are in the order of their addresses.
type BulkReader interface {
	ReadPieces(pieces []*Piece)
}

// MappedMemory is memory of which the mapped parts are known.
type MappedMemory interface {
	Readable(low, high uint64) [][2]uint64
}

// appendPart adds what a piece of memory has in common with a range.
func appendPart(parts [][2]uint64, begin, end, low, high uint64) [][2]uint64 {
	if begin, end = max(begin, low), min(end, high); begin < end {
		parts = append(parts, [2]uint64{begin, end})
	}
	return parts
}

// Piece is a piece of memory. OK reports that Bytes were read.
type Piece struct {
	At    uint64
	Bytes []byte
	OK    bool
}
