package jfr

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

// part is a command of jfr: its name, its texts, its function, and its flags.
type part struct {
	name, words, examples string
	flags                 []cli.Flag
	run                   func(c *cli.Context, env *shell.Env, words []string) error
}
