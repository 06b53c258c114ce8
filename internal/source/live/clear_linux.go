package live

import (
	"os"

	"github.com/jstall/jstall/attach"
)

// clearTriggers removes trigger files for JVMs that have ended since.
func clearTriggers(c *attach.Client) func(folder *os.File, names []string) []string {
	return c.ClearLeft
}
