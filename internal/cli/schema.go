package cli

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

func schemaCommand(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "schema", Usage: "print the JSON Schema of --json", ArgsUsage: " ",
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return shell.Usage("jstall schema", "schema takes no argument, not %q", c.Args().First())
			}
			_, err := env.Stdout.Write(render.Schema())
			return err
		},
	}
}
