package render_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/threaddump"
)

// reportOf diagnoses saved dumps, one or more to a file.
func reportOf(t *testing.T, files ...string) *analysis.Report {
	t.Helper()
	series := timeline.NewSeries()
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
			series.Add(timeline.Observation{Dump: d, Source: name})
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
		"jdk21.cpu.most-work": {render.MostWork,
			[]string{"dumps/jdk21/cpu-threaddump-l.txt", "dumps/jdk21/cpu-threaddump-l-e.txt"}},
		"jdk8.cpu.most-work":           {render.MostWork, []string{"dumps/jdk8/cpu-threaddump-l.txt"}},
		"jdk21.waits.waiting-threads":  {render.WaitingThreads, []string{"dumps/jdk21/waits-threaddump-l-e.txt"}},
		"jdk21.waits.dependency-tree":  {render.DependencyTree, []string{"dumps/jdk21/waits-threaddump-l-e.txt"}},
		"jdk17.clinit.dependency-tree": {render.DependencyTree, []string{"dumps/jdk17/clinit-threaddump-l-e.txt"}},
		"jdk8.clinit.dependency-tree":  {render.DependencyTree, []string{"dumps/jdk8/clinit-threaddump-l.txt"}},
		"jmx.waiting-threads":          {render.WaitingThreads, []string{"frameworks/dumps/jmx-fault-jdk17.txt"}},
		"netty42.dependency-tree": {render.DependencyTree,
			[]string{"frameworks/dumps/netty42-fault-jdk17.txt"}},
		"springboot.waiting-threads": {render.WaitingThreads,
			[]string{"frameworks/dumps/springboot-fault-jdk26.txt"}},
		"springboot-idle.waiting-threads": {render.WaitingThreads,
			[]string{"frameworks/dumps/springboot-idle-jdk26.txt"}},
		"demo.dependency-tree":  {render.DependencyTree, []string{"demo/1.txt", "demo/2.txt", "demo/3.txt"}},
		"demo.dependency-graph": {render.DependencyGraph, []string{"demo/1.txt", "demo/2.txt", "demo/3.txt"}},
		"demo.waiting-threads":  {render.WaitingThreads, []string{"demo/1.txt", "demo/2.txt", "demo/3.txt"}},
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
