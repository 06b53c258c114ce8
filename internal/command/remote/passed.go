// Package remote runs commands at the places of --on: it passes their output on, or saves their recordings here.
package remote

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/outfile"
	"github.com/jstall/jstall/internal/remote"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session/places"
	"github.com/jstall/jstall/internal/shell"
)

// passed is the output of a command at a place.
type passed struct {
	out   *os.File // from its beginning, nil without output
	ended remote.Ended
	err   error
}

// Pass runs the command at each place and passes its output on, in the order of the places.
func Pass(c *cli.Context, env *shell.Env, e *places.Elsewhere) error {
	words := typedThere(c)
	var codes []int
	for i, r := range places.Visit(c.Context, env, e, func(ctx context.Context, p remote.Place) passed {
		return runThere(ctx, e, p, words)
	}) {
		if c.Err() != nil {
			return c.Err()
		}
		code, err := show(c, env, e.Places[i], r, len(e.Places) > 1)
		if err := shell.UnlessReaderLeft(err); err != nil {
			return err
		}
		codes = append(codes, code)
	}
	if slices.Contains(codes, shell.ExitUsage) {
		return &shell.ExitError{Code: shell.ExitUsage}
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

// typedThere is the command line without the flags for this side. For commands that need a target the default is all
// JVMs.
func typedThere(c *cli.Context, ours ...string) []string {
	for _, f := range shell.OnFlags() {
		ours = append(ours, f.Names()...)
	}
	out := []string{c.Command.Name}
	for _, f := range c.Command.Flags {
		if name := f.Names()[0]; c.IsSet(name) && !slices.Contains(ours, name) {
			out = append(out, setThere(c, name)...)
		}
	}
	words := c.Args().Slice()
	switch c.Command.Name {
	case "list", "jcmd", "classes", "methods", "processes":
	default:
		words = places.OrAll(words)
	}
	return append(append(out, "--"), words...)
}

// setThere returns the words that set a flag at the place as it is set here.
func setThere(c *cli.Context, name string) (words []string) {
	switch value := c.Value(name).(type) {
	case bool:
		if value {
			return []string{shell.Dashed(name)}
		}
	case cli.StringSlice:
		for _, word := range value.Value() {
			words = append(words, shell.Dashed(name)+"="+word)
		}
		return words
	}
	return []string{fmt.Sprintf("%s=%v", shell.Dashed(name), c.Value(name))}
}

// runThere runs the command and keeps its output in an unnamed file, as an answer may be of any length.
func runThere(ctx context.Context, e *places.Elsewhere, p remote.Place, words []string) (r passed) {
	if r.out, r.err = outfile.Scratch(os.TempDir()); r.err != nil {
		return r
	}
	out := bufio.NewWriter(&places.Bound{W: r.out, Left: places.MostPassed})
	job := e.Job(p, words)
	job.Out = out
	r.ended, r.err = job.Run(ctx)
	if r.err == nil {
		r.err = out.Flush()
	}
	if _, err := r.out.Seek(0, io.SeekStart); r.err == nil {
		r.err = err
	}
	return r
}

// show prints the output from a place, and returns its exit code.
func show(c *cli.Context, env *shell.Env, p remote.Place, r passed, several bool) (code int, err error) {
	if r.out != nil {
		defer func() { _ = r.out.Close() }()
	}
	if r.err != nil {
		places.PrintFailure(env, p, places.PlaceError(r.err))
		return shell.ExitNothing, nil
	}
	complaints, rest := places.ComplaintsIn(r.ended.Errors)
	for _, said := range complaints {
		env.Complain(p.Word+": "+said.Message, said.Hint)
	}
	for _, text := range rest {
		env.Say("%s: %s\n", render.Escape(p.Word), render.Escape(text))
	}
	return places.CodeThere(r.ended.Code), copyOut(c, env, p, r.out, several)
}

// copyOut prints the output of a place. It adds the place to each document of JSON. Other output is printed after a
// line that names the place, if there are several. Text that could change a terminal is escaped.
func copyOut(c *cli.Context, env *shell.Env, p remote.Place, out io.Reader, several bool) error {
	in := bufio.NewReader(out)
	if _, err := in.Peek(1); err != nil {
		return nil // it has printed nothing
	}
	json := c.Bool("json") || c.String("format") == "json"
	if several && !json {
		if _, err := fmt.Fprintf(env.Stdout, "==> %s <==\n", render.Escape(p.Word)); err != nil {
			return err
		}
	}
	if !json && env.OutWidth == 0 {
		_, err := io.Copy(env.Stdout, in)
		return err
	}
	for {
		line, err := in.ReadString('\n')
		if rest, document := strings.CutPrefix(line, "{"); json && document {
			line = `{"place":` + strconv.Quote(p.Word) + "," + rest
		} else if !json {
			line = render.EscapeLine(line)
		}
		if _, failed := io.WriteString(env.Stdout, line); failed != nil {
			return failed
		}
		if err != nil {
			return nil
		}
	}
}
