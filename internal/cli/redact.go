package cli

import (
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/outfile"
	"github.com/jstall/jstall/internal/redact"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/recorded"
)

func redactCommand(env *Env) *cli.Command {
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
			&cli.StringFlag{Name: "redact-rules", Usage: "your own rules, from `FILE`"},
			&cli.BoolFlag{Name: "force", Usage: "replace OUT if it exists"},
		},
		Action: func(c *cli.Context) error { return redactFile(c, env) },
	}
}

// redactFlags are those of the commands that take captures.
func redactFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "redact",
			Usage: "replace passwords, tokens, user and host names and similar data with pseudonyms"},
		&cli.StringFlag{Name: "redact-rules",
			Usage: "your own rules from `FILE`, in addition to the built-in ones; implies --redact"},
	}
}

// readRedactor is the redactor that the flags ask for, nil if they do not.
func readRedactor(c *cli.Context) (*redact.Redactor, error) {
	if !c.Bool("redact") && c.String("redact-rules") == "" {
		return nil, nil
	}
	r, err := newRedactor(c.String("redact-rules"))
	if err != nil {
		return nil, err
	}
	if host, err := os.Hostname(); err == nil {
		r.Know("host", host)
	}
	return r, nil
}

func newRedactor(path string) (*redact.Redactor, error) {
	rules, err := redact.Shipped()
	if err != nil {
		return nil, err
	}
	if path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, nothing("", "%v", err)
		}
		own, err := redact.ParseRules(string(text))
		if err != nil {
			return nil, usage("jstall redact --help describes the format of rules", "%s: %v", path, err)
		}
		rules = append(own, rules...)
	}
	return redact.New(rules, nil), nil
}

// redacting is a source without the secrets of what it gives.
func redacting(r *redact.Redactor, src source.Source) source.Source {
	if r == nil {
		return src
	}
	return &recorded.Redacted{Source: src, By: r}
}

// redactTargets takes the secrets out of what is known of the processes, and
// keeps the names of their users in mind.
func redactTargets(r *redact.Redactor, targets []target) {
	for i, t := range targets {
		if t.place != "" {
			_, host, _ := strings.Cut(t.place, ":")
			r.Know("host", host)
			targets[i].place = string(r.Text([]byte(t.place)))
		}
		if t.process == nil {
			continue
		}
		r.Know("user", t.process.User)
		p := redactedProcess(r, *t.process)
		targets[i].process = &p
	}
}

func redactedProcess(r *redact.Redactor, p jvm.Process) jvm.Process {
	p.User = string(r.Text([]byte(p.User)))
	p.MainClass = string(r.Text([]byte(p.MainClass)))
	return p
}

func redactFile(c *cli.Context, env *Env) error {
	if c.NArg() != 2 {
		return usage("jstall redact IN OUT; - is standard input or output", "name two files")
	}
	if sameFile(c.Args().Get(0), c.Args().Get(1)) {
		return usage("jstall redact IN OUT, with another name for OUT", "OUT is the file IN, which is never replaced")
	}
	r, err := newRedactor(c.String("redact-rules"))
	if err != nil {
		return err
	}
	in, err := openText(c.Context, env, c.Args().Get(0))
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	if c.Args().Get(1) == standard {
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
	return errIn == nil && errOut == nil && in != standard && out != standard && os.SameFile(one, other)
}

// sayRedacted says how many secrets of each kind were replaced.
func sayRedacted(env *Env, r *redact.Redactor) {
	counts := r.Counts()
	if len(counts) == 0 {
		env.say("jstall: nothing was redacted\n")
		return
	}
	var words []string
	for _, kind := range slices.Sorted(maps.Keys(counts)) {
		words = append(words, fmt.Sprintf("%s %d", kind, counts[kind]))
	}
	env.say("jstall: redacted %s\n", render.Escape(strings.Join(words, ", ")))
}

func redactInto(c *cli.Context, env *Env, r *redact.Redactor, in *input) error {
	out, err := outfile.Create(c.Args().Get(1), c.Bool("force"))
	if err != nil {
		return unwritable(err)
	}
	defer out.Abort()
	if in.isRecording {
		err = redactRecording(c.Context, env, r, in, out.File)
	} else if _, err = io.Copy(out, r.Reader(in)); err != nil && c.Err() == nil {
		return unwritable(err)
	}
	if err != nil && !isPartial(err) {
		return err
	}
	if err := out.Commit(); err != nil {
		return unwritable(err)
	}
	return err
}
