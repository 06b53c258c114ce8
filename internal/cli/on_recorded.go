package cli

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

// fetched is a recording from a place.
type fetched struct {
	place     remote.Place
	recording *recording.Recording
	ended     remote.Ended
	err       error
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
	return append(append(out, "--"), orAll(words)...)
}

// orAll are the words, or all JVMs: a container usually has one. On a machine they must be named.
func orAll(words []string) []string {
	if len(words) == 0 {
		return []string{"all"}
	}
	return words
}

// targets fetches recordings from all places at once; each JVM in them is a target, and each place that gave none is
// one with its error. wrong is why the flags cannot be read, nil if they can.
func (e *elsewhere) targets(c *cli.Context, env *shell.Env, words []string, wrong error) ([]session.Target, error) {
	if wrong != nil {
		return nil, wrong
	}
	copies, err := e.copies(c)
	if err != nil {
		return nil, err
	}
	defer abortAll(copies)
	taking := recordWords(c, words)
	var targets []session.Target
	for i, f := range visit(c.Context, env, e, func(ctx context.Context, p remote.Place) fetched {
		return e.fetch(ctx, p, taking, copies[p.Word])
	}) {
		if err := c.Err(); err != nil {
			return nil, err
		}
		targets = append(targets, f.targets(env, orAll(words))...)
		if f.ended.Unkept != "" {
			env.Complain(fmt.Sprintf("%s: the binary could not be kept in %s", e.places[i].Word, f.ended.Unkept), "")
		}
	}
	return targets, nil
}

// fetch takes a recording at a place. It is written to a file too as it comes, unless that is nil.
func (e *elsewhere) fetch(ctx context.Context, p remote.Place, words []string, kept *placeFile) fetched {
	f := fetched{place: p}
	from, to := io.Pipe()
	opened := make(chan error, 1)
	go func() {
		err := shell.Caught(func() (err error) {
			f.recording, err = recording.OpenFrom(from, "its recording")
			return err
		})
		_ = from.CloseWithError(err) // what else comes is dropped
		opened <- err
	}()
	job := e.job(p, words)
	sent := &shell.Counter{W: to}
	job.Out = sent
	if kept != nil {
		job.Out = io.MultiWriter(kept, sent)
	}
	ended, err := job.Run(ctx)
	f.ended = ended
	_ = to.CloseWithError(io.EOF)
	unread := <-opened
	switch {
	case unread == nil: // it is whole, whatever else happened
		f.err = kept.keep()
	case sent.N == 0 && (err == nil || !isFailure(err)):
		f.err = f.refused()
	case err != nil && isFailure(err):
		f.err = placeError(err)
	default:
		f.err = shell.NoResult("", "%v", unread)
	}
	return f
}

func isFailure(err error) bool { _, ok := errors.AsType[*remote.Failure](err); return ok }

// refused is why jstall there recorded nothing.
func (f fetched) refused() error {
	complaints, rest := complaintsIn(f.ended.Errors)
	switch {
	case len(complaints) > 0:
		return shell.NoResult(complaints[0].hint, "%s", complaints[0].message)
	case len(rest) > 0:
		return shell.NoResult("", "%s", rest[len(rest)-1])
	}
	return shell.NoResult("", "jstall there ended with exit code %d and said nothing", f.ended.Code)
}

// targets are the JVMs of the recording. What jstall there says of other targets is printed.
func (f fetched) targets(env *shell.Env, words []string) []session.Target {
	if f.err != nil {
		return []session.Target{{Word: strings.Join(words, " "), Place: f.place.Word, Err: f.err}}
	}
	var out []session.Target
	for _, j := range f.recording.Manifest.JVMs {
		out = append(out, session.Target{Files: []string{f.place.Word}, Place: f.place.Word,
			Recorded: &session.Replay{Recording: f.recording, JVM: j}})
	}
	complaints, rest := complaintsIn(f.ended.Errors)
	if slices.Contains(env.Args, "-v") || slices.Contains(env.Args, "--verbose") {
		for _, text := range rest {
			env.Say("%s: %s\n", render.Escape(f.place.Word), render.Escape(text))
		}
	}
	for _, said := range complaints {
		if !f.isOf(said) {
			env.Complain(f.place.Word+": "+said.message, said.hint)
		}
	}
	return out
}

// isOf reports a complaint about a JVM of the recording, which its report repeats.
func (f fetched) isOf(said complaint) bool {
	for _, j := range f.recording.Manifest.JVMs {
		if strings.HasPrefix(said.message, fmt.Sprintf("%d (", j.Target.PID)) {
			return true
		}
	}
	return false
}

// placeFile is a file on its way, of what comes from one place. A nil one keeps nothing.
type placeFile struct {
	*outfile.File
	path string
}

// keep puts the file in its place.
func (f *placeFile) keep() error {
	if f == nil {
		return nil
	}
	if err := f.Commit(); err != nil {
		return shell.Unwritable(err)
	}
	return nil
}

// abortAll removes what is not whole.
func abortAll(files map[string]*placeFile) {
	for _, file := range files {
		file.Abort()
	}
}

// copies are the files of --keep, by place.
func (e *elsewhere) copies(c *cli.Context) (map[string]*placeFile, error) {
	if c.String("keep") == "" {
		return nil, nil
	}
	if c.String("keep") == shell.Standard {
		return nil, shell.Usage("--keep FILE.zip", "--keep needs a file: standard output has the report")
	}
	return e.files(c.String("keep"), c.Bool("force"))
}

// files begins a file for each place: of several places each has its name in it.
func (e *elsewhere) files(path string, force bool) (map[string]*placeFile, error) {
	out := map[string]*placeFile{}
	for i, p := range e.places {
		named := path
		if len(e.places) > 1 {
			named = namedFor(path, p, i)
		}
		file, err := outfile.Create(named, force)
		if err != nil {
			return nil, shell.Unwritable(err)
		}
		out[p.Word] = &placeFile{file, named}
	}
	return out, nil
}

// keptHere is the file of --keep that is written by the capture itself: with --on the recordings are written as they
// come.
func keptHere(c *cli.Context) string {
	if len(c.StringSlice("on")) > 0 {
		return ""
	}
	return c.String("keep")
}
