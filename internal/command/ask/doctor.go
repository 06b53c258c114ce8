package ask

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// Doctor is the command doctor.
func Doctor(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "doctor", Usage: "whether an attach to a JVM is safe, what it would do, and how to fix what prevents it",
		ArgsUsage: "TARGET…",
		Description: `Makes the checks that every command makes before it attaches: threads, descriptors,
memory, space, rights and state. It sends no signal and no request, and shows
what an attach would do. Exits with 0 if an attach is safe, with 1 if not.

Examples:
   jstall doctor 4711
   jstall doctor OrderService --json`,
		Flags: append([]cli.Flag{
			shell.JSONFlag(),
			shell.SchemaFlag(),
		}, shell.CommonFlags()...),
		Action: func(c *cli.Context) error { return doctor(c, env) },
	}
}

func doctor(c *cli.Context, env *shell.Env) error {
	if err := shell.CheckCommon(c); err != nil {
		return err
	}
	schema, err := shell.ReadSchema(c, c.Bool("json"))
	if err != nil {
		return err
	}
	targets, err := session.Resolve(c.Context, env, c.Args().Slice(), c.Duration("timeout"))
	if err != nil {
		return err
	}
	code := shell.ExitDone
	for _, t := range targets {
		checkup, err := session.Examine(env, t, c.Duration("timeout"))
		if err != nil {
			return err
		}
		if !checkup.Safe {
			code = shell.ExitNothing
		}
		write := func() error {
			return render.Doctor(env.Stdout, checkup, render.Options{Color: env.Colored(c.String("color")),
				Width: env.OutWidth})
		}
		if c.Bool("json") {
			write = func() error { return render.DoctorJSON(env.Stdout, checkup, schema) }
		}
		if err := shell.UnlessReaderLeft(write()); err != nil {
			return err
		}
	}
	return &shell.ExitError{Code: code}
}
