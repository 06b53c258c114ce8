package recording

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"sync/atomic"
)

// Bounds on the memory that an archive from an unknown sender can use. An hour of readings of ten JVMs stays far below
// each.
const (
	// maxManifest and maxEntries bound the list of entries in a recording.
	maxManifest = 96 << 20
	maxEntries  = 1 << 20
	maxJVMs     = 20_000
	// maxReading bounds the memory for the entries of one reading.
	maxReading = 192 << 20
	// maxMembers and maxDirectory bound the archive's own list.
	maxMembers   = 1 << 18
	maxDirectory = 24 << 20
	// maxWindows bounds the memory that is kept of members to decompress the rest of them.
	maxWindows = 160 << 20
	// maxUnpacked and maxRatio bound the decompressed size, in bytes and as a multiple of the archive's size: an
	// archive beyond both was made to do harm.
	maxUnpacked, maxRatio = 4 << 30, 250
	// maxSpooled bounds how much of a pipe is written to the temporary directory.
	maxSpooled = 2 << 30
)

// Directory reads the list of the members of an archive from an unknown sender.
func Directory(file *os.File, size int64) (*zip.Reader, error) { return readDirectory(file, size) }

// readDirectory reads the list of an archive's members.
func readDirectory(file *os.File, size int64) (*zip.Reader, error) {
	bounded := &boundedReader{file: file, left: maxDirectory}
	z, err := zip.NewReader(bounded, size)
	switch {
	case bounded.left < 0:
		return nil, fmt.Errorf("its directory is larger than the limit of %d MB", maxDirectory>>20)
	case err != nil:
		return nil, fmt.Errorf("the archive is cut or damaged (%s)", withoutPrefix(err))
	case len(z.File) > maxMembers:
		return nil, fmt.Errorf("it has %d members; at most %d are read", len(z.File), maxMembers)
	}
	bounded.left = math.MaxInt64 // members are read in pieces
	return z, nil
}

// ratio compares the decompressed size of an archive with its size.
type ratio struct {
	packed   int64
	unpacked atomic.Int64
}

func (r *ratio) add(n int64) error {
	if all := r.unpacked.Add(n); all > maxUnpacked && all/maxRatio > r.packed {
		return fmt.Errorf("the archive unpacks to more than %d GB, and %d times its size: the rest is not read",
			maxUnpacked>>30, maxRatio)
	}
	return nil
}

// boundedReader fails once left bytes were read.
type boundedReader struct {
	file *os.File
	left int64
}

var errBound = errors.New("more than may be read")

func (b *boundedReader) ReadAt(p []byte, at int64) (int, error) {
	if b.left != math.MaxInt64 {
		if b.left -= int64(len(p)); b.left < 0 {
			return 0, errBound
		}
	}
	return b.file.ReadAt(p, at)
}

// checkSize refuses a manifest that lists more than memory can hold. It counts the elements between commas at each
// depth before the manifest is decoded: a JVM of two bytes takes hundreds in memory.
// One scanner: the cases are the characters that JSON gives a meaning.
//
//gocyclo:ignore
func checkSize(raw []byte) error {
	const jvms, readings, entries = 2, 4, 6 // depths of the brackets around each
	var count [entries + 1]int
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		case c == ',' && depth >= 0 && depth < len(count):
			count[depth]++
		}
	}
	switch {
	case count[jvms] >= maxJVMs:
		return fmt.Errorf("it lists more than %d JVMs", maxJVMs)
	case count[readings] >= maxEntries || count[entries] >= maxEntries:
		return fmt.Errorf("it lists more than %d entries", maxEntries)
	}
	return nil
}

// unmarshal decodes a list of JVMs after checkSize has accepted it.
func unmarshal(raw []byte, into any) error {
	if err := checkSize(raw); err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("it is damaged: %w", err)
	}
	return nil
}
