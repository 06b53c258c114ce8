package diagnose

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// mergesPlaces reports whether several places answer, and their answers are text. JSON has a document for each place,
// and a graph is for another program.
func (l printer) mergesPlaces(c *cli.Context) bool {
	return len(c.StringSlice("on")) > 1 && l.Options.Format != "json" && l.Plan.Show != render.DependencyGraph
}

// writeMerged prints what the JVMs of several places have in common, then each report. For status and deadlock the
// reports need --full.
func (l printer) writeMerged(c *cli.Context, targets []session.Target, outcomes []chan session.Outcome) error {
	var codes []int
	var all []session.Outcome
	for i, ch := range outcomes {
		o := <-ch
		l.Progress.Clear()
		if o.Err != nil && c.Err() == nil {
			session.PrintFailure(l.Env, targets[i], o.Err)
		}
		all, codes = append(all, o), append(codes, o.Code)
	}
	if err := c.Err(); err != nil {
		return err
	}
	var sites []render.Site
	for i, o := range all {
		sites = append(sites, render.Site{Name: siteName(targets, i), Report: o.Report})
	}
	write := render.Sites
	if l.Options.Format == "markdown" {
		write = render.SitesMarkdown
	}
	err := write(l.Env.Stdout, sites, l.Options.Render)
	if err == nil && (l.Options.Render.Full || l.Plan.Show != render.Status && l.Plan.Show != render.Deadlock) {
		err = l.writeEach(targets, all)
	}
	if err := shell.UnlessReaderLeft(err); err != nil {
		return err
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)} // also if the reader has left
}

// writeEach prints the report of each JVM that has one.
func (l printer) writeEach(targets []session.Target, all []session.Outcome) error {
	for i, o := range all {
		if o.Err != nil {
			continue
		}
		if _, err := l.Env.Stdout.Write([]byte("\n")); err != nil {
			return err
		}
		o.Report.Target.File = targets[i].Place
		if err := l.write(targets[i], o); err != nil {
			return err
		}
	}
	return nil
}

// siteName is the place, with the pid if the place has several JVMs.
func siteName(targets []session.Target, i int) string {
	t := targets[i]
	others := func(o session.Target) bool { return o.Place == t.Place && o.Pid() != t.Pid() }
	if slices.ContainsFunc(targets, others) && t.Recorded != nil {
		return fmt.Sprintf("%s pid %d", t.Place, t.Pid())
	}
	return t.Place
}
