package shell

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// RefuseAllBut is the error of the first flag that is set and not one of those known.
func RefuseAllBut(c *cli.Context, form string, known ...string) error {
	for _, f := range c.Command.Flags {
		if name := f.Names()[0]; c.IsSet(name) && !slices.Contains(known, name) {
			return Usage("omit "+Dashed(name), "%s does not use %s", form, Dashed(name))
		}
	}
	return nil
}
