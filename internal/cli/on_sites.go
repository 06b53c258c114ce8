package cli

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// mergesPlaces reports that several places answer, and that their answers are text: JSON has a document for each, and a
// graph is for another program.
func (l *capturer) mergesPlaces(c *cli.Context) bool {
	return len(c.StringSlice("on")) > 1 && l.options.Format != "json" && l.view.show != render.DependencyGraph
}

// writeMerged prints what the JVMs of several places have in common, then each report: of status and deadlock with
// --full only.
func (l *capturer) writeMerged(c *cli.Context, targets []target, outcomes []chan outcome) error {
	var codes []int
	var all []outcome
	for i, ch := range outcomes {
		o := <-ch
		l.progress.clear()
		if o.err != nil && c.Err() == nil {
			printFailure(l.env, targets[i], o.err)
		}
		all, codes = append(all, o), append(codes, o.code)
	}
	if err := c.Err(); err != nil {
		return err
	}
	var sites []render.Site
	for i, o := range all {
		sites = append(sites, render.Site{Name: siteName(targets, i), Report: o.report})
	}
	write := render.Sites
	if l.options.Format == "markdown" {
		write = render.SitesMarkdown
	}
	err := write(l.env.Stdout, sites, l.options.Render)
	if err == nil && (l.options.Render.Full || l.view.show != render.Status && l.view.show != render.Deadlock) {
		err = l.writeEach(targets, all)
	}
	if err := shell.UnlessReaderLeft(err); err != nil {
		return err
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)} // though nobody reads any more
}

// writeEach prints the report of each JVM that has one.
func (l *capturer) writeEach(targets []target, all []outcome) error {
	for i, o := range all {
		if o.err != nil {
			continue
		}
		if _, err := l.env.Stdout.Write([]byte("\n")); err != nil {
			return err
		}
		o.report.Target.File = targets[i].place
		if err := l.write(targets[i], o); err != nil {
			return err
		}
	}
	return nil
}

// siteName is the place, with the pid where it has several JVMs.
func siteName(targets []target, i int) string {
	t := targets[i]
	others := func(o target) bool { return o.place == t.place && o.pid() != t.pid() }
	if slices.ContainsFunc(targets, others) && t.recorded != nil {
		return fmt.Sprintf("%s pid %d", t.place, t.pid())
	}
	return t.place
}
