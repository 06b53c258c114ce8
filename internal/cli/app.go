// Package cli is the command line of jstall: its commands, their order of arguments, help and completion.
package cli

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/command/account"
	"github.com/jstall/jstall/internal/command/ask"
	"github.com/jstall/jstall/internal/command/code"
	"github.com/jstall/jstall/internal/command/diagnose"
	"github.com/jstall/jstall/internal/command/flame"
	"github.com/jstall/jstall/internal/command/jfr"
	"github.com/jstall/jstall/internal/command/mcp"
	"github.com/jstall/jstall/internal/command/record"
	"github.com/jstall/jstall/internal/command/redact"
	"github.com/jstall/jstall/internal/command/top"
	"github.com/jstall/jstall/internal/command/watch"
	"github.com/jstall/jstall/internal/shell"
)

// verbatim are the commands that pass the words after the target to another program.
var verbatim = map[string]bool{"jcmd": true}

// Run runs jstall and returns its exit code.
func Run(ctx context.Context, env *shell.Env) int {
	out := &shell.CheckedWriter{W: env.Stdout}
	checked := *env
	checked.Stdout = out
	if env.Getenv("TERM") == "dumb" { // it shows the escapes of a progress line as they are
		checked.ErrWidth = 0
	}
	err := shell.Caught(func() error { return execute(ctx, &checked) })
	code := report(ctx, &checked, err)
	if code == shell.ExitDone && out.Err != nil {
		return report(ctx, &checked, out.Err)
	}
	return code
}

func execute(ctx context.Context, env *shell.Env) error {
	app := newApp(env)
	env.Commands = namesOfCommands(app.Commands)
	if n := len(env.Args) - 1; n > 0 && env.Args[n] == completionFlag {
		return complete(ctx, env, app.Commands, env.Args[:n])
	}
	args, err := arrange(env.Args, app.Commands, verbatim)
	if err != nil {
		return err
	}
	if slices.Equal(args, []string{"--version"}) {
		_, err := fmt.Fprintf(env.Stdout, "jstall %s (%s)\n", env.Version, env.Commit)
		return err
	}
	if words, _ := beforeDashes(args); wantsHelp(words) {
		var command *cli.Command
		if len(args) > 0 {
			command = find(app.Commands, args[0])
		}
		return writeHelp(env, app, command)
	}
	if len(args) > 0 {
		nameOnce(find(app.Commands, args[0]))
	}
	return app.RunContext(ctx, append([]string{"jstall"}, args...))
}

// namesOfCommands returns the names and aliases of commands.
func namesOfCommands(commands []*cli.Command) (names []string) {
	for _, c := range commands {
		names = append(names, c.Names()...)
	}
	return names
}

// namedFlag is a flag that caches its names. The flag library computes them with a regular expression, for all flags of
// a command at each lookup.
type namedFlag struct {
	anyFlag
	names []string
}

// anyFlag is the interface that parsing and help need of a flag. None of jstall's flags has an action or is required.
type anyFlag interface {
	cli.DocGenerationFlag
	cli.CategorizableFlag
}

func (f namedFlag) Names() []string { return f.names }

func nameOnce(c *cli.Command) {
	if c == nil {
		return
	}
	for i, f := range c.Flags {
		if _, list := f.(*cli.StringSliceFlag); list { // the library must be able to set its separator
			continue
		}
		if known, ok := f.(anyFlag); ok {
			c.Flags[i] = namedFlag{known, f.Names()}
		}
	}
}

// helpFlag is a copy of the flag library's own help flag. The library shares one flag between all programs of a
// process, and notes in it what one program got.
type helpFlag struct{ *cli.BoolFlag }

func init() {
	if shared, ok := cli.HelpFlag.(*cli.BoolFlag); ok {
		cli.HelpFlag = helpFlag{shared}
	}
}

func (f helpFlag) Apply(set *flag.FlagSet) error {
	own := *f.BoolFlag
	return own.Apply(set)
}

// report prints the error that ended a command, with its remedy, and returns the exit code.
func report(ctx context.Context, env *shell.Env, err error) int {
	if err == nil {
		return shell.ExitDone
	}
	if shell.ReaderLeft(err) {
		return shell.ExitDone
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		env.Say("jstall: interrupted\n")
		return shell.ExitInterrupted
	}
	e, ok := errors.AsType[*shell.ExitError](err)
	if !ok {
		f := env.Failure(err)
		e = &shell.ExitError{Code: shell.ExitNothing, Message: f.Message, Hint: f.Remedy}
	}
	env.Complain(e.Message, e.Hint)
	env.Trace(err)
	return e.Code
}

func newApp(env *shell.Env) *cli.App {
	app := &cli.App{
		Name:  "jstall",
		Usage: "shows what a JVM is doing, why it hangs or is slow, and which line causes it",
		UsageText: "jstall TARGET…                same as jstall status TARGET…\n" +
			"jstall COMMAND TARGET… [flags]",
		Description:     targetHelp + exitHelp,
		Writer:          env.Stdout,
		ErrWriter:       env.Stderr,
		HideVersion:     true,
		HideHelpCommand: true,
		// a file may have a comma in its name
		DisableSliceFlagSeparator: true,
		// the flag library would otherwise end the process itself
		ExitErrHandler: func(*cli.Context, error) {},
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "version", Aliases: []string{"V"}, Usage: "print version and commit"},
		},
		Action: func(c *cli.Context) error { return overview(c, env) },
		Commands: append([]*cli.Command{
			diagnose.Status(env), diagnose.Deadlock(env), diagnose.MostWork(env), diagnose.Threads(env),
			diagnose.WaitingThreads(env), diagnose.DependencyTree(env), diagnose.DependencyGraph(env),
			flame.Command(env),
			jfr.Command(env), record.Command(env), watch.Command(env), diagnose.Compare(env), diagnose.Report(env),
			redact.Command(env), ask.List(env), ask.Doctor(env), top.Command(env), ask.Dump(env),
			code.Classes(env), code.Methods(env),
			ask.Jcmd(env), schemaCommand(env), completionCommand(env), manCommand(env), mcp.Command(env, Run),
		}, account.Commands(env)...),
	}
	app.OnUsageError = func(c *cli.Context, err error, _ bool) error { return usageError(c, err, env.Args) }
	canBeLive(env, app.Commands)
	canRunElsewhere(env, app.Commands)
	for _, c := range app.Commands {
		c.OnUsageError = app.OnUsageError
		c.HideHelpCommand = true
		for _, f := range c.Flags {
			if b, ok := f.(*cli.BoolFlag); ok {
				b.DisableDefaultText = true
			}
		}
	}
	return app
}

const targetHelp = `A TARGET is a pid, a part of a main class or jar name (case is ignored), all, one
or more files with saved thread dumps (also compressed), - for standard input, or a
recording (.zip). Flags may come before or after the command and the targets.
`

const exitHelp = `
Exit codes: 0 done · 2 a deadlock was found · 3 a finding at or above --fail-on ·
4 no dump could be taken · 5 partial output, or virtual threads exist that are not
shown (see --platform-only) · 1 no result · 64 wrong usage · 130 interrupted`
