package render_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

var update = flag.Bool("update", false, "write the goldens anew")

func samples() map[string]*analysis.Report {
	return map[string]*analysis.Report{
		"deadlocked":   deadlocked(),
		"stalled":      stalled(10_000),
		"busy":         busy(),
		"old":          old(),
		"unresponsive": unresponsive(),
		"hostile":      hostile(),
		"waits":        waits(),
	}
}

func views() []render.View {
	return []render.View{render.Status, render.Deadlock, render.MostWork, render.Threads,
		render.WaitingThreads, render.DependencyTree, render.DependencyGraph}
}

// checkGolden compares a whole output with its file.
func checkGolden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("..", "..", "testdata", "golden", "render", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs; run with -update and read the difference. Got:\n%s", name, got)
	}
}

func TestViewsOfSamples(t *testing.T) {
	for name, report := range samples() {
		for _, view := range views() {
			if name == "stalled" && view == render.Threads {
				continue // 10,000 rows say no more than the first
			}
			text, markdown := new(bytes.Buffer), new(bytes.Buffer)
			if err := render.Text(text, view, report, render.Options{Width: 110}); err != nil {
				t.Fatal(err)
			}
			if err := render.Markdown(markdown, view, report, render.Options{}); err != nil {
				t.Fatal(err)
			}
			checkGolden(t, name+"."+string(view)+".txt", text.Bytes())
			checkGolden(t, name+"."+string(view)+".md", markdown.Bytes())
		}
	}
}
