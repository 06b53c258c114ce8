package diagnose

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/google/pprof/profile"
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/internal/htmlreport"
	"github.com/jstall/jstall/internal/outfile"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/session/places"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/observe"
)

// Report is the command report.
func Report(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "report", Usage: "write a status report as one HTML page, with the dumps that its claims link to",
		ArgsUsage: "TARGET…",
		Description: `The page has the verdict and findings, the states of all threads over time, who waits
for whom, a flame graph, all threads, and the dumps. Each claim links to the line of the
dump that proves it. The page loads nothing from the network. If the dumps exceed 2 MB
together, the page has only the threads that claims quote. Several JVMs get one page
each, with the pid in the name: report-4711.html.

Examples:
   jstall report 4711                       jstall-report-4711-TIME.html in this folder
   jstall report 4711 -o report.html --count 20 --interval 500ms
   jstall report dump1.txt dump2.txt -o report.html --force
   jstall report all -o report.html
   jstall report -f night.zip orders -o report.html --redact`,
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "o", Aliases: []string{"output"},
				Usage: "write to `FILE`.html; - is standard output", DefaultText: "jstall-report-PID-TIME.html"},
			&cli.StringFlag{Name: "fail-on", Usage: "exit with code 3 if a finding has this severity or a higher one"},
			shell.RecordingFlag(),
			shell.HistoryFlag(),
		}, shell.TakeFlags(3)...),
		Action: func(c *cli.Context) error { return writeReport(c, env) },
	}
}

func writeReport(c *cli.Context, env *shell.Env) error {
	options := shell.ReadTakeOptions(c)
	options.FailOn = finding.Severity(c.String("fail-on"))
	if err := options.Check(c); err != nil {
		return err
	}
	targets, err := places.Resolve(c, env, options.Timeout)
	if err != nil {
		return err
	}
	path := c.String("o")
	var exempt []string
	if path != "" {
		exempt = []string{"force"} // replaces the page
	}
	if err := shell.RefuseUnused(c, session.AllSaved(targets), exempt...); err != nil {
		return err
	}
	if path == "" {
		path = usualPage(targets, time.Now())
	}
	if path == shell.Standard && len(targets) > 1 {
		return shell.Usage("jstall report all -o report.html",
			"standard output takes one page, and there are %d targets", len(targets))
	}
	files := pageFiles(path, c.Bool("force"), targets)
	for _, f := range files {
		if err := f.check(); err != nil {
			return err
		}
	}
	if path == shell.Standard {
		env = env.MessagesToStderr()
	}
	s, err := session.ReadSetup(c, session.Setup{Plan: session.Plan{Show: render.Status}, Options: options})
	if err != nil {
		return err
	}
	taker, err := session.NewCapturer(env, s, targets)
	if err != nil {
		return err
	}
	defer session.Finishing(c.Context, targets)()
	return pager{taker}.writePages(c.Context, targets, files)
}

// usualPage is the default name of a page, with the pid or the file's name, and the time.
func usualPage(targets []session.Target, now time.Time) string {
	name := "jstall-report-"
	if len(targets) == 1 {
		switch t := targets[0]; {
		case t.Pid() != 0:
			name += strconv.Itoa(t.Pid()) + "-"
		case len(t.Files) > 0 && t.Files[0] != shell.Standard:
			base, _, _ := strings.Cut(strings.TrimLeft(filepath.Base(t.Files[0]), "."), ".")
			name += base + "-"
		}
	}
	return name + now.Format("20060102T150405") + ".html"
}

// pageFile is the file of a page.
type pageFile struct {
	path  string
	force bool
}

func (f pageFile) name() string {
	if f.path == shell.Standard {
		return "standard output"
	}
	return f.path
}

// check checks, before the work, whether the page can be written after it.
func (f pageFile) check() error {
	if f.path == shell.Standard {
		return nil
	}
	if err := outfile.Free(f.path, f.force); err != nil {
		return shell.Unwritable(err)
	}
	return nil
}

