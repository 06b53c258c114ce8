package hotspot_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/hotspot"
)

const pageSize = 4096

// pages are those of a process that a dump has read: a fixture is a gzip file of the address of
// libjvm.so and, for each page, its address and its bytes. They are recorded by TestRecordFixtures.
type pages struct {
	libjvm uint64
	at     map[uint64][]byte
}

// ReadAt reads what was recorded.
func (p *pages) ReadAt(addr uint64, buf []byte) error {
	for len(buf) > 0 {
		page := p.at[addr&^(pageSize-1)]
		if page == nil {
			return errors.New("not recorded")
		}
		n := copy(buf, page[addr&(pageSize-1):])
		buf = buf[n:]
		addr += uint64(n)
	}
	return nil
}

// dump reads a fixture as a process is read.
func (p *pages) dump(ctx context.Context) (*hotspot.Dump, error) {
	j, err := hotspot.Open(ctx, p, p.libjvm)
	if err != nil {
		return nil, err
	}
	return j.Dump(ctx, time.Date(2026, 11, 20, 15, 4, 5, 0, time.UTC), nil)
}

func fixtures(tb testing.TB) []string {
	tb.Helper()
	names, err := filepath.Glob("../../testdata/hotspot/*.pages.gz")
	if err != nil || len(names) == 0 {
		tb.Fatalf("no fixtures, %v", err)
	}
	return names
}

func loadPages(tb testing.TB, name string) *pages {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil || len(b) < 8 {
		tb.Fatal(err)
	}
	p := &pages{binary.LittleEndian.Uint64(b), map[uint64][]byte{}}
	for part := range slices.Chunk(b[8:], 8+pageSize) {
		p.at[binary.LittleEndian.Uint64(part)] = part[8:]
	}
	return p
}

// recorder notes which pages are read.
type recorder struct {
	hotspot.Memory
	at map[uint64]bool
}

func (r *recorder) ReadAt(addr uint64, buf []byte) error {
	for page := addr &^ (pageSize - 1); page < addr+uint64(len(buf)); page += pageSize {
		r.at[page] = true
	}
	return r.Memory.ReadAt(addr, buf)
}

func (r *recorder) write(name string, libjvm uint64) error {
	p := &pages{libjvm, map[uint64][]byte{}}
	for at := range r.at {
		page := make([]byte, pageSize)
		if r.Memory.ReadAt(at, page) == nil {
			p.at[at] = page
		}
	}
	return p.write(name)
}

func (p *pages) write(name string) error {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_ = binary.Write(z, binary.LittleEndian, p.libjvm)
	for _, at := range slices.Sorted(maps.Keys(p.at)) {
		_ = binary.Write(z, binary.LittleEndian, at)
		_, _ = z.Write(p.at[at])
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}

// TestFixtures reads recorded pages: the text is what was read of the process itself.
func TestFixtures(t *testing.T) {
	for _, name := range fixtures(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			d, err := loadPages(t, name).dump(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			golden := name[:len(name)-len(".pages.gz")] + ".txt"
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			got := d.Text()
			if size := d.UsualSize(); size < len(got) || size > len(got)*5/4+1024 {
				t.Errorf("%d bytes are expected, it has %d", size, len(got))
			}
			if bytes.Contains(want, []byte("Virtual threads of")) {
				got = append(got, d.VirtualText()...)
			}
			if !bytes.Equal(got, want) {
				t.Errorf("differs from %s:\n%s", golden, got)
			}
		})
	}
}

// FuzzPages changes words of recorded pages: whatever is in memory, a dump ends in time and
// without a panic.
func FuzzPages(f *testing.F) {
	var all []*pages
	for _, name := range fixtures(f) {
		all = append(all, loadPages(f, name))
	}
	f.Add(uint8(0), []byte{})
	f.Add(uint8(1), []byte{1, 0, 16, 0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff})
	f.Fuzz(func(t *testing.T, which uint8, changes []byte) {
		p := all[int(which)%len(all)].changed(changes)
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		begin := time.Now()
		d, err := p.dump(ctx)
		if took := time.Since(begin); took > 11*time.Second {
			t.Errorf("took %v", took)
		}
		if err == nil {
			_ = d.Text()
		}
	})
}

// changed is a copy with words replaced: each change is a page of two bytes, an offset of two, and a
// value of eight. An odd offset takes the address of another page in place of the value.
func (p *pages) changed(changes []byte) *pages {
	order := slices.Sorted(maps.Keys(p.at))
	c := &pages{p.libjvm, maps.Clone(p.at)}
	le := binary.LittleEndian
	for part := range slices.Chunk(changes, 12) {
		if len(part) < 12 {
			break
		}
		at := order[int(le.Uint16(part))%len(order)]
		page := slices.Clone(c.at[at])
		offset, value := int(le.Uint16(part[2:]))%pageSize, le.Uint64(part[4:])
		if offset%2 == 1 {
			value = order[value%uint64(len(order))] + value>>48%pageSize
		}
		le.PutUint64(page[offset&^7:], value)
		c.at[at] = page
	}
	return c
}

// TestHostileMemory: lists without end, huge lengths, and pointers in circles end in time. Each word of
// a few pages is replaced by what is worst for whatever it is.
func TestHostileMemory(t *testing.T) {
	names := fixtures(t)
	p := loadPages(t, names[len(names)-1])
	order := slices.Sorted(maps.Keys(p.at))
	worst := []uint64{0, 1, 1 << 31, 1<<32 - 1, 1 << 47, 1<<63 - 1, ^uint64(0), order[0], order[len(order)/2], p.libjvm}
	var longest time.Duration
	for i := range 300 {
		c := &pages{p.libjvm, maps.Clone(p.at)}
		at := order[i*7919%len(order)]
		page := slices.Clone(c.at[at])
		for o := i % 8 * 8; o+8 <= pageSize; o += 64 {
			binary.LittleEndian.PutUint64(page[o:], worst[(i+o/64)%len(worst)])
		}
		c.at[at] = page
		begin := time.Now()
		_, _ = c.dump(t.Context())
		longest = max(longest, time.Since(begin))
	}
	t.Logf("longest %v", longest)
	if longest > 10*time.Second {
		t.Errorf("took %v", longest)
	}
}

// TestFailsClosed names what the tables of libjvm.so lack.
func TestFailsClosed(t *testing.T) {
	p := loadPages(t, fixtures(t)[0])
	name := []byte("_last_Java_sp\x00")
	found := false
	for at, page := range p.at {
		if i := bytes.Index(page, name); i >= 0 {
			page = slices.Clone(page)
			page[i] = 'X'
			p.at[at], found = page, true
		}
	}
	_, err := p.dump(t.Context())
	want := "this build of HotSpot is not known, libjvm.so does not tell of JavaFrameAnchor::_last_Java_sp"
	if !found || err == nil || err.Error() != want {
		t.Errorf("found %v, %v", found, err)
	}
	delete(p.at, p.libjvm)
	want = fmt.Sprintf("no memory at %#x, where libjvm.so begins", p.libjvm)
	if _, err := p.dump(t.Context()); err == nil || err.Error() != want {
		t.Error(err)
	}
}
