package places

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/outfile"
	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/remote"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// Fetched is a recording from a place.
type Fetched struct {
	Place     remote.Place
	Recording *recording.Recording
	Ended     remote.Ended
	Err       error
}

// recordWords are the words of jstall record there that take what this command takes here.
func recordWords(c *cli.Context, words []string) []string {
	out := []string{"record", "--dumps-only", "-o", "-",
		fmt.Sprintf("--count=%d", c.Int("count")), fmt.Sprintf("--interval=%s", c.Duration("interval")),
		fmt.Sprintf("--timeout=%s", c.Duration("timeout")), fmt.Sprintf("--max-pause=%s", c.Duration("max-pause")),
		"--via=" + c.String("via"), "--locks=" + c.String("locks"), "--virtual=" + c.String("virtual")}
	if c.Bool(shell.AttachAnyway) {
		out = append(out, "--"+shell.AttachAnyway)
	}
	return append(append(out, "--"), OrAll(words)...)
}

// OrAll are the words, or all JVMs: a container usually has one. On a machine they must be named.
func OrAll(words []string) []string {
	if len(words) == 0 {
		return []string{"all"}
	}
	return words
}

// targets fetches recordings from all places at once; each JVM in them is a target, and each place that gave none is
// one with its error.
func (e *Elsewhere) targets(c *cli.Context, env *shell.Env, words []string) ([]session.Target, error) {
	copies, err := e.copies(c)
	if err != nil {
		return nil, err
	}
	defer AbortAll(copies)
	taking := recordWords(c, words)
	var targets []session.Target
	for i, f := range Visit(c.Context, env, e, func(ctx context.Context, p remote.Place) Fetched {
		return e.fetch(ctx, p, taking, copies[p.Word])
	}) {
		if err := c.Err(); err != nil {
			return nil, err
		}
		targets = append(targets, f.targets(env, OrAll(words))...)
		if f.Ended.Unkept != "" {
			env.Complain(fmt.Sprintf("%s: the binary could not be kept in %s", e.Places[i].Word, f.Ended.Unkept), "")
		}
	}
	return targets, nil
}

// fetch takes a recording at a place. It is written to a file too as it comes, unless that is nil.
func (e *Elsewhere) fetch(ctx context.Context, p remote.Place, words []string, kept *PlaceFile) Fetched {
	f := Fetched{Place: p}
	from, to := io.Pipe()
	opened := make(chan error, 1)
	go func() {
		err := shell.Caught(func() (err error) {
			f.Recording, err = recording.OpenFrom(from, "its recording")
			return err
		})
		_ = from.CloseWithError(err) // what else comes is dropped
		opened <- err
	}()
	job := e.Job(p, words)
	sent := &shell.Counter{W: to}
	job.Out = sent
	if kept != nil {
		job.Out = io.MultiWriter(kept, sent)
	}
	ended, err := job.Run(ctx)
	f.Ended = ended
	_ = to.CloseWithError(io.EOF)
	unread := <-opened
	switch {
	case unread == nil: // it is whole, whatever else happened
		f.Err = kept.Keep()
	case sent.N == 0 && (err == nil || !isFailure(err)):
		f.Err = f.Refused()
	case err != nil && isFailure(err):
		f.Err = PlaceError(err)
	default:
		f.Err = shell.NoResult("", "%v", unread)
	}
	return f
}

func isFailure(err error) bool { _, ok := errors.AsType[*remote.Failure](err); return ok }

// Refused is why jstall there recorded nothing.
func (f Fetched) Refused() error {
	complaints, rest := ComplaintsIn(f.Ended.Errors)
	switch {
	case len(complaints) > 0:
		return shell.NoResult(complaints[0].Hint, "%s", complaints[0].Message)
	case len(rest) > 0:
		return shell.NoResult("", "%s", rest[len(rest)-1])
	}
	return shell.NoResult("", "jstall there ended with exit code %d and said nothing", f.Ended.Code)
}

// targets are the JVMs of the recording. What jstall there says of other targets is printed.
func (f Fetched) targets(env *shell.Env, words []string) []session.Target {
	if f.Err != nil {
		return []session.Target{{Word: strings.Join(words, " "), Place: f.Place.Word, Err: f.Err}}
	}
	var out []session.Target
	for _, j := range f.Recording.Manifest.JVMs {
		out = append(out, session.Target{Files: []string{f.Place.Word}, Place: f.Place.Word,
			Recorded: &session.Replay{Recording: f.Recording, JVM: j}})
	}
	complaints, rest := ComplaintsIn(f.Ended.Errors)
	if slices.Contains(env.Args, "-v") || slices.Contains(env.Args, "--verbose") {
		for _, text := range rest {
			env.Say("%s: %s\n", render.Escape(f.Place.Word), render.Escape(text))
		}
	}
	for _, said := range complaints {
		if !f.isOf(said) {
			env.Complain(f.Place.Word+": "+said.Message, said.Hint)
		}
	}
	return out
}

// isOf reports a complaint about a JVM of the recording, which its report repeats.
func (f Fetched) isOf(said complaint) bool {
	for _, j := range f.Recording.Manifest.JVMs {
		if strings.HasPrefix(said.Message, fmt.Sprintf("%d (", j.Target.PID)) {
			return true
		}
	}
	return false
}

// PlaceFile is a file on its way, of what comes from one place. A nil one keeps nothing.
type PlaceFile struct {
	*outfile.File
	Path string
}

// Keep puts the file in its place.
func (f *PlaceFile) Keep() error {
	if f == nil {
		return nil
	}
	if err := f.Commit(); err != nil {
		return shell.Unwritable(err)
	}
	return nil
}

// AbortAll removes what is not whole.
func AbortAll(files map[string]*PlaceFile) {
	for _, file := range files {
		file.Abort()
	}
}

// copies are the files of --keep, by place.
func (e *Elsewhere) copies(c *cli.Context) (map[string]*PlaceFile, error) {
	if c.String("keep") == "" {
		return nil, nil
	}
	if c.String("keep") == shell.Standard {
		return nil, shell.Usage("--keep FILE.zip", "--keep needs a file: standard output has the report")
	}
	return e.Files(c.String("keep"), c.Bool("force"))
}

// Files begins a file for each place: of several places each has its name in it.
func (e *Elsewhere) Files(path string, force bool) (map[string]*PlaceFile, error) {
	out := map[string]*PlaceFile{}
	for i, p := range e.Places {
		named := path
		if len(e.Places) > 1 {
			named = namedFor(path, p, i)
		}
		file, err := outfile.Create(named, force)
		if err != nil {
			return nil, shell.Unwritable(err)
		}
		out[p.Word] = &PlaceFile{file, named}
	}
	return out, nil
}

// KeptHere is the file of --keep that is written by the capture itself: with --on the recordings are written as they
// come.
func KeptHere(c *cli.Context) string {
	if len(c.StringSlice("on")) > 0 {
		return ""
	}
	return c.String("keep")
}
