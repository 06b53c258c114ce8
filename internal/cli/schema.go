package cli

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/render"
)

func schemaCommand(env *Env) *cli.Command {
	return &cli.Command{
		Name: "schema", Usage: "print the JSON Schema of --json", ArgsUsage: " ",
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return usage("jstall schema", "schema takes no argument, not %q", c.Args().First())
			}
			_, err := env.Stdout.Write(render.Schema())
			return err
		},
	}
}
