package flame

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jstall/jstall/flame"
	"github.com/jstall/jstall/flame/page"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// deliver shows or writes the profile.
func deliver(ctx context.Context, env *shell.Env, g gathered, o flameOptions) error {
	index, err := flame.WeightIndex(g.profile, o.weight)
	if err != nil {
		return shell.Usage("--weight "+g.profile.SampleType[0].Type, "%v", err)
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
	if o.output.Path == "-" {
		out, flush := env.Harmless()
		if err := errors.Join(content(out), flush()); err != nil {
			return err
		}
		return flameSummary(env.Stderr, g)
	}
	if err := o.output.Write(content); err != nil {
		return err
	}
	_, _ = fmt.Fprintf(env.Stdout, "%s written\n", render.Escape(o.output.Path))
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

// flameSummary prints the comments and notes of a profile.
func flameSummary(w io.Writer, g gathered) error {
	for _, note := range append(append([]string{}, g.profile.Comments...), g.notes...) {
		if _, err := fmt.Fprintln(w, render.Escape(note)); err != nil {
			return err
		}
	}
	return nil
}
