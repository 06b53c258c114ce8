package diagnose

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source"
)

// analysisCommand is a command that captures targets and shows one view.
func analysisCommand(env *shell.Env, v view) *cli.Command {
	flags := shell.CaptureFlags(v.count)
	if !source.NeedsOf(v.Kinds).Java {
		flags = shell.WithoutVirtual(flags)
	}
	return &cli.Command{
		Name: v.name, Usage: v.usage, ArgsUsage: "TARGET…", Description: v.description,
		Flags:  flags,
		Action: func(c *cli.Context) error { return analyse(c, env, v) },
	}
}
