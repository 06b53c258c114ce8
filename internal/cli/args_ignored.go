package cli

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// forRunning are the flags that say how dumps of a running JVM are taken.
var forRunning = [...]string{"count", "interval", "via", "locks", "max-pause", "virtual"}

// checkIgnored refuses flags that would be ignored: those for running JVMs where the targets are saved dumps. A target
// that was not found may have been meant to be one, and a recording takes the command line of its capture.
func checkIgnored(c *cli.Context, targets []target) error {
	other := func(t target) bool { return len(t.files) == 0 || t.recorded != nil }
	if len(targets) == 0 || slices.ContainsFunc(targets, other) {
		return nil
	}
	for _, name := range forRunning {
		if c.IsSet(name) {
			return usage("leave "+dashed(name)+" out: all saved dumps are read",
				"%s is for running JVMs, and %s is saved", dashed(name), targets[0].label())
		}
	}
	return nil
}
