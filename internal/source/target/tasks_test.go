package target

import (
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/jstall/jstall/threaddump"
)

func TestRunnableIDsAreThoseOfTheParsedDump(t *testing.T) {
	for _, name := range []string{"jdk8/mondl-threaddump-l", "jdk17/waits-threaddump-l-e",
		"jdk21/waits-threaddump-l-e", "jdk27/waits-threaddump-l-e"} {
		raw, err := os.ReadFile("../../../testdata/dumps/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		dumps, err := threaddump.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		want := map[int]bool{}
		for _, th := range dumps[0].Threads {
			if th.Condition == "runnable" || th.Carrying != 0 {
				want[int(th.NativeID)] = true
			}
		}
		if got := runnableIDs(raw); len(want) == 0 || !maps.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, slices.Sorted(maps.Keys(got)), slices.Sorted(maps.Keys(want)))
		}
	}
}
