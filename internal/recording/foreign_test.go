package recording

import (
	"io"
	"path/filepath"
	"testing"
	"time"
)

// A recording as the Java tool writes it: made here by hand after its format, not
// by the tool itself.
func TestRecordingOfTheJavaTool(t *testing.T) {
	path := filepath.Join(t.TempDir(), "r.zip")
	writeZip(t, path, []member{
		{"r/metadata.json", `{"formatVersion":1,"jstallVersion":"0.5","createdAt":1763726000000,
			"jvms":[{"pid":7,"mainClass":"App","success":true,"startedAt":1763726000000},{"pid":8,"mainClass":"Gone","success":false,"error":"no answer"}]}`, 0},
		{"r/README.md", "# read me", 0},
		{"r/7/manifest.json", "{}", 0},
		{"r/7/thread-dumps/001-1763726001500.txt", "second", 0},
		{"r/7/thread-dumps/000-1763726000500.txt", "first", 0},
		{"r/7/system-properties/data.txt", "a=b", 0},
		{"r/7/jcmd-GC_heap_info/000-1763726000500.txt", "heap", 0},
	})
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if len(r.Manifest.JVMs) != 2 || r.Manifest.JVMs[0].Target.Name != "App" || r.Manifest.JVMs[1].Ended == nil {
		t.Fatalf("%+v", r.Manifest)
	}
	checkForeignReadings(t, r)
}

// checkForeignReadings reads the dumps of the first JVM, and what else was recorded of it.
func checkForeignReadings(t *testing.T, r *Recording) {
	t.Helper()
	readings := r.Readings(r.Manifest.JVMs[0])
	for i, want := range []struct {
		text string
		at   time.Duration
	}{{"first", 500 * time.Millisecond}, {"second", 1500 * time.Millisecond}} {
		got, err := readings.Next()
		if err != nil || len(got) != 1 || got[0].Kind != ThreadDump || string(got[0].Bytes) != want.text ||
			got[0].At != want.at {
			t.Errorf("reading %d: %v, %v; want %v", i, got, err, want)
		}
	}
	more, err := readings.Next()
	if err != nil || len(more) != 2 || payloads(more) != "a=bheap" || more[1].Name != "GC.heap_info" {
		t.Errorf("other than the dumps: %v, %v", more, err)
	}
	if _, err := readings.Next(); err != io.EOF {
		t.Errorf("after the last reading: %v", err)
	}
}
