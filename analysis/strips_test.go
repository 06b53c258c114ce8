package analysis_test

import (
	"slices"
	"testing"

	"github.com/jstall/jstall/analysis"
	. "github.com/jstall/jstall/analysis/internal/dumptest"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/threaddump"
)

// The strip of a thread has a state for each dump that has it, whichever that is.
func TestStrips(t *testing.T) {
	s := timeline.NewSeries()
	for _, name := range []string{"jdk21/mondl-threaddump-l.txt", "jdk21/mondl-threaddump-l-e.txt"} {
		for _, d := range Parse(t, name) {
			s.Add(Saved(d))
		}
	}
	last := Parse(t, "jdk21/mondl-threaddump-l-e.txt")[0]
	last.Threads = slices.DeleteFunc(last.Threads, func(x *threaddump.Thread) bool { return x.Name == "main" })
	last.Time = last.Time.Add(1e9)
	s.Add(Saved(last))
	strips := analysis.SeriesStrips(s)
	if len(strips.Dumps) != 3 || strips.Dumps[2].Index != 2 {
		t.Fatalf("dumps: %+v", strips.Dumps)
	}
	first := strips.Rows[0]
	if want := []string{"BLOCKED", "BLOCKED", "BLOCKED"}; !slices.Equal(first.States, want) ||
		first.Role != "application" || first.Threads[0].Name != "dl-A" {
		t.Errorf("the first row is %+v", first)
	}
	threads := 0
	for _, row := range strips.Rows {
		threads += len(row.Threads)
		for _, thread := range row.Threads {
			for at, line := range thread.Lines {
				if (line > 0) != (row.States[at] != "") {
					t.Errorf("%q is %q in dump %d, at line %d", thread.Name, row.States[at], at, line)
				}
			}
			if gone := row.States[2] == ""; gone != (thread.Name == "main") {
				t.Errorf("%q is gone: %v", thread.Name, gone)
			}
		}
	}
	if threads != len(last.Threads)+1 {
		t.Errorf("%d threads in strips, %d in the dump", threads, len(last.Threads)+1)
	}
	if rows := analysis.SeriesStrips(timeline.NewSeries()).Rows; len(rows) != 0 {
		t.Errorf("of nothing: %+v", rows)
	}
}
