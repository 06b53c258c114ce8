package places

import (
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// Resolve finds the targets that the command line names, or those of -f.
func Resolve(c *cli.Context, env *shell.Env, timeout time.Duration) ([]session.Target, error) {
	e, err := Read(c)
	switch {
	case err != nil:
		return nil, err
	case e != nil:
		return e.targets(c, env, c.Args().Slice())
	}
	if path := c.String("f"); path != "" {
		return session.ResolveIn(c.Context, env, path, c.Args().Slice())
	}
	return session.Resolve(c.Context, env, c.Args().Slice(), timeout)
}

// ResolvePair finds the two captures that words stand for, each by itself.
func ResolvePair(c *cli.Context, env *shell.Env, timeout time.Duration) ([]session.Target, error) {
	words := c.Args().Slice()
	e, err := Read(c)
	switch {
	case err != nil:
		return nil, err
	case e != nil:
		return e.pair(c, env, timeout)
	}
	if len(words) != 2 {
		return nil, shell.Usage("jstall compare GOOD BAD", "name two captures, not %d", len(words))
	}
	var pair []session.Target
	r := session.NewResolver(env, timeout)
	for _, word := range words {
		found, err := r.Only(c.Context, c.String("f"), word)
		if err != nil {
			return nil, err
		}
		pair = append(pair, found)
	}
	return pair, nil
}
