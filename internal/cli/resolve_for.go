package cli

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// resolveFor finds the targets that the command line names, or those of -f.
func resolveFor(c *cli.Context, env *shell.Env, timeout time.Duration) ([]session.Target, error) {
	if e, err := readElsewhere(c); e != nil || err != nil {
		return e.targets(c, env, c.Args().Slice(), err)
	}
	if path := c.String("f"); path != "" {
		return session.ResolveIn(c.Context, env, path, c.Args().Slice())
	}
	return session.Resolve(c.Context, env, c.Args().Slice(), timeout)
}
