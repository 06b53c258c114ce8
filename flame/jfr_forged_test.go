package flame

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/jfrtest"
	"github.com/jstall/jstall/internal/jvmtest"
)

// realRecording is of one chunk.
func realRecording(t *testing.T) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "real.jfr")
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{
		Class: "Exit", Args: []string{"500", "7"},
		JVMArgs: []string{"-XX:StartFlightRecording=settings=profile,filename=" + path},
	})
	jvm.Wait()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if size := binary.BigEndian.Uint64(data[8:]); size != uint64(len(data)) {
		t.Fatalf("the recording of %d bytes has a chunk of %d", len(data), size)
	}
	return data
}

// TestForgedRecordings: a recording takes no more memory than its own size explains,
// whatever it claims.
func TestForgedRecordings(t *testing.T) {
	data := realRecording(t)
	huge := []byte{0xff, 0xff, 0xff, 0xff, 0x0f}
	refused := 0
	step := max(1, len(data)/400)
	for at := 16; at < len(data)-len(huge); at += step {
		forged := bytes.Clone(data)
		copy(forged[at:], huge)
		if used := allocated(func() {
			if _, err := ReadJFR(bytes.NewReader(forged), EventAlloc, Options{}); err != nil {
				refused++
			}
		}); used > 100*uint64(len(data)) {
			t.Errorf("forged at %d: %d MB", at, used>>20)
		}
	}
	if refused == 0 {
		t.Error("none was refused")
	}
}

func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestRecordingThatIsCut(t *testing.T) {
	data := realRecording(t)
	whole, err := ReadJFR(bytes.NewReader(data), EventWall, Options{})
	if err != nil || len(whole.Sample) == 0 {
		t.Fatalf("%v: %v", err, whole)
	}
	two := append(bytes.Clone(data), data[:len(data)/2]...)
	part, err := ReadJFR(bytes.NewReader(two), EventWall, Options{})
	if err == nil || !strings.Contains(err.Error(), "chunk 1: it is cut") || len(part.Sample) != len(whole.Sample) {
		t.Errorf("%v: %v", err, part)
	}
	for _, n := range []int{0, 3, 40, jfr.HeaderSize, len(data) - 1} {
		if p, err := ReadJFR(bytes.NewReader(data[:n]), EventWall, Options{}); err == nil || p != nil {
			t.Errorf("of %d bytes: %v, %v", n, err, p)
		}
	}
}

// TestRecordingsWithLongClaims: sizes and offsets that no file has.
func TestRecordingsWithLongClaims(t *testing.T) {
	data := realRecording(t)
	for name, forge := range map[string]func(b []byte){
		"size":     func(b []byte) { binary.BigEndian.PutUint64(b[8:], 1<<62) },
		"pools":    func(b []byte) { binary.BigEndian.PutUint64(b[16:], 1<<62) },
		"metadata": func(b []byte) { binary.BigEndian.PutUint64(b[24:], 1<<63+1) },
	} {
		forged := bytes.Clone(data)
		forge(forged)
		if _, err := ReadJFR(bytes.NewReader(forged), EventWall, Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestEventsOfNoSize: an event of fewer bytes than tell its size and kind.
func TestEventsOfNoSize(t *testing.T) {
	sample := jfrtest.Event(forgedSample, 0, 1, 1)
	if got := readForged(t, EventCPU, Options{},
		jfrtest.Chunk(forgedClasses(), sample, forgedPools())); got["main  A.a"] == nil {
		t.Fatalf("well forged: %v", got)
	}
	for _, claimed := range []string{"\xff\xff\xff\x7f", "\xff\xff\xff\xff\xff\xff\xff\xff\xff"} {
		for size := range 2 { // the kind is the second byte
			event := append([]byte{byte(size), forgedChoice, 0, 3}, claimed...)
			chunk := jfrtest.Chunk(forgedClasses(), append(event, 0, 0, 0), forgedPools())
			_, err := ReadJFR(bytes.NewReader(chunk), EventCPU, Options{})
			if err == nil || !strings.Contains(err.Error(), "a size that it cannot have") {
				t.Errorf("size %d: %v", size, err)
			}
		}
	}
}

// TestFormatsOfRecordings: another format must not be read as what it is not.
func TestFormatsOfRecordings(t *testing.T) {
	const packed, last = 1, 2
	for _, c := range []struct {
		major, flags byte
		want         string
	}{
		{1, packed, ""}, {2, packed, ""}, {2, packed | last, ""},
		{0, packed, "its format is 0.1"}, {3, packed, "its format is 3.1"}, {2, last, "not compressed"},
	} {
		chunk := jfrtest.Chunk(forgedClasses(), jfrtest.Event(forgedSample, 0, 1, 1), forgedPools())
		chunk[5], chunk[67] = c.major, c.flags
		_, err := ReadJFR(bytes.NewReader(chunk), EventCPU, Options{})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
