package cli

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/command/account"
	"github.com/jstall/jstall/internal/command/remote"
	"github.com/jstall/jstall/internal/session/places"
	"github.com/jstall/jstall/internal/shell"
)

// canRunElsewhere wraps the commands that have --on. Commands that analyse fetch recordings when they resolve their
// targets. The others run at the place, and their output is passed on.
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
			e, err := places.Read(c)
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
				return remote.Pass(c, env, e)
			case way == savedHere:
				return remote.Record(c, env, e)
			}
			return shell.Usage("jstall status --on …", "%s cannot run at another place", command.Name)
		}
	}
}

// hideOn hides the flags in the help of a command that runs only here.
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
	if slices.Contains(account.Names(), command) {
		return passedOn
	}
	return notElsewhere
}
