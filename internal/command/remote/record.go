package remote

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/recording"
	"github.com/jstall/jstall/internal/remote"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session/places"
	"github.com/jstall/jstall/internal/shell"
)

// Record records the JVMs of each place into a file here.
func Record(c *cli.Context, env *shell.Env, e *places.Elsewhere) error {
	path := c.String("o")
	switch {
	case c.String("redact-rules") != "":
		return shell.Usage("jstall record --on … --redact", "--redact-rules names a file here, and --on redacts there")
	case path == shell.Standard:
		return shell.Usage("jstall record --on … -o FILE.zip", "with --on a recording goes to a file")
	case path == "":
		path = time.Now().Format("jstall-20060102-150405.zip")
	}
	files, err := e.Files(path, c.Bool("force"))
	if err != nil {
		return err
	}
	defer places.AbortAll(files)
	words := slices.Insert(typedThere(c, "o"), 1, "-o", shell.Standard)
	var codes []int
	for i, f := range places.Visit(c.Context, env, e, func(ctx context.Context, p remote.Place) places.Fetched {
		return save(ctx, e, p, words, files[p.Word])
	}) {
		if c.Err() != nil {
			return c.Err()
		}
		code, err := reportRecorded(env, f, files[e.Places[i].Word])
		if err := shell.UnlessReaderLeft(err); err != nil {
			return err
		}
		codes = append(codes, code)
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

// save streams a recording into a file, and checks that it is one.
func save(ctx context.Context, e *places.Elsewhere, p remote.Place, words []string,
	file *places.PlaceFile) places.Fetched {
	f := places.Fetched{Place: p}
	job := e.Job(p, words)
	sent := &shell.Counter{W: file}
	job.Out = sent
	f.Ended, f.Err = job.Run(ctx)
	switch {
	case f.Err != nil:
		f.Err = places.PlaceError(f.Err)
	case sent.N == 0:
		f.Err = f.Refused()
	default:
		f.Err = file.Keep()
	}
	if f.Err == nil {
		f.Recording, f.Err = recording.Open(file.Path)
	}
	return f
}

// reportRecorded prints the messages of the remote jstall about its recording, and the path of the file.
func reportRecorded(env *shell.Env, f places.Fetched, file *places.PlaceFile) (code int, err error) {
	if f.Err != nil {
		places.PrintFailure(env, f.Place, f.Err)
		return shell.ExitNothing, nil
	}
	_ = f.Recording.Close()
	complaints, rest := places.ComplaintsIn(f.Ended.Errors)
	for _, said := range complaints {
		env.Complain(f.Place.Word+": "+said.Message, said.Hint)
	}
	for _, text := range rest {
		if strings.HasPrefix(text, "standard output, ") {
			continue
		}
		if _, err := fmt.Fprintf(env.Stdout, "%s: %s\n", render.Escape(f.Place.Word), render.Escape(text)); err != nil {
			return shell.ExitNothing, err
		}
	}
	size := int64(0)
	if info, err := os.Stat(file.Path); err == nil {
		size = info.Size()
	}
	_, err = fmt.Fprintf(env.Stdout, "%s, %d kB\n", render.Escape(file.Path), (size+1023)>>10)
	return places.CodeThere(f.Ended.Code), err
}
