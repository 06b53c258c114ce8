package vm

import (
	"bytes"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/jstall/jstall/internal/kernel"
)

// Libraries are the addresses where files named libjvm.so begin, each where its first page is.
func Libraries(proc *kernel.Reader, pid int) ([]uint64, error) {
	maps, err := os.Open(proc.Path(pid, "maps"))
	if err != nil {
		return nil, err
	}
	defer func() { _ = maps.Close() }()
	var found mappedLibraries
	if kernel.FileMappings(maps, 0, func(m kernel.Mapping) { found.add(m.Start, string(m.File)) }) == nil {
		return found.bases, nil
	}
	text, err := proc.ReadFile(pid, "maps")
	if err != nil {
		return nil, err
	}
	found = mappedLibraries{}
	for line := range bytes.Lines(text) {
		if slash := bytes.IndexByte(line, '/'); slash > 0 {
			if begin, err := beginning(line); err == nil {
				found.add(begin, strings.TrimSuffix(string(line[slash:]), "\n"))
			}
		}
	}
	return found.bases, nil
}

// beginning is the first address in a line of maps: "7fb851aaa000-7fb852c00000 r-xp …".
func beginning(line []byte) (uint64, error) {
	text, _, _ := strings.Cut(string(line), "-")
	return strconv.ParseUint(text, 16, 64)
}

// mappedLibraries takes mappings in the order of addresses. A library is loaded piece by piece,
// the beginning of the file first.
type mappedLibraries struct {
	bases []uint64
	file  string
}

func (m *mappedLibraries) add(begin uint64, file string) {
	const gone = " (deleted)"
	if path.Base(strings.TrimSuffix(file, gone)) != "libjvm.so" {
		m.file = ""
		return
	}
	if m.file != file && len(m.bases) < maxLibraries {
		m.bases = append(m.bases, begin)
	}
	m.file = file
}
