package cli

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
	"github.com/jstall/jstall/internal/shell"
)

// record records the JVMs of each place into a file here.
func (e *elsewhere) record(c *cli.Context, env *shell.Env) error {
	path := c.String("o")
	switch {
	case c.String("redact-rules") != "":
		return shell.Usage("jstall record --on … --redact", "--redact-rules names a file here, and --on redacts there")
	case path == shell.Standard:
		return shell.Usage("jstall record --on … -o FILE.zip", "with --on a recording goes to a file")
	case path == "":
		path = time.Now().Format("jstall-20060102-150405.zip")
	}
	files, err := e.files(path, c.Bool("force"))
	if err != nil {
		return err
	}
	defer abortAll(files)
	words := slices.Insert(typedThere(c, "o"), 1, "-o", shell.Standard)
	var codes []int
	for i, f := range visit(c.Context, env, e, func(ctx context.Context, p remote.Place) fetched {
		return e.save(ctx, p, words, files[p.Word])
	}) {
		if c.Err() != nil {
			return c.Err()
		}
		code, err := tellRecorded(env, f, files[e.places[i].Word])
		if err := shell.UnlessReaderLeft(err); err != nil {
			return err
		}
		codes = append(codes, code)
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

// save streams a recording into a file, and checks that it is one.
func (e *elsewhere) save(ctx context.Context, p remote.Place, words []string, file *placeFile) fetched {
	f := fetched{place: p}
	job := e.job(p, words)
	sent := &shell.Counter{W: file}
	job.Out = sent
	f.ended, f.err = job.Run(ctx)
	switch {
	case f.err != nil:
		f.err = placeError(f.err)
	case sent.N == 0:
		f.err = f.refused()
	default:
		f.err = file.keep()
	}
	if f.err == nil {
		f.recording, f.err = recording.Open(file.path)
	}
	return f
}

// tellRecorded prints what jstall there says of its recording, and where that is.
func tellRecorded(env *shell.Env, f fetched, file *placeFile) (code int, err error) {
	if f.err != nil {
		tellFailure(env, f.place, f.err)
		return shell.ExitNothing, nil
	}
	_ = f.recording.Close()
	complaints, rest := complaintsIn(f.ended.Errors)
	for _, said := range complaints {
		env.Complain(f.place.Word+": "+said.message, said.hint)
	}
	for _, text := range rest {
		if strings.HasPrefix(text, "standard output, ") {
			continue
		}
		if _, err := fmt.Fprintf(env.Stdout, "%s: %s\n", render.Escape(f.place.Word), render.Escape(text)); err != nil {
			return shell.ExitNothing, err
		}
	}
	size := int64(0)
	if info, err := os.Stat(file.path); err == nil {
		size = info.Size()
	}
	_, err = fmt.Fprintf(env.Stdout, "%s, %d kB\n", render.Escape(file.path), (size+1023)>>10)
	return codeThere(f.ended.Code), err
}
