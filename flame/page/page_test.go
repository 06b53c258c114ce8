package page_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/flame/page"
)

func html(tb testing.TB, p *profile.Profile, opts page.Options) string {
	tb.Helper()
	var out bytes.Buffer
	if err := page.Write(&out, p, opts); err != nil {
		tb.Fatal(err)
	}
	return out.String()
}

func TestWriteRefusesWhatIsNoProfile(t *testing.T) {
	broken := shop()
	broken.Sample[0].Value = broken.Sample[0].Value[:1]
	for name, p := range map[string]*profile.Profile{"none": nil, "a value short": broken} {
		if err := page.Write(io.Discard, p, page.Options{}); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// fullDisk is a writer that has room for so many bytes.
type fullDisk struct{ room int }

var errFull = errors.New("no space left on device")

func (d *fullDisk) Write(b []byte) (int, error) {
	if d.room -= len(b); d.room < 0 {
		return 0, errFull
	}
	return len(b), nil
}

func TestWriteSaysThatTheDiskIsFull(t *testing.T) {
	size := len(html(t, shop(), page.Options{}))
	for room := 0; room < size; room += 1000 {
		if err := page.Write(&fullDisk{room}, shop(), page.Options{}); !errors.Is(err, errFull) {
			t.Errorf("with room for %d of %d bytes the error is %v", room, size, err)
		}
	}
}

func TestOptions(t *testing.T) {
	for want, opts := range map[string]page.Options{
		"CPU of shop.Main": {}, "Mine": {Title: "Mine"}, "&lt;/title&gt;": {Title: "</title>"},
	} {
		if text := html(t, shop(), opts); !strings.Contains(text, "<title>"+want+"</title>") {
			t.Errorf("the title is not %s", want)
		}
	}
}

func TestPageHoldsEverythingAndLoadsNothing(t *testing.T) {
	text := html(t, shop(), page.Options{})
	_, policy, _ := strings.Cut(text, `http-equiv="Content-Security-Policy" content="`)
	policy, _, _ = strings.Cut(policy, `"`)
	if !strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") ||
		strings.Contains(policy, "*") {
		t.Errorf("the policy is %q", policy)
	}
	for _, word := range []string{"http://", "https://", "{{", "@import", "url("} {
		if strings.Contains(text, word) {
			t.Errorf("the page contains %q", word)
		}
	}
}

func TestAssetsCannotEndTheirElements(t *testing.T) {
	files, err := filepath.Glob("assets/*.[jc]s*")
	if err != nil || len(files) < 10 {
		t.Fatalf("found %v, %v", files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if lower := strings.ToLower(string(text)); strings.Contains(lower, "</script") ||
			strings.Contains(lower, "</style") {
			t.Errorf("%s ends its own element", file)
		}
		if lines := strings.Count(string(text), "\n"); lines >= 400 {
			t.Errorf("%s has %d lines", file, lines)
		}
	}
}

func TestNamesAreNowhereButInTheData(t *testing.T) {
	s := newStacks()
	s.add(thread{evil, evil, evil}, weights{1, 1, 1}, evil+":7")
	s.profile.Comments = []string{"title", evil}
	if text := html(t, s.profile, page.Options{}); strings.Contains(text, "onerror") ||
		strings.Count(text, "</script>") != 2 {
		t.Error("a name is in the page unescaped")
	}
}

// wide is a profile of so many frames in stacks of up to depth, each frame of a
// separate method, by fifty threads: the hardest for its size.
func wide(frames, depth int) *profile.Profile {
	s := newStacks()
	random := rand.New(rand.NewPCG(1, 2))
	var path []string
	for made := 0; made < frames; {
		path = path[:random.IntN(len(path)+1)]
		for grow := 1 + random.IntN(40); (grow > 0 || made < depth) && len(path) < depth && made < frames; grow-- {
			path = append(path, fmt.Sprintf("com.example.module%d.Component%d.handleRequest%d:%d", made%97, made%1201,
				made, 1+made%500))
			made++
		}
		name := fmt.Sprintf("worker-%d", random.IntN(50))
		s.add(thread{name, "worker-*", "RUNNABLE"}, weights{random.Float64(), 1, 1}, path...)
	}
	return s.profile
}

func TestFiftyThousandFramesFitInThreeMegabytes(t *testing.T) {
	if size := len(html(t, wide(50_000, 500), page.Options{})); size > 3<<20 {
		t.Errorf("the page has %d bytes", size)
	}
}

func TestEqualSamplesCostNothing(t *testing.T) {
	s := newStacks()
	for range 20_000 {
		s.add(thread{"main", "main", "RUNNABLE"}, weights{1, 1, 1}, "a.B.c", "a.B.d")
	}
	small, large := len(html(t, shop(), page.Options{})), len(html(t, s.profile, page.Options{}))
	if large > small+1000 {
		t.Errorf("20,000 equal samples make a page of %d bytes, six different ones one of %d", large, small)
	}
}
