package ask

import (
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/jvm"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// List is the command list.
func List(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "list", Usage: "the running JVMs", ArgsUsage: "[FILTER…]",
		Description: `Lists the HotSpot JVMs of all users that /proc shows, also those in containers. Nothing
is sent to the JVMs.

Examples:
   jstall list
   jstall list order --interval 1s   with their current CPU use
   jstall list --on ssh:web1 --on k8s:shop/orders-1
   jstall list --json`,
		Flags: append([]cli.Flag{
			&cli.DurationFlag{Name: "interval", Aliases: []string{"i"},
				Usage: "measure the current CPU use for this long", DefaultText: "not measured"},
			&cli.BoolFlag{Name: "no-truncate", Usage: "do not shorten names to the width of the terminal"},
			&cli.BoolFlag{Name: "json", Usage: "one JSON document"},
			shell.SchemaFlag(),
			&cli.StringFlag{Name: "color", Value: "auto",
				Usage: "when to use colour; auto: on a terminal, unless NO_COLOR is set"},
			&cli.BoolFlag{Name: "v", Aliases: []string{"verbose"}, Usage: "print progress to standard error"},
		}, shell.OnFlags()...),
		Action: func(c *cli.Context) error { return list(c, env) },
	}
}

func list(c *cli.Context, env *shell.Env) error {
	if err := shell.NeedsLinux(); err != nil {
		return err
	}
	interval := c.Duration("interval")
	if interval < 0 {
		return shell.Usage("--interval 1s", "--interval must not be negative")
	}
	schema, err := shell.ReadSchema(c, c.Bool("json"))
	if err != nil {
		return err
	}
	found, rows, err := session.ListRows(c.Context, env, c.Args().Slice(), interval)
	if err != nil {
		return err
	}
	session.PrintHidden(env, found)
	width := env.OutWidth
	if c.Bool("no-truncate") {
		width = 0
	}
	switch {
	case c.Bool("json"):
		err = render.ListJSON(env.Stdout, rows, schema)
	case len(rows) > 0 || !c.Args().Present():
		err = render.List(env.Stdout, rows, render.Options{Color: env.Colored(c.String("color")), Width: width})
	}
	if err := shell.UnlessReaderLeft(err); err != nil {
		return err
	}
	return listsAll(env, c.Args().Slice(), found)
}

// listsAll returns an error that names the filters without a match.
func listsAll(env *shell.Env, filters []string, found *jvm.Found) error {
	code := shell.ExitDone
	for _, filter := range filters {
		fits := func(p jvm.Process) bool { return session.MatchesAny(p, []string{filter}) }
		if filter == "all" || slices.ContainsFunc(found.Processes, fits) {
			continue
		}
		f := shell.Failure(session.NoMatch(env, filter, found))
		env.Complain(f.Message, f.Remedy)
		code = shell.ExitNothing
	}
	return &shell.ExitError{Code: code}
}
