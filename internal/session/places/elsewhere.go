// Package places runs jstall at other places for the commands: it reads the flags of --on, visits the places, and makes
// targets of the recordings that they send.
package places

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/remote"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/file"
)

// Elsewhere is where a command runs, by its flags.
type Elsewhere struct {
	Places      []remote.Place
	binaries    *remote.Binaries
	keep        bool
	connect     time.Duration
	idleTimeout time.Duration
}

// Read is nil if the command runs here.
func Read(c *cli.Context) (*Elsewhere, error) {
	words := c.StringSlice("on")
	if len(words) == 0 {
		for _, name := range []string{"binary", "keep-binary", "connect-timeout"} {
			if c.IsSet(name) {
				return nil, shell.Usage("jstall status --on ssh:HOST --"+name+" …", "--%s is for --on", name)
			}
		}
		return nil, nil
	}
	e := &Elsewhere{binaries: &remote.Binaries{Given: c.String("binary")}, keep: c.Bool("keep-binary"),
		connect: c.Duration("connect-timeout"), idleTimeout: idleTimeoutOf(c)}
	if e.connect <= 0 {
		return nil, shell.Usage("--connect-timeout 30s", "--connect-timeout must be positive, not %s", e.connect)
	}
	for _, word := range words {
		place, err := remote.ParsePlace(word)
		if err != nil {
			return nil, shell.Usage("--on "+remote.Forms, "--on: %v", err)
		}
		e.Places = append(e.Places, place)
	}
	return e, e.check(c)
}

// check refuses what cannot be at another place.
func (e *Elsewhere) check(c *cli.Context) error {
	switch {
	case c.String("f") != "":
		return shell.Usage("jstall "+c.Command.Name+" -f FILE.zip",
			"-f reads a recording here; --on captures JVMs at another place")
	case slices.Contains(c.Args().Slice(), shell.Standard):
		return shell.Usage("jstall record PID --on ssh:HOST -o FILE.zip",
			"--on captures JVMs; it reads no standard input")
	}
	seen := map[string]bool{}
	needed := !slices.Contains([]string{"list", "processes"}, c.Command.Name) && c.NArg() == 0
	for _, p := range e.Places {
		if needed && (p.Kind == remote.SSH || p.Kind == remote.Exec) {
			return shell.Usage("jstall list --on "+file.ShellWord(p.Word)+" shows the JVMs there",
				"name a pid, a part of a main class, or all")
		}
		if seen[p.Word] {
			return shell.Usage("", "--on %s is named twice", p.Word)
		}
		seen[p.Word] = true
	}
	return nil
}

// idleTimeoutOf is how long a command may print nothing there: the time of its capture and half a minute; zero is
// no limit.
func idleTimeoutOf(c *cli.Context) time.Duration {
	if c.Command.Name == "jcmd" && !c.IsSet("timeout") {
		return 0
	}
	dumps := time.Duration(max(c.Int("count"), 1)) * (c.Duration("interval") + c.Duration("timeout"))
	profile := c.Duration("duration") + c.Duration("profile")
	if c.Bool("full") {
		profile += 10 * time.Second // of record
	}
	return dumps + profile + c.Duration("max-pause") + 30*time.Second
}

// Job runs jstall with the words at a place.
func (e *Elsewhere) Job(p remote.Place, words []string) remote.Job {
	return remote.Job{Place: p, Words: words, Connect: e.connect, IdleTimeout: e.idleTimeout, Keep: e.keep,
		Binaries: e.binaries}
}

// PlaceError words why there is nothing from a place, without its name.
func PlaceError(err error) error {
	if f, ok := errors.AsType[*remote.Failure](err); ok {
		return shell.NoResult(f.Remedy(), "%v", f)
	}
	return err
}

// OfPlace is an error that names the place.
func OfPlace(p remote.Place, err error) error {
	f := shell.Failure(err)
	return shell.NoResult(f.Remedy, "%s: %s", p.Word, f.Message)
}

// PrintFailure says on standard error why there is nothing from a place.
func PrintFailure(env *shell.Env, p remote.Place, err error) {
	session.PrintFailure(env, session.Target{Place: p.Word, Err: err}, err)
}

// complaint is an error that jstall printed at another place.
type complaint struct{ Message, Hint string }

// ComplaintsIn reads them from its standard error; rest is what else was printed there.
func ComplaintsIn(text string) (found []complaint, rest []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if message, ours := strings.CutPrefix(line, "jstall: "); ours {
			found = append(found, complaint{Message: message})
		} else if hint, ours := strings.CutPrefix(line, "  hint: "); ours && len(found) > 0 {
			found[len(found)-1].Hint = hint
		} else if line != "" {
			rest = append(rest, line)
		}
	}
	return found, rest
}
