package cli

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
)

// readSetup adds what the flags say of progress, redaction and existing files.
func readSetup(c *cli.Context, s session.Setup) (session.Setup, error) {
	var err error
	s.Redactor, err = shell.ReadRedactor(c)
	s.Verbose, s.Force = c.Bool("v"), c.Bool("force")
	return s, err
}
