package session

import (
	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

// ReadSetup adds the values of the flags for progress, redaction and existing files.
func ReadSetup(c *cli.Context, s Setup) (Setup, error) {
	var err error
	s.Redactor, err = shell.ReadRedactor(c)
	s.Verbose, s.Force = c.Bool("v"), c.Bool("force")
	return s, err
}
