package kernel

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"sort"
	"strconv"
)

// numericNames are the names of threads or descriptors in a directory, in order.
func numericNames(dir string) ([]int, error) {
	d, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer func() { _ = d.Close() }()
	names, err := d.Readdirnames(-1)
	ids := make([]int, 0, len(names))
	for _, name := range names {
		if id, err := strconv.Atoi(name); err == nil && id >= 0 {
			ids = append(ids, id)
		}
	}
	sort.Ints(ids)
	return ids, err
}

// ReadSome reads at most limit bytes and fails if there are more.
func ReadSome(f io.Reader, limit int64) ([]byte, error) {
	var text bytes.Buffer
	text.Grow(int(min(sizeOf(f), limit)) + bytes.MinRead) // so that two reads do
	_, err := text.ReadFrom(io.LimitReader(f, limit+1))
	if err == nil && int64(text.Len()) > limit {
		return nil, fmt.Errorf("larger than %d bytes", limit)
	}
	return text.Bytes(), err
}

// sizeOf is what a file says of its size: nothing, if it is one of procfs or none.
func sizeOf(f io.Reader) int64 {
	file, ok := f.(*os.File)
	if !ok {
		return 0
	}
	info, err := file.Stat()
	if err != nil {
		return 0
	}
	return max(0, info.Size())
}
