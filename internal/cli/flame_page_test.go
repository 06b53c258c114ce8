package cli

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// pageTimes is what the page of a profile holds of the time.
func pageTimes(t *testing.T, path string) (times struct {
	Buckets int
	Width   int64
	Bucket  []int
}) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(page), `id="profile">`)
	data, _, _ := strings.Cut(rest, "<")
	if !found {
		t.Fatalf("%s holds no profile", path)
	}
	unpacked, err := gzip.NewReader(base64.NewDecoder(base64.StdEncoding, strings.NewReader(strings.TrimSpace(data))))
	if err != nil {
		t.Fatal(err)
	}
	var payload struct{ Time any }
	payload.Time = &times
	if err := json.NewDecoder(unpacked).Decode(&payload); err != nil {
		t.Fatal(err)
	}
	return times
}

// TestPageOfDumpsHasTimes: one series of dumps has a time, two files and formats without times have none.
func TestPageOfDumpsHasTimes(t *testing.T) {
	dir := t.TempDir()
	written := func(name string, args ...string) string {
		path := filepath.Join(dir, name)
		if got := run(t, "", append(append([]string{"flame"}, args...), "-o", path)...); got.code != 0 {
			t.Fatalf("%s: %s", name, got.stable())
		}
		return path
	}
	times := pageTimes(t, written("dumps.html", demoDumps...))
	if times.Buckets < 2 || times.Width <= 0 || len(times.Bucket) == 0 {
		t.Errorf("the page of three dumps has %d buckets of %d ns, %d cells", times.Buckets, times.Width,
			len(times.Bucket))
	}
	pb := written("dumps.pb.gz", demoDumps...)
	for name, path := range map[string]string{
		"pprof": written("pprof.html", pb), "merged": written("merged.html", append(demoDumps, pb)...),
		"difference": written("diff.html", append(demoDumps, "--diff", pb)...),
	} {
		if times := pageTimes(t, path); times.Buckets != 0 || len(times.Bucket) != 0 {
			t.Errorf("%s: the page has %d buckets, %d cells", name, times.Buckets, len(times.Bucket))
		}
	}
}
