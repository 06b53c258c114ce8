// Package redact is the command redact: saved dumps, logs and flight recordings without their secrets.
package redact

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/outfile"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

// Command is the command redact.
func Command(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "redact", ArgsUsage: "IN OUT",
		Usage: "replace the secrets in saved dumps, logs, hs_err files and flight recordings",
		Description: `Replaces passwords, tokens, keys, user and host names, addresses and similar data with
pseudonyms. Equal values get equal pseudonyms within one file, so the file can still be
analysed. record and every analysing command do the same with --redact.

Examples:
   jstall redact hs_err_pid4711.log for-the-ticket.log
   jstall redact - - < app.log | less
   jstall redact app.log.gz app.log      writes plain text; .zst works too
   jstall redact in.jfr out.jfr          a flight recording stays one
   jstall redact dumps.txt out.txt --redact-rules ours.txt    your own rules too

A rule is one line of three fields with tabs between: a kind, words of which a line
must contain one, and a regular expression whose group "secret" is replaced.`,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "redact-rules", Usage: "use the rules in `FILE` in addition to the built-in ones"},
			&cli.BoolFlag{Name: "force", Usage: "replace OUT if it exists"},
		},
		Action: func(c *cli.Context) error { return redactFile(c, env) },
	}
}

func redactFile(c *cli.Context, env *shell.Env) error {
	if c.NArg() != 2 {
		return shell.Usage("jstall redact IN OUT; - is standard input or output", "name two files")
	}
	if sameFile(c.Args().Get(0), c.Args().Get(1)) {
		return shell.Usage("jstall redact IN OUT, with another name for OUT",
			"OUT is the file IN, which is never replaced")
	}
	r, err := shell.NewRedactor(c.String("redact-rules"))
	if err != nil {
		return err
	}
	in, err := openText(c.Context, env, c.Args().Get(0))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if c.Args().Get(1) == shell.Standard {
		err = copyRedacted(c.Context, env, r, in)
	} else {
		err = redactInto(c, env, r, in)
	}
	if in.err != nil && c.Err() == nil {
		return in.unread()
	}
	if err != nil && !isPartial(err) {
		return err
	}
	sayRedacted(env, r)
	return err
}

func sameFile(in, out string) bool {
	one, errIn := os.Stat(in)
	other, errOut := os.Stat(out)
	return errIn == nil && errOut == nil && in != shell.Standard && out != shell.Standard && os.SameFile(one, other)
}

// sayRedacted says how many secrets of each kind were replaced.
func sayRedacted(env *shell.Env, r *redact.Redactor) {
	counts := r.Counts()
	if len(counts) == 0 {
		env.Say("jstall: nothing was redacted\n")
		return
	}
	var words []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, fmt.Sprintf("%s %d", kind, counts[kind]))
	}
	env.Say("jstall: redacted %s\n", render.Escape(strings.Join(words, ", ")))
}

func redactInto(c *cli.Context, env *shell.Env, r *redact.Redactor, in *input) error {
	out, err := outfile.Create(c.Args().Get(1), c.Bool("force"))
	if err != nil {
		return shell.Unwritable(err)
	}
	defer out.Abort()
	if in.isRecording {
		err = redactRecording(c.Context, env, r, in, out.File)
	} else if _, err = io.Copy(out, r.Reader(in)); err != nil && c.Err() == nil {
		return shell.Unwritable(err)
	}
	if err != nil && !isPartial(err) {
		return err
	}
	if err := out.Commit(); err != nil {
		return shell.Unwritable(err)
	}
	return err
}
