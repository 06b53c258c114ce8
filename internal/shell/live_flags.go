package shell

import (
	"slices"

	"github.com/urfave/cli/v2"
)

// liveFlags are the flags for running JVMs, each with the reason why it does not apply to a file.
var liveFlags = map[string]string{
	"count": "saved dumps are all read", "interval": "saved data has its own times",
	"duration": "a saved profile is read whole", "max-pause-share": "reading a file pauses no JVM",
	"locks": unasked, "virtual": unasked, "via": unasked, "timeout": unasked, "max-pause": unasked,
	AttachAnyway: unasked, "force": "no file is written",
	"l": unasked, "all": unasked, "engine": unasked, "async-lib": unasked,
}

const unasked = "nothing is asked of a JVM to read a file"

// asksNothing are the values that are allowed for files too, as with them no JVM is asked.
var asksNothing = []string{"auto", "never", "false"}

// RefuseUnused is the error of flags that would be ignored, if all targets are saved files. The exempt flags also have
// a meaning for files.
func RefuseUnused(c *cli.Context, saved bool, exempt ...string) error {
	if !saved || c.IsSet("on") { // a capture of another place
		return nil
	}
	for _, f := range c.Command.Flags {
		name := f.Names()[0]
		reason, live := liveFlags[name]
		if !live || !c.IsSet(name) || slices.Contains(exempt, name) || slices.Contains(asksNothing, c.String(name)) {
			continue
		}
		return Usage("omit "+Dashed(name)+", or name a running JVM", "%s is for running JVMs: %s",
			Dashed(name), reason)
	}
	return nil
}
