package flame

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/remote"
	"github.com/jstall/jstall/internal/session/places"
	"github.com/jstall/jstall/internal/shell"
)

// flameWords are the arguments of jstall flame at the place. Flags for the samples are passed on, flags for the output
// are not.
func flameWords(c *cli.Context) []string {
	out := []string{"flame", "-o", shell.Standard, "--as", asPprof}
	for _, name := range []string{"duration", "interval", "max-pause-share", "engine", "async-lib", "event", "weight",
		"thread", "timeout"} {
		if c.IsSet(name) {
			out = append(out, fmt.Sprintf("--%s=%v", name, c.Value(name)))
		}
	}
	for _, word := range c.StringSlice("label-from") {
		out = append(out, "--label-from="+word)
	}
	for _, name := range []string{"idle", "exact-names", shell.AttachAnyway} {
		if c.Bool(name) {
			out = append(out, "--"+name)
		}
	}
	return append(out, places.OrAll(c.Args().Slice())...) // words after dashes would be a program to start
}

// profiledThere is a profile from a place.
type profiledThere struct {
	path  string
	ended remote.Ended
	err   error
}

// gatherThere profiles one JVM of each place, and merges the profiles.
func gatherThere(c *cli.Context, env *shell.Env, e *places.Elsewhere, o flameOptions) (gathered, error) {
	if slices.ContainsFunc(c.Args().Slice(), func(word string) bool { return strings.HasPrefix(word, "-") }) {
		return gathered{}, shell.Usage("jstall list --on … shows the JVMs", "a target does not begin with a dash")
	}
	dir, err := os.MkdirTemp("", "jstall-profiles-")
	if err != nil {
		return gathered{}, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	words := flameWords(c)
	var names []string
	var codes []int
	var notes []string
	for i, r := range places.Visit(c.Context, env, e, func(ctx context.Context, p remote.Place) profiledThere {
		at := slices.IndexFunc(e.Places, func(other remote.Place) bool { return other.Word == p.Word })
		return profileAt(ctx, e, p, words, filepath.Join(dir, fmt.Sprintf("%d.pb.gz", at)))
	}) {
		switch {
		case c.Err() != nil:
			return gathered{}, c.Err()
		case r.err != nil && len(e.Places) == 1:
			return gathered{}, places.OfPlace(e.Places[i], r.err)
		case r.err != nil:
			places.PrintFailure(env, e.Places[i], r.err)
			codes = append(codes, shell.ExitPartial)
			continue
		}
		names, codes = append(names, r.path), append(codes, places.CodeThere(r.ended.Code))
		notes = append(notes, "Profiled on "+e.Places[i].Word+".")
	}
	if len(names) == 0 {
		return gathered{}, &shell.ExitError{Code: shell.ExitNothing}
	}
	o.thread, o.labelFrom, o.eventSet = nil, nil, false // they were chosen there
	g, err := gatherFiles(c.Context, env, names, o)
	g.notes = append(notes, g.notes...)
	g.code = shell.WorstCode(append(codes, g.code))
	return g, err
}

// profileAt takes a profile at a place into a file here.
func profileAt(ctx context.Context, e *places.Elsewhere, p remote.Place, words []string, path string) profiledThere {
	r := profiledThere{path: path}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return profiledThere{err: err}
	}
	sent := &shell.Counter{W: &places.Bound{W: file, Left: places.MostPassed}}
	job := e.Job(p, words)
	job.Out = sent
	r.ended, r.err = job.Run(ctx)
	if closed := file.Close(); r.err == nil {
		r.err = closed
	}
	switch {
	case r.err != nil:
		r.err = places.PlaceError(r.err)
	case sent.N == 0:
		r.err = places.Fetched{Place: p, Ended: r.ended}.Refused()
	}
	return r
}
