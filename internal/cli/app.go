package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"syscall"

	"github.com/urfave/cli/v2"
)

// verbatim are the commands whose words after the target are not ours.
var verbatim = map[string]bool{"jcmd": true}

// completionFlag is the flag library's; it must stay last.
const completionFlag = "--generate-bash-completion"

// Run runs jstall and returns its exit code.
func Run(ctx context.Context, env *Env) int {
	app := newApp(env)
	if slices.Equal(env.Args, []string{"--version"}) {
		fmt.Fprintf(env.Stdout, "jstall %s (%s)\n", env.Version, env.Commit)
		return exitDone
	}
	args := env.Args
	if !slices.Contains(args, completionFlag) {
		arranged, err := arrange(args, app.Commands, verbatim)
		if err != nil {
			return report(ctx, env, err)
		}
		args = arranged
	}
	return report(ctx, env, app.RunContext(ctx, append([]string{"jstall"}, args...)))
}

// report words the error a command ended with and returns its exit code.
func report(ctx context.Context, env *Env, err error) int {
	if err == nil {
		return exitDone
	}
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return exitDone // whoever read us has seen enough
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		fmt.Fprintln(env.Stderr, "jstall: interrupted")
		return exitInterrupted
	}
	e, ok := errAs[*exitError](err)
	if !ok {
		f := failure(err)
		e = &exitError{code: exitNothing, message: f.Message, hint: f.Remedy}
	}
	if e.message != "" {
		fmt.Fprintln(env.Stderr, "jstall:", e.message)
	}
	if e.hint != "" {
		fmt.Fprintln(env.Stderr, "  hint:", e.hint)
	}
	return e.code
}

func newApp(env *Env) *cli.App {
	app := &cli.App{
		Name:            "jstall",
		Usage:           "what is this JVM doing, why is it not moving, and which line is to blame?",
		UsageText:       "jstall TARGET…                same as jstall status TARGET…\n   jstall COMMAND TARGET… [flags]",
		Description:     targetHelp + exitHelp,
		Writer:          env.Stdout,
		ErrWriter:       env.Stderr,
		HideVersion:     true,
		HideHelpCommand: true,
		// the flag library would otherwise end the process itself
		ExitErrHandler:       func(*cli.Context, error) {},
		EnableBashCompletion: true,
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "version", Usage: "print version and commit"},
		},
		Action: func(c *cli.Context) error { return overview(c, env) },
		Commands: []*cli.Command{
			statusCommand(env), deadlockCommand(env), mostWorkCommand(env), threadsCommand(env),
			waitingThreadsCommand(env), dependencyTreeCommand(env), dependencyGraphCommand(env),
			listCommand(env), doctorCommand(env), dumpCommand(env), jcmdCommand(env), schemaCommand(env), completionCommand(env),
		},
	}
	app.OnUsageError = usageError
	for _, c := range app.Commands {
		c.OnUsageError = usageError
		c.HideHelpCommand = true
		if c.BashComplete == nil {
			c.BashComplete = func(c *cli.Context) { completeTargets(c, env) }
		}
	}
	return app
}

func usageError(c *cli.Context, err error, _ bool) error {
	help := "jstall --help"
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != "jstall" {
		help = "jstall " + c.Command.Name + " --help"
	}
	return usage(help, "%v", err)
}

const targetHelp = `A TARGET is a pid, a part of a main class or jar name (whatever its case), all,
one or more files with saved thread dumps (also .gz and .zst), or - for standard
input. Flags may stand before or after command and targets.
`

const exitHelp = `
Exit codes: 0 done · 2 a deadlock was found · 3 a finding at or above --fail-on ·
4 no dump could be had · 5 partial output · 1 nothing could be said ·
64 wrong usage · 130 interrupted`

// analysisCommand is a command that looks at targets and shows one view.
func analysisCommand(env *Env, v view) *cli.Command {
	return &cli.Command{
		Name: v.name, Usage: v.usage, ArgsUsage: "TARGET…", Description: v.description,
		Flags:  lookFlags(v.count),
		Action: func(c *cli.Context) error { return analyse(c, env, v) },
	}
}
