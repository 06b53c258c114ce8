package main_test

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"
	"testing"
)

// repeated is a text of which the unit is there n times between begin and end. It is packed
// without compressing it all: a unit that was packed alone can be repeated as it is.
type repeated struct {
	begin, unit, end string
	n                int
}

// deflated is the text as a raw deflate stream, with its length and checksum.
func (r repeated) deflated(t *testing.T) (packed []byte, size uint64, sum uint32) {
	t.Helper()
	var out bytes.Buffer
	hash := crc32.NewIEEE()
	out.Write(flushed(t, r.begin))
	unit := flushed(t, r.unit)
	_, _ = io.WriteString(hash, r.begin)
	for range r.n {
		out.Write(unit)
		_, _ = io.WriteString(hash, r.unit)
	}
	_, _ = io.WriteString(hash, r.end)
	out.Write(flushed(t, r.end))
	out.Write([]byte{1, 0, 0, 0xff, 0xff}) // an empty last block
	return out.Bytes(), r.size(), hash.Sum32()
}

func (r repeated) size() uint64 { return uint64(len(r.begin) + r.n*len(r.unit) + len(r.end)) }

// flushed is a text deflated up to a byte's boundary, without an end.
func flushed(t *testing.T, text string) []byte {
	t.Helper()
	if text == "" {
		return nil
	}
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	check(t, err)
	_, err = io.WriteString(w, text)
	check(t, err)
	check(t, w.Flush())
	return out.Bytes()
}

// gzipped is the text in gzip members, one for each unit.
func (r repeated) gzipped(t *testing.T) []byte {
	t.Helper()
	var out bytes.Buffer
	out.Write(gzipMember(t, r.begin))
	unit := gzipMember(t, r.unit)
	for range r.n {
		out.Write(unit)
	}
	out.Write(gzipMember(t, r.end))
	return out.Bytes()
}

func gzipMember(t *testing.T, text string) []byte {
	t.Helper()
	if text == "" {
		return nil
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	check(t, err)
	_, err = io.WriteString(w, text)
	check(t, err)
	check(t, w.Close())
	return out.Bytes()
}

// member is one of a zip archive.
type member struct {
	name string
	text repeated
}

// zipped is an archive of the members.
func zipped(t *testing.T, members ...member) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, m := range members {
		packed, size, sum := m.text.deflated(t)
		w, err := z.CreateRaw(&zip.FileHeader{
			Name: m.name, Method: zip.Deflate, CRC32: sum,
			CompressedSize64: uint64(len(packed)), UncompressedSize64: size,
		})
		check(t, err)
		_, err = w.Write(packed)
		check(t, err)
	}
	check(t, z.Close())
	return out.Bytes()
}

// writeDump writes a thread dump of which each thread is written by a function.
func writeDump(b *strings.Builder, threads int, each func(b *strings.Builder, i int)) {
	b.WriteString("2026-11-20 15:00:18\nFull thread dump OpenJDK 64-Bit Server VM (21.0.13+9 mixed mode, sharing):\n\n")
	for i := range threads {
		each(b, i)
	}
	b.WriteString("\nJNI global refs: 15, weak refs: 0\n\n")
}

// writeHeader writes a thread's header and state.
func writeHeader(b *strings.Builder, i int, name, condition, state string) {
	fmt.Fprintf(b, "\"%s\" #%d [%d] prio=5 os_prio=0 cpu=1.00ms elapsed=99.00s tid=0x%016x nid=%d "+
		"%s  [0x00007f0000000000]\n   java.lang.Thread.State: %s\n",
		name, i+10, i+1000, 0x7f0000000000+i*256, i+1000, condition, state)
}

func writeFile(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := t.TempDir() + "/" + name
	check(t, os.WriteFile(path, content, 0o600))
	return path
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// zippedEmpty is an archive of n members without content.
func zippedEmpty(t *testing.T, n int) []byte {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := range n {
		_, err := z.CreateRaw(&zip.FileHeader{Name: fmt.Sprintf("a/%d", i)})
		check(t, err)
	}
	check(t, z.Close())
	return out.Bytes()
}

// writeBlocked writes a thread that has the lock of its number and waits for another.
func writeBlocked(b *strings.Builder, i, wanted int) {
	writeHeader(b, i, fmt.Sprintf("worker-%d", i), "waiting for monitor entry", "BLOCKED (on object monitor)")
	fmt.Fprintf(b, "\tat com.acme.Bank.move(Bank.java:7)\n\t- waiting to lock <0x%016x> (a java.lang.Object)\n"+
		"\t- locked <0x%016x> (a java.lang.Object)\n\n",
		0x700000000+wanted*16, 0x700000000+i*16)
}