// pageFiles returns the pages of the targets. With several targets each page has its pid in its name, or its position
// if the pid is not unique.
func pageFiles(path string, force bool, targets []session.Target) []pageFile {
	if len(targets) == 1 {
		return []pageFile{{path, force}}
	}
	end := filepath.Ext(path)
	taken := map[string]bool{}
	var files []pageFile
	for i, t := range targets {
		of := fmt.Sprintf("file%d", i+1)
		if pid := t.Pid(); pid != 0 {
			of = strconv.Itoa(pid)
		}
		if t.Place != "" { // in containers many have the pid 1
			of = shell.WordInName(t.Place) + "-" + of
		}
		if taken[of] {
			of += fmt.Sprintf("-%d", i+1)
		}
		taken[of] = true
		files = append(files, pageFile{strings.TrimSuffix(path, end) + "-" + of + end, force})
	}
	return files
}

// pager writes pages of captures.
type pager struct{ *session.Capturer }

// paging is a target and the file of its page.
type paging struct {
	session.Target
	to pageFile
}

// paged is the result for a target and its page.
type paged struct {
	session.Outcome
	unwritten error
}

// writePages captures all targets at once and reports each page in the order of the targets.
func (l pager) writePages(ctx context.Context, targets []session.Target, files []pageFile) error {
	pagings := make([]paging, len(targets))
	for i, t := range targets {
		pagings[i] = paging{t, files[i]}
	}
	unpaged := func(p paging, err error) paged { return paged{Outcome: session.Failed(p.Target, err)} }
	var codes []int
	var interrupted error
	for i, ch := range session.Start(ctx, pagings, l.writePage, unpaged) {
		p := <-ch
		l.Progress.Clear()
		if p.Err != nil && ctx.Err() != nil {
			interrupted = ctx.Err()
			continue
		}
		code, err := l.reportPage(targets[i], p, files[i])
		if err != nil {
			return err
		}
		codes = append(codes, code)
	}
	if interrupted != nil {
		return interrupted
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

// writePage captures one target and writes its page.
func (l pager) writePage(ctx context.Context, p paging) paged {
	taker := *l.Capturer
	taker.Texts = &observe.Texts{}
	o := taker.Capture(ctx, p.Target)
	return paged{o, pager{&taker}.putPage(o, p.to)}
}

// putPage writes the page, unless there is nothing to show.
func (l pager) putPage(o session.Outcome, to pageFile) error {
	if o.Err != nil && o.Code == shell.ExitNothing {
		return nil
	}
	if to.path == shell.Standard {
		return shell.UnlessReaderLeft(htmlreport.Write(l.Env.Piped, l.page(o)))
	}
	err := shell.PutFile(to.path, to.force, func(w io.Writer) error { return htmlreport.Write(w, l.page(o)) })
	if err != nil {
		return shell.Unwritable(err)
	}
	return nil
}

// reportPage prints on standard output what a page shows, or on standard error why there is no page.
func (l pager) reportPage(t session.Target, p paged, to pageFile) (code int, err error) {
	if p.Err != nil {
		session.PrintFailure(l.Env, t, p.Err)
		if p.Code == shell.ExitNothing {
			return shell.ExitNothing, nil
		}
	}
	if p.unwritten != nil {
		f := shell.Failure(p.unwritten)
		l.Env.Complain(f.Message, f.Remedy)
		return shell.ExitNothing, nil
	}
	_, err = fmt.Fprintf(l.Env.Stdout, "%s: %s\n", render.Escape(to.name()), render.Escape(p.Report.Verdict.Summary))
	return p.Code, shell.UnlessReaderLeft(err)
}

// page has all that is known of a capture.
func (l pager) page(o session.Outcome) htmlreport.Page {
	p := htmlreport.Page{Report: o.Report, Tool: "jstall " + l.Env.Version}
	if o.Series == nil {
		return p
	}
	p.Strips = analysis.SeriesStrips(o.Series)
	p.Profile, p.Timeline = profileOf(o.Series)
	for _, text := range l.Texts.Dumps() {
		p.Dumps = append(p.Dumps, htmlreport.Dump(text))
	}
	return p
}

// profileOf is the data of the flame graph, nil for a series without stacks.
func profileOf(s *timeline.Series) (*profile.Profile, *flame.Timeline) {
	times := &flame.Timeline{}
	b := flame.NewBuilder(flame.Options{Timeline: times})
	s.Deltas(b.Add)
	if b.Samples() == 0 {
		return nil, nil
	}
	return b.Profile(), times
}
