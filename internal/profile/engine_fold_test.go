package profile

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/observe"
)

// lines says what samples hold.
func lines(begin *int) (add func() func(*timeline.Delta), seen func() []string) {
	var out []string
	return func() func(*timeline.Delta) {
			*begin++
			out = nil
			return func(l *timeline.Delta) {
				text := fmt.Sprintf("%s %v:", l.Time, l.Wall)
				for _, i := range l.Threads {
					text += fmt.Sprintf(" %s %v %v", i.After.Thread.Name, i.CPU, i.Wall)
				}
				out = append(out, text)
			}
		}, func() []string {
			return out
		}
}

// TestFoldIsTheSeries: dumps that are dropped as they are folded make the same looks as
// dumps that are all kept, whatever their order.
func TestFoldIsTheSeries(t *testing.T) {
	one, two, three := "../../testdata/demo/1.txt", "../../testdata/demo/2.txt", "../../testdata/demo/3.txt"
	other := "../../testdata/dumps/jdk17/idle-threaddump-l-e.txt"
	for names, begins := range map[string]int{
		"1 2 3": 1, "3 1 2": 1, "1": 1, "1 nowhere 2": 1,
		"1 2 2 3": 2, "1 other 2": 2, "3 2 1 other": 2, "other other": 2,
	} {
		replace := strings.NewReplacer("nowhere", "nowhere", "1", one, "2", two, "3", three, "other", other)
		var paths []string
		for name := range strings.FieldsSeq(names) {
			paths = append(paths, replace.Replace(name))
		}
		want := expectSamples(t, paths)
		var inputs []*file.Input
		for _, path := range paths {
			in, err := file.OpenInput(t.Context(), path, nil, 64<<10)
			if err != nil { // it went away since it was seen
				in = &file.Input{Name: path}
				in.Date = inputs[len(inputs)-1].Date
			} else {
				in.HoldsDumps()
			}
			inputs = append(inputs, in)
		}
		began := 0
		begin, seen := lines(&began)
		fold := FoldInputs(inputs)
		fold.Begin = begin
		result, err := fold.Run(t.Context())
		if err != nil || began != begins || !reflect.DeepEqual(seen(), want.samples) {
			t.Errorf("%s: %v, began %d times\n%s\nwant\n%s", names, err, began, strings.Join(seen(), "\n"),
				strings.Join(want.samples, "\n"))
		}
		slices.Sort(result.Warnings)
		if !slices.Equal(result.Warnings, want.warnings) || result.Dumps != want.dumps ||
			fmt.Sprint(result.Partial) != fmt.Sprint(want.partial) {
			t.Errorf("%s: %d dumps, %q, %v; want %+v", names, result.Dumps, result.Warnings, result.Partial, want)
		}
	}
}

type expectedSamples struct {
	samples, warnings []string
	dumps             int
	partial           error
}

func expectSamples(t *testing.T, paths []string) expectedSamples {
	t.Helper()
	result, err := observe.Take(t.Context(), &file.Files{Names: paths}, observe.Plan{Locks: source.LocksNever,
		Virtual: source.VirtualNever})
	if err != nil {
		t.Fatal(err)
	}
	began := 0
	begin, seen := lines(&began)
	warnings := append(result.Series.Deltas(begin()), result.Warnings...)
	slices.Sort(warnings)
	return expectedSamples{seen(), warnings, result.Dumps, result.Partial}
}

// TestFoldOfWhatCanBeReadOnce: a pipe cannot be begun again.
func TestFoldOfWhatCanBeReadOnce(t *testing.T) {
	var inputs []*file.Input
	for _, n := range []string{"2", "1"} {
		path := "../../testdata/demo/" + n + ".txt"
		text, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		in, err := file.OpenInput(t.Context(), source.Stdin, text, 64<<10)
		if err != nil {
			t.Fatal(err)
		}
		in.HoldsDumps()
		inputs = append(inputs, in)
	}
	began := 0
	begin, seen := lines(&began)
	fold := FoldInputs(inputs)
	fold.Begin = begin
	result, err := fold.Run(t.Context())
	if err != nil || began != 1 || len(seen()) != 2 || result.Dumps != 2 {
		t.Errorf("%v: %d dumps, began %d times, %q", err, result.Dumps, began, seen())
	}
}
