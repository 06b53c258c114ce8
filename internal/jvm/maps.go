package jvm

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/jstall/jstall/internal/kernel"
)

// memoryMap has the facts of /proc/PID/maps about the Java VM in a process. gopsutil reads smaps, for which the kernel
// holds the lock on the process's memory while it walks all its pages.
type memoryMap struct {
	// libjvm is the path of libjvm.so without its deleted mark, empty if no such library is mapped.
	libjvm  string
	deleted bool
	// openJ9 reports that the library of this other VM is mapped.
	openJ9 bool
	// launcher reports that the launcher's own library is mapped, which loads libjvm.
	launcher bool
	// perfData is the path of the shared counters, perfRange their address range as map_files names it. perfGone
	// reports that the file was deleted, so that a file of the same name belongs to another process.
	perfData, perfRange string
	perfGone            bool
}

// mapsOf asks the kernel for the mapped files alone if it supports that, and reads the text otherwise. It first asks
// from an address on. It leaves out what is before that address if a HotSpot JVM with its counters follows.
func mapsOf(maps *os.File, from uint64) (memoryMap, error) {
	m, err := mapsFrom(maps, from)
	if err == nil && from > 0 && (m.libjvm == "" || m.perfData == "") {
		m, err = mapsFrom(maps, 0)
	}
	if err != nil {
		return readMaps(maps)
	}
	return m, nil
}

func mapsFrom(maps *os.File, from uint64) (m memoryMap, err error) {
	err = kernel.FileMappings(maps, from, func(k kernel.Mapping) {
		m.noteFile(k.Executable, k.Shared, k.File, func() string { return fmt.Sprintf("%x-%x", k.Start, k.End) })
	})
	return m, err
}

// nearLoader is the address from which on a JVM's libraries and counters are usually mapped: near the loader, at higher
// addresses than the stacks of the threads. 5,000 stacks are 10,000 mappings that the kernel passes one by one. It is
// zero if unknown.
func nearLoader(r *kernel.Reader, pid int) uint64 {
	const span = 256 << 20 // the largest library has 30 MB
	auxv, err := r.ReadFile(pid, "auxv")
	if base, ok := kernel.ParseLoaderBase(auxv); err == nil && ok && base > span {
		return base - span
	}
	return 0
}

// readMaps reads the whole file: the lines of libraries follow those of thousands of thread stacks, and OpenJ9's own
// library may follow its libjvm.so.
//
//	7fb851aaa000-7fb852c00000 r-xp 002aa000 fe:00 10036152   /usr/lib/jvm/x/lib/server/libjvm.so (deleted)
//	7fb868017000-7fb86801f000 rw-s 00000000 fe:00 5505173    /tmp/hsperfdata_root/8226
func readMaps(maps io.Reader) (memoryMap, error) {
	var m memoryMap
	lines := bufio.NewReaderSize(maps, 1<<16)
	for {
		line, err := lines.ReadSlice('\n')
		if slash := bytes.IndexByte(line, '/'); slash > 0 {
			m.note(line, line[slash:])
		}
		if err == io.EOF {
			return m, nil
		}
		if err != nil && err != bufio.ErrBufferFull { // no path is as long as the buffer
			return m, err
		}
	}
}

// note reads a line of a mapped file.
func (m *memoryMap) note(line, file []byte) {
	addresses, rest, _ := bytes.Cut(line, []byte(" "))
	if len(rest) < 4 {
		return
	}
	m.noteFile(rest[2] == 'x', rest[3] == 's', file, func() string { return string(addresses) })
}

// noteFile reads a mapped file. Only executable mappings of libraries count, as debuggers and profilers map the same
// files to read them.
func (m *memoryMap) noteFile(executable, shared bool, file []byte, addresses func() string) {
	switch {
	case executable && bytes.Contains(file, []byte("/libj")):
		m.noteLibrary(string(bytes.TrimSpace(file)))
	case shared && bytes.Contains(file, []byte("/"+perfDirPrefix)):
		m.notePerfData(string(bytes.TrimSpace(file)), addresses())
	}
}

func (m *memoryMap) noteLibrary(file string) {
	name := baseName(file)
	switch {
	case name == "libjvm.so":
		m.libjvm = strings.TrimSuffix(file, deletedMark)
		m.deleted = strings.HasSuffix(file, deletedMark)
	case strings.HasPrefix(name, "libj9vm"):
		m.openJ9 = true
	case name == "libjli.so":
		m.launcher = true
	}
}

func (m *memoryMap) notePerfData(file, addresses string) {
	file, gone := strings.CutSuffix(file, deletedMark)
	if strings.HasPrefix(path.Base(path.Dir(file)), perfDirPrefix) {
		m.perfData, m.perfRange, m.perfGone = file, addresses, gone
	}
}
