package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/flame/page"
	"github.com/jstall/jstall/internal/outfile"
	"github.com/jstall/jstall/internal/render"
)

// The formats of a profile.
const (
	asTable      = "table"
	asPprof      = "pprof"
	asCollapsed  = "collapsed"
	asSpeedscope = "speedscope"
	asTree       = "json"
	asHTML       = "html"
)

// flameFormats tell a format by the end of a file's name; the longer ends first.
var flameFormats = []struct{ end, format string }{
	{".speedscope.json", asSpeedscope}, {".speedscope", asSpeedscope},
	{".html", asHTML}, {".htm", asHTML}, {".pb.gz", asPprof}, {".pprof", asPprof},
	{".collapsed", asCollapsed}, {".folded", asCollapsed}, {".json", asTree},
}

// flameOutput is where a profile goes, and as what.
type flameOutput struct {
	// path is a file, "-" for standard output, or empty: then the format is asTable
	// or --as was given.
	path   string
	format string
	force  bool
}

func readOutput(c *cli.Context) (flameOutput, error) {
	o := flameOutput{path: c.String("output"), format: asTable, force: c.Bool("force")}
	if c.IsSet("output") && o.path == "" {
		return o, usage("-o out.pb.gz", "-o needs a file name")
	}
	as := c.String("as")
	switch {
	case as != "":
		o.format = formatOf("." + strings.TrimPrefix(as, "."))
		if o.path == "" {
			o.path = "-"
		}
	case o.path == "-":
		return o, usage("-o - --as collapsed", "standard output needs a format: --as")
	case o.path != "":
		o.format = formatOf(o.path)
	}
	switch {
	case o.format != "":
		return o, nil
	case as != "":
		return o, usage("--as html", "--as is html, pprof, collapsed, speedscope or json, not %q", as)
	}
	return o, usage("--as html, pprof, collapsed, speedscope or json", "the file name %q has no known extension",
		o.path)
}

func formatOf(name string) string {
	for _, f := range flameFormats {
		if strings.HasSuffix(strings.ToLower(name), f.end) {
			return f.format
		}
	}
	return ""
}

// check finds out, before the work, whether the file could be written after it.
func (o flameOutput) check() error {
	if o.path == "" || o.path == "-" || isSpecial(o.path) {
		return nil
	}
	file, err := outfile.Create(o.path, o.force)
	if err != nil {
		return unwritable(err)
	}
	file.Abort()
	return nil
}

// isSpecial tells devices and pipes, which are written to and not replaced.
func isSpecial(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

func bareError(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}

// write writes the output: a file whole, or not at all.
func (o flameOutput) write(content func(io.Writer) error) error {
	put := putFile
	if isSpecial(o.path) {
		put = writeSpecial
	}
	if err := put(o.path, o.force, content); err != nil {
		return unwritable(err)
	}
	return nil
}

// putFile puts a file in its place once its content is whole.
func putFile(path string, force bool, content func(io.Writer) error) error {
	file, err := outfile.Create(path, force)
	if err != nil {
		return err
	}
	defer file.Abort()
	if err := buffered(file, content); err != nil {
		return fmt.Errorf("%s: %w", path, bareError(err))
	}
	return file.Commit()
}

func writeSpecial(path string, _ bool, content func(io.Writer) error) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = buffered(file, content)
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

func buffered(w io.Writer, content func(io.Writer) error) error {
	out := bufio.NewWriter(w)
	if err := content(out); err != nil {
		return err
	}
	return out.Flush()
}

// deliver shows or writes the profile.
func deliver(ctx context.Context, env *Env, g gathered, o flameOptions) error {
	index, err := flame.WeightIndex(g.profile, o.weight)
	if err != nil {
		return usage("--weight "+g.profile.SampleType[0].Type, "%v", err)
	}
	if o.by, err = labelOf(g.profile, o.by); err != nil {
		return err
	}
	if o.http != "" {
		return serve(ctx, env, g, o.http)
	}
	if o.method != nil {
		return methodTables(env, g, o, index)
	}
	if o.output.format == asTable {
		return flameTable(env, g, o, index)
	}
	if o.by != "" && (o.output.format != asHTML || o.by != flame.LabelThread) { // the page can group by threads itself
		flame.ByLabel(g.profile, o.by)
	}
	content := func(w io.Writer) error { return writeProfile(w, g, o.output.format, index) }
	if o.output.path == "-" {
		out, flush := env.harmless()
		if err := errors.Join(content(out), flush()); err != nil {
			return err
		}
		return flameSummary(env.Stderr, g)
	}
	if err := o.output.write(content); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(env.Stdout, "%s written\n", render.Escape(o.output.path))
	return flameSummary(env.Stdout, g)
}

func writeProfile(w io.Writer, g gathered, format string, index int) error {
	p := g.profile
	switch format {
	case asPprof:
		p.DefaultSampleType = p.SampleType[index].Type
		return p.Write(w)
	case asCollapsed:
		return flame.Collapsed(w, p, index)
	case asSpeedscope:
		return flame.Speedscope(w, p, index)
	case asTree:
		return flame.Tree(w, p, index)
	case asHTML:
		return page.Write(w, p, page.Options{Weight: p.SampleType[index].Type, Timeline: g.timeline})
	}
	return fmt.Errorf("no format %q", format)
}

// flameSummary prints what there is to say of a profile besides itself.
func flameSummary(w io.Writer, g gathered) error {
	for _, note := range append(append([]string{}, g.profile.Comments...), g.notes...) {
		if _, err := fmt.Fprintln(w, render.Escape(note)); err != nil {
			return err
		}
	}
	return nil
}
