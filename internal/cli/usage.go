package cli

import (
	"regexp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

func usageError(c *cli.Context, err error, _ bool) error {
	help := "jstall --help"
	var flags []cli.Flag
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != "jstall" {
		help, flags = "jstall "+c.Command.Name+" --help", c.Command.Flags
	}
	message := err.Error()
	if m := badValue.FindStringSubmatch(message); m != nil {
		return wrongValue(flags, m[1], m[2], help)
	}
	return usage(help, "%s", strings.Replace(message, "not defined: -", "not defined: --", 1))
}

// badValue is how the flag library words a value that it cannot read.
var badValue = regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-?-([\w-]+): `)

// wrongValue says what a flag takes.
func wrongValue(flags []cli.Flag, value, name, help string) error {
	typed := dashed(name)
	for _, f := range flags {
		if !slices.Contains(f.Names(), name) {
			continue
		}
		switch f.(type) {
		case *cli.IntFlag:
			return usage(typed+" 3", "%s takes a whole number, not %q", typed, value)
		case *cli.DurationFlag:
			return usage(typed+" 2s, or 500ms, or 1m", "%s takes a time with its unit, not %q", typed, value)
		}
	}
	return usage(help, "%s does not take %q", typed, value)
}
