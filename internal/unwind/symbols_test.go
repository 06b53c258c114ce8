package unwind

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"testing"
)

// symbolsOf are those of a file with a content.
func symbolsOf(text []byte) Symbols {
	return ReadSymbols(io.NewSectionReader(bytes.NewReader(text), 0, int64(len(text))))
}

// fakeLibrary is an ELF file with two functions at 0x1000 and one at 0x2000, and a variable: the header, three headers
// of sections, symbols, names.
func fakeLibrary() []byte {
	names := "\x00small\x00large\x00_ZN3Foo3barEi\x00variable\x00"
	put := binary.LittleEndian
	symbol := func(name uint32, kind byte, at, size uint64) []byte {
		s := make([]byte, symbolSize)
		put.PutUint32(s, name)
		s[4] = kind
		put.PutUint64(s[8:], at)
		put.PutUint64(s[16:], size)
		return s
	}
	const function, object = 2, 1
	table := bytes.Join([][]byte{symbol(0, 0, 0, 0), symbol(1, function, 0x1000, 4), symbol(7, function, 0x1000, 8),
		symbol(28, object, 0x1004, 4), symbol(13, function, 0x2000, 0)}, nil)
	section := func(kind, link uint32, at, size int) []byte {
		s := make([]byte, sectionSize)
		put.PutUint32(s[4:], kind)
		put.PutUint64(s[24:], uint64(at))
		put.PutUint64(s[32:], uint64(size))
		put.PutUint32(s[40:], link)
		return s
	}
	head := make([]byte, headerSize)
	copy(head, "\x7fELF\x02\x01")
	put.PutUint64(head[40:], headerSize)
	put.PutUint16(head[58:], sectionSize)
	put.PutUint16(head[60:], 3)
	at := headerSize + 3*sectionSize
	return bytes.Join([][]byte{head, section(0, 0, 0, 0), section(2, 2, at, len(table)),
		section(3, 0, at+len(table), len(names)), table, []byte(names)}, nil)
}

func TestSymbolsOfAFile(t *testing.T) {
	s := symbolsOf(fakeLibrary())
	for at, want := range map[uint64]string{
		0xfff: "", 0x1000: "large", 0x1007: "large", 0x1008: "", 0x2000: "Foo::bar", 0x9999: "Foo::bar",
	} {
		if got, ok := s.readable(at); got != want || ok != (want != "") {
			t.Errorf("%#x: %q, %v", at, got, ok)
		}
	}
}

// TestForgedLibrary: whatever one place of the file says, all that is found is in the file.
func TestForgedLibrary(t *testing.T) {
	whole := fakeLibrary()
	forged := make([]byte, len(whole))
	for i := range len(whole) - 8 {
		for _, value := range []uint64{0, 0xff, 1 << 62, 1<<64 - 1} {
			copy(forged, whole)
			binary.LittleEndian.PutUint64(forged[i:], value)
			s := symbolsOf(forged)
			if len(s.functions) > 5 || len(s.names) > len(whole)+2 {
				t.Fatalf("%d functions, %d bytes of names with %#x at %d", len(s.functions), len(s.names), value, i)
			}
			for _, f := range s.functions {
				_ = s.name(f)
			}
		}
	}
	for n := range whole {
		_ = symbolsOf(whole[:n])
	}
}

// BenchmarkSymbols reads those of the library that LIBJVM names.
func BenchmarkSymbols(b *testing.B) {
	path := os.Getenv("LIBJVM")
	if path == "" {
		b.Skip("set LIBJVM=.../lib/server/libjvm.so")
	}
	file, err := os.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	info, err := file.Stat()
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if s := ReadSymbols(io.NewSectionReader(file, 0, info.Size())); len(s.functions) == 0 {
			b.Fatal("no functions")
		}
	}
}

// BenchmarkKernelSymbols reads those of this machine.
func BenchmarkKernelSymbols(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		file, err := os.Open("/proc/kallsyms")
		if err != nil {
			b.Fatal(err)
		}
		_ = ReadKernelSymbols(file)
		_ = file.Close()
	}
}
