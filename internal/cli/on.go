package cli

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

// elsewhere is where a command runs, by its flags.
type elsewhere struct {
	places   []remote.Place
	binaries *remote.Binaries
	keep     bool
	connect  time.Duration
	silence  time.Duration
}

// readElsewhere is nil if the command runs here.
func readElsewhere(c *cli.Context) (*elsewhere, error) {
	words := c.StringSlice("on")
	if len(words) == 0 {
		for _, name := range []string{"binary", "keep-binary", "connect-timeout"} {
			if c.IsSet(name) {
				return nil, shell.Usage("jstall status --on ssh:HOST --"+name+" …", "--%s is for --on", name)
			}
		}
		return nil, nil
	}
	e := &elsewhere{binaries: &remote.Binaries{Given: c.String("binary")}, keep: c.Bool("keep-binary"),
		connect: c.Duration("connect-timeout"), silence: silenceOf(c)}
	if e.connect <= 0 {
		return nil, shell.Usage("--connect-timeout 30s", "--connect-timeout must be positive, not %s", e.connect)
	}
	for _, word := range words {
		place, err := remote.ParsePlace(word)
		if err != nil {
			return nil, shell.Usage("--on "+remote.Forms, "--on: %v", err)
		}
		e.places = append(e.places, place)
	}
	return e, e.check(c)
}

// check refuses what cannot be at another place.
func (e *elsewhere) check(c *cli.Context) error {
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
	for _, p := range e.places {
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

// silenceOf is how long a command may print nothing there: the time of its capture and half a minute; zero is for ever.
func silenceOf(c *cli.Context) time.Duration {
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

// job runs jstall with the words at a place.
func (e *elsewhere) job(p remote.Place, words []string) remote.Job {
	return remote.Job{Place: p, Words: words, Connect: e.connect, Silence: e.silence, Keep: e.keep,
		Binaries: e.binaries}
}

// placeError words why there is nothing from a place, without its name.
func placeError(err error) error {
	if f, ok := errors.AsType[*remote.Failure](err); ok {
		return shell.NoResult(f.Remedy(), "%v", f)
	}
	return err
}

// ofPlace is an error that names the place.
func ofPlace(p remote.Place, err error) error {
	f := shell.Failure(err)
	return shell.NoResult(f.Remedy, "%s: %s", p.Word, f.Message)
}

// tellFailure says on standard error why there is nothing from a place.
func tellFailure(env *shell.Env, p remote.Place, err error) {
	session.PrintFailure(env, session.Target{Place: p.Word, Err: err}, err)
}

// canRunElsewhere wraps the commands that have --on. Those that analyse fetch recordings when they resolve their
// targets; the others run there, and their output is passed on.
func canRunElsewhere(env *shell.Env, commands []*cli.Command) {
	for _, command := range commands {
		here := command.Action
		if !slices.ContainsFunc(command.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), "on") }) {
			continue
		}
		if wayOf(command.Name) == notElsewhere {
			hideOn(command)
		}
		command.Action = func(c *cli.Context) error {
			e, err := readElsewhere(c)
			switch way := wayOf(command.Name); {
			case err != nil:
				return err
			case e == nil:
				return here(c)
			case shell.AfterDashes(env.Args) != nil && command.Name == "flame":
				return shell.Usage("jstall flame PID --on …", "a program is started here; --on profiles running JVMs")
			case way == analysedHere:
				return here(c)
			case way == passedOn:
				return e.pass(c, env)
			case way == savedHere:
				return e.record(c, env)
			}
			return shell.Usage("jstall status --on …", "%s cannot run at another place", command.Name)
		}
	}
}

// hideOn leaves the flags out of the help of a command that runs here only.
func hideOn(command *cli.Command) {
	for _, f := range command.Flags {
		name := f.Names()[0]
		if !slices.ContainsFunc(shell.OnFlags(), func(on cli.Flag) bool { return on.Names()[0] == name }) {
			continue
		}
		switch f := f.(type) {
		case *cli.StringSliceFlag:
			f.Hidden = true
		case *cli.StringFlag:
			f.Hidden = true
		case *cli.BoolFlag:
			f.Hidden = true
		case *cli.DurationFlag:
			f.Hidden = true
		}
	}
}

// way is how a command works with --on.
type way int

const (
	notElsewhere way = iota
	analysedHere     // of what jstall record or jstall flame takes there
	savedHere        // as a recording
	passedOn         // it runs there
)

func wayOf(command string) way {
	switch command {
	case "status", "deadlock", "most-work", "threads", "waiting-threads", "dependency-tree", "dependency-graph",
		"flame", "report", "compare":
		return analysedHere
	case "record":
		return savedHere
	case "list", "doctor", "dump", "jcmd", "classes", "methods":
		return passedOn
	}
	if slices.ContainsFunc(accountViews(), func(v accountView) bool { return v.name == command }) {
		return passedOn
	}
	return notElsewhere
}

// complaint is an error that jstall printed at another place.
type complaint struct{ message, hint string }

// complaintsIn reads them from its standard error; rest is what else was printed there.
func complaintsIn(text string) (found []complaint, rest []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if message, ours := strings.CutPrefix(line, "jstall: "); ours {
			found = append(found, complaint{message: message})
		} else if hint, ours := strings.CutPrefix(line, "  hint: "); ours && len(found) > 0 {
			found[len(found)-1].hint = hint
		} else if line != "" {
			rest = append(rest, line)
		}
	}
	return found, rest
}
