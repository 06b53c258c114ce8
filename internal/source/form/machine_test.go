package form

import (
	"fmt"
	"strings"
	"testing"

	"github.com/jstall/jstall/analysis/timeline"
)

func TestLoadersOfOneThingAgainAndAgain(t *testing.T) {
	const line = "0x0%d  0x00  0x03  %d  1280  618  %s\n"
	var answer strings.Builder
	answer.WriteString("ClassLoader  Parent  CLD*  Classes  ChunkSz  BlockSz  Type\n")
	for i := range 9 {
		fmt.Fprintf(&answer, line, i, 0, "app.Parent")
		fmt.Fprintf(&answer, line, i, 1, "jdk.internal.reflect.DelegatingClassLoader")
	}
	for i := range 3 {
		fmt.Fprintf(&answer, line, i, 2, "app.Script")
		fmt.Fprintf(&answer, line, i, i, "app.Plugin")
	}
	if got, want := *MostLoaders([]byte(answer.String())),
		(timeline.ClassLoaders{Class: "app.Script", Loaders: 3, Classes: 6, Alike: 3}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}
