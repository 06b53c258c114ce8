package render_test

import (
	"os"
	"path/filepath"
	"testing"

	"jstall/analysis"
	"jstall/internal/render"
	"jstall/threaddump"
)

// reportOf diagnoses saved dumps, one or more to a file.
func reportOf(t *testing.T, files ...string) *analysis.Report {
	t.Helper()
	series := analysis.NewSeries()
	for _, name := range files {
		b, err := os.ReadFile(filepath.Join("..", "..", "testdata", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		dumps, err := threaddump.Parse(b)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, d := range dumps {
			series.Add(analysis.Observation{Dump: d, Source: name})
		}
	}
	report := analysis.Diagnose(series, analysis.Options{})
	report.Capture.Source = "file"
	report.Target.File = filepath.Base(files[0])
	return report
}

// TestViewsOfRealDumps keeps what is said of real JVMs.
func TestViewsOfRealDumps(t *testing.T) {
	s := compiled(t)
	for name, c := range map[string]struct {
		view  render.View
		files []string
	}{
		"jdk8.mondl.status":     {render.Status, []string{"dumps/jdk8/mondl-threaddump-l.txt"}},
		"jdk21.mondl.status":    {render.Status, []string{"dumps/jdk21/mondl-threaddump-l-e.txt"}},
		"jdk21.mondl.deadlock":  {render.Deadlock, []string{"dumps/jdk21/mondl-threaddump-l-e.txt"}},
		"jdk17.rldl.deadlock":   {render.Deadlock, []string{"dumps/jdk17/rldl-threaddump-l-e.txt"}},
		"jdk21.clinit.deadlock": {render.Deadlock, []string{"dumps/jdk21/clinit-threaddump-l-e.txt"}},
		"jdk21.waits.threads":   {render.Threads, []string{"dumps/jdk21/waits-threaddump-l-e.txt"}},
		"jdk21.waits.status":    {render.Status, []string{"dumps/jdk21/waits-threaddump-l-e.txt"}},
		"jdk25.oddnl.threads":   {render.Threads, []string{"dumps/jdk25/oddnl-threaddump-l-e.txt"}},
		"jdk25.pinned.threads":  {render.Threads, []string{"dumps/jdk25/V-pinned-threaddump-l.txt"}},
		"jdk21.cpu.most-work":   {render.MostWork, []string{"dumps/jdk21/cpu-threaddump-l.txt", "dumps/jdk21/cpu-threaddump-l-e.txt"}},
		"jdk8.cpu.most-work":    {render.MostWork, []string{"dumps/jdk8/cpu-threaddump-l.txt"}},
		"demo.status":           {render.Status, []string{"demo/1.txt", "demo/2.txt", "demo/3.txt"}},
		"demo.most-work":        {render.MostWork, []string{"demo/1.txt", "demo/2.txt", "demo/3.txt"}},
	} {
		report := reportOf(t, c.files...)
		checkGolden(t, "real."+name+".txt", []byte(text(t, c.view, report, render.Options{Width: 110})))
		if err := validate(t, s, jsonOf(t, report)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
