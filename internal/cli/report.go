package cli

import (
	"context"
	"fmt"
	"io"

	"github.com/google/pprof/profile"
	"github.com/urfave/cli/v2"

	"jstall/analysis"
	"jstall/flame"
	"jstall/internal/capture"
	"jstall/internal/htmlreport"
	"jstall/internal/outfile"
	"jstall/internal/render"
)

func reportCommand(env *Env) *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "write a status report as one HTML page, with the dumps that its claims link to",
		ArgsUsage: "TARGET",
		Description: `The page has the verdict and the findings, the states of all threads over time, who
waits for whom, a flame graph of the same look, all threads, and the dumps: each
claim links to the line that shows it. It needs no network and loads nothing. Of
dumps over 2 MB together it holds the threads that the claims quote.

Examples:
   jstall report 4711 -o report.html
   jstall report 4711 -o report.html --count 20 --interval 500ms
   jstall report dump1.txt dump2.txt -o report.html --force
   jstall report -f night.zip orders -o report.html --redact`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "o", Aliases: []string{"output"}, Usage: "write to `FILE`.html"},
			&cli.BoolFlag{Name: "force", Usage: "replace the file if it is there"},
			&cli.StringFlag{Name: "fail-on", Usage: "exit with 3 if a finding is at least `critical|warning`"},
			&cli.StringFlag{Name: "f", Aliases: []string{"file"}, Usage: "choose the target among the JVMs of the recording `FILE`.zip"},
		}, takeFlags(3)...),
		Action: func(c *cli.Context) error { return writeReport(c, env) },
	}
}

func writeReport(c *cli.Context, env *Env) error {
	options := readTakeOptions(c)
	options.failOn = analysis.Severity(c.String("fail-on"))
	if err := options.check(c); err != nil {
		return err
	}
	path := c.String("o")
	if path == "" {
		return usage("jstall report TARGET -o report.html", "name the file to be written")
	}
	targets, err := resolveFor(c, env, options.timeout)
	if err != nil {
		return err
	}
	if len(targets) != 1 {
		return usage("jstall list shows them; of a recording: -f FILE.zip PID", "a page is of one JVM, these are %d targets", len(targets))
	}
	if err := outfile.Free(path, c.Bool("force")); err != nil {
		return unwritable(err)
	}
	l, err := newLooker(c, env, options, targets, "")
	if err != nil {
		return err
	}
	l.texts = &capture.Texts{}
	o := l.look(c.Context, targets[0])
	l.progress.clear()
	return l.deliverPage(c.Context, targets[0], o, pageFile{path, c.Bool("force")})
}

// pageFile is where a page goes.
type pageFile struct {
	path  string
	force bool
}

// deliverPage writes the page, and the verdict to standard output.
func (l *looker) deliverPage(ctx context.Context, t target, o outcome, to pageFile) error {
	if o.err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		printFailure(l.env.Stderr, t, o.err)
		if o.code == exitNothing {
			return &exitError{code: o.code}
		}
	}
	if err := putFile(to.path, to.force, func(w io.Writer) error { return htmlreport.Write(w, l.page(o)) }); err != nil {
		return unwritable(err)
	}
	v := o.report.Verdict
	_, err := fmt.Fprintf(l.env.Stdout, "%s: %s\n", render.Escape(to.path), render.Escape(v.Summary))
	if err != nil {
		return err
	}
	return &exitError{code: o.code}
}

// page is all that is known of a look.
func (l *looker) page(o outcome) htmlreport.Page {
	p := htmlreport.Page{Report: o.report, Tool: "jstall " + l.env.Version}
	if o.series == nil {
		return p
	}
	p.Strips, p.Profile = o.series.Strips(), profileOf(o.series)
	for _, text := range l.texts.Dumps() {
		p.Dumps = append(p.Dumps, htmlreport.Dump(text))
	}
	return p
}

// profileOf is the flame graph's data, nil of a series without stacks.
func profileOf(s *analysis.Series) *profile.Profile {
	b := flame.NewBuilder(flame.Options{})
	s.Looks(b.Add)
	if b.Looks() == 0 {
		return nil
	}
	return b.Profile()
}
