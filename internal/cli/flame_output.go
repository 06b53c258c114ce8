package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/pprof/profile"
	"github.com/urfave/cli/v2"

	"jstall/flame"
	"jstall/flame/page"
	"jstall/internal/render"
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
		return o, usage("-o - --as collapsed", "--as must say what is to be written to standard output")
	case o.path != "":
		o.format = formatOf(o.path)
	}
	if o.format == "" {
		return o, usage("--as html, pprof, collapsed, speedscope or json",
			"the name %q does not tell what format to write", firstOf(as, o.path))
	}
	return o, nil
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
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
	if o.path == "" || o.path == "-" || o.special() {
		return nil
	}
	if err := o.vacant(); err != nil {
		return err
	}
	file, err := o.create()
	if err != nil {
		return err
	}
	file.Close()
	return os.Remove(file.Name())
}

// vacant tells that no file would be overwritten that should stay.
func (o flameOutput) vacant() error {
	info, err := os.Lstat(o.path)
	switch {
	case err == nil && info.IsDir():
		return nothing("", "%s is a directory", o.path)
	case err == nil && !o.force:
		return nothing("--force overwrites it", "%s exists already", o.path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nothing("", "cannot write %s: %v", o.path, bareError(err))
	}
	return nil
}

// special tells devices and pipes, which are written to and not replaced.
func (o flameOutput) special() bool {
	info, err := os.Stat(o.path)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir()
}

// create makes the file that becomes the output's when it is whole.
func (o flameOutput) create() (*os.File, error) {
	name := filepath.Join(filepath.Dir(o.path), fmt.Sprintf(".jstall-flame-%x.tmp", rand.Uint64()))
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, nothing("", "cannot write %s: %v", o.path, bareError(err))
	}
	return file, nil
}

func bareError(err error) error {
	if e, ok := errAs[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errAs[*os.LinkError](err); ok {
		return e.Err
	}
	return err
}

// write writes the output: whole, or not at all.
func (o flameOutput) write(content func(io.Writer) error) error {
	if o.special() {
		return o.writeSpecial(content)
	}
	if err := o.vacant(); err != nil {
		return err
	}
	file, err := o.create()
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if err := o.fill(file, content); err != nil {
		return nothing("", "cannot write %s: %v", o.path, bareError(err))
	}
	return o.publish(file.Name())
}

func (o flameOutput) fill(file *os.File, content func(io.Writer) error) error {
	out := bufio.NewWriter(file)
	err := content(out)
	if err == nil {
		err = out.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// publish gives the finished file its name. Without --force a file that appeared
// meanwhile stays: a link, other than a rename, replaces nothing.
func (o flameOutput) publish(finished string) error {
	if !o.force {
		err := os.Link(finished, o.path)
		if err == nil {
			return nil
		}
		if errors.Is(err, fs.ErrExist) {
			return nothing("--force overwrites it", "%s exists already", o.path)
		}
	}
	if err := os.Rename(finished, o.path); err != nil { // also for file systems without links
		return nothing("", "cannot write %s: %v", o.path, bareError(err))
	}
	return nil
}

func (o flameOutput) writeSpecial(content func(io.Writer) error) error {
	file, err := os.OpenFile(o.path, os.O_WRONLY, 0)
	if err != nil {
		return nothing("", "cannot write %s: %v", o.path, bareError(err))
	}
	out := bufio.NewWriter(file)
	err = content(out)
	if err == nil {
		err = out.Flush()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return nothing("", "cannot write %s: %v", o.path, bareError(err))
	}
	return nil
}

// deliver shows or writes the profile.
func deliver(ctx context.Context, env *Env, g gathered, o flameOptions) error {
	index, err := flame.WeightIndex(g.profile, o.weight)
	if err != nil {
		return usage("--weight "+g.profile.SampleType[0].Type, "%v", err)
	}
	if o.http != "" {
		return serve(ctx, env, g, o.http)
	}
	if o.output.format == asTable {
		return flameTable(env, g, o, index)
	}
	if o.byThread && o.output.format != asHTML { // the page can show both
		flame.ByThread(g.profile)
	}
	content := func(w io.Writer) error { return writeProfile(w, g.profile, o.output.format, index) }
	if o.output.path == "-" {
		if err := content(env.Stdout); err != nil {
			return err
		}
		return flameSummary(env.Stderr, g)
	}
	if err := o.output.write(content); err != nil {
		return err
	}
	fmt.Fprintf(env.Stdout, "%s written\n", render.Escape(o.output.path))
	return flameSummary(env.Stdout, g)
}

func writeProfile(w io.Writer, p *profile.Profile, format string, index int) error {
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
		return page.Write(w, p, page.Options{Weight: p.SampleType[index].Type})
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
