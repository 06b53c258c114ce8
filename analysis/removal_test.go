package analysis

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/detect"
	"github.com/jstall/jstall/analysis/facts"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// Without any detector the others find in real dumps what they find with it. What a RunLast finds depends on what
// was found before, as it must.
func TestWithoutAnyDetectorTheOthersFindTheSame(t *testing.T) {
	paths, err := filepath.Glob("../testdata/dumps/*/*.txt*")
	if err != nil || len(paths) < 100 {
		t.Fatalf("%d dumps: %v", len(paths), err)
	}
	kinds := map[finding.Kind]int{}
	for _, path := range paths {
		dumps, err := threaddump.Parse(contentOf(t, path))
		if err != nil || len(dumps) == 0 {
			continue // not a dump: the folder also has other answers of a JVM
		}
		all := foundBy(detectors, dumps)
		for _, f := range all {
			kinds[f.Kind]++
		}
		for i, gone := range detectors {
			if gone.Run == nil {
				continue
			}
			others := slices.Delete(slices.Clone(detectors), i, i+1)
			want := slices.DeleteFunc(slices.Clone(all), func(f finding.Finding) bool { return f.Kind == gone.Kind })
			if got := foundBy(others, dumps); !reflect.DeepEqual(got, want) {
				t.Errorf("%s without %s: found %d, want %d", path, gone.Kind, len(got), len(want))
			}
		}
	}
	if len(kinds) < 8 {
		t.Errorf("the dumps show only %v", kinds)
	}
}

// foundBy is what the Runs of some detectors find, each once, by kind.
func foundBy(some []detect.Detector, dumps []*threaddump.Dump) []finding.Finding {
	s := timeline.NewSeries()
	for _, d := range dumps {
		s.Add(timeline.Observation{Dump: d})
	}
	moments, _ := s.Split()
	f := facts.New(timeline.Arrange(moments))

	some = slices.DeleteFunc(slices.Clone(some), func(d detect.Detector) bool { return d.Run == nil })
	found := []finding.Finding{}
	for _, c := range runAll(some, f, Options{}) {
		found = append(found, c.Finding)
	}
	return found
}

func contentOf(t *testing.T, path string) []byte {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(path, ".gz") {
		return text
	}
	packed, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	text, err = io.ReadAll(packed)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
