package file

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/observe"
)

// ended is a source without readings, at a cost.
type ended struct{ cost source.Cost }

func (ended) Next(context.Context, source.Request) ([]recording.Entry, error) { return nil, io.EOF }
func (ended) Left() int                                                       { return 0 }
func (e ended) Cost() source.Cost                                             { return e.cost }

// TestUntestedProcessorsAreNoted: a report says that no test covers what was read, also of a core file.
func TestUntestedProcessorsAreNoted(t *testing.T) {
	of := func(c source.Cost) bool {
		result, err := observe.Take(t.Context(), ended{c}, observe.Plan{})
		if err != io.EOF { // of a source that has nothing
			t.Fatal(err)
		}
		return strings.Contains(strings.Join(result.Warnings, " "), "not tested on aarch64")
	}
	core := &Files{Names: []string{"core.1"}, cores: 1, untested: "aarch64"}
	if !of(source.Cost{Memory: source.MemoryOutcome{Untested: "aarch64"}}) || !of(core.Cost()) ||
		core.Cost().Source != "core" {
		t.Error("no note on aarch64")
	}
	if of(source.Cost{}) {
		t.Error("a note on a tested processor")
	}
}
