package cli

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

// usageError turns an error of the flag library into one with a remedy; typed is the command line.
func usageError(c *cli.Context, err error, typed []string) error {
	help := "jstall --help"
	var flags []cli.Flag
	if c.Command != nil && c.Command.Name != "" && c.Command.Name != "jstall" {
		help, flags = "jstall "+c.Command.Name+" --help", c.Command.Flags
	}
	message := err.Error()
	if m := badValue().FindStringSubmatch(message); m != nil {
		return wrongValue(flags, m[1], m[2], help)
	}
	if _, name, ok := strings.Cut(message, "not defined: -"); ok {
		name = strings.TrimLeft(name, "-")
		if c.Command != nil {
			if says, hint := inJava(c.Command.Name, name); says != "" {
				return shell.Usage(hint, "%s is no flag of %s: %s", asTyped(name, typed), c.Command.Name, says)
			}
		}
		return noFlag(c.App, flags, name, asTyped(name, typed), help)
	}
	return shell.Usage(help, "%s", message)
}

// noFlag is the error of a flag that a command does not have. It names the flag that was probably meant, or the
// commands that have it.
func noFlag(app *cli.App, flags []cli.Flag, name, typed, help string) error {
	var known []string
	for _, f := range flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				known = append(known, n)
			}
		}
	}
	if near := shell.Mistyped(name, known); near != "" && len(name) > 1 {
		return shell.Usage(help, "there is no flag %s; did you mean %s?", typed, shell.Dashed(near))
	}
	var owners []string
	if app != nil {
		for _, c := range app.VisibleCommands() {
			if slices.ContainsFunc(c.Flags, func(f cli.Flag) bool { return slices.Contains(f.Names(), name) }) {
				owners = append(owners, c.Name)
			}
		}
	}
	const mostOwners = 4
	switch n := len(owners); {
	case n == 1:
		return shell.Usage("jstall "+owners[0]+" --help", "%s is a flag of %s", typed, owners[0])
	case n > 1 && n <= mostOwners:
		last := owners[n-1]
		return shell.Usage("jstall "+last+" --help", "%s is a flag of %s and %s", typed,
			strings.Join(owners[:n-1], ", "), last)
	}
	return shell.Usage(help, "there is no flag %s", typed)
}

// asTyped returns the flag as the user typed it on the command line.
func asTyped(name string, typed []string) string {
	for _, word := range typed {
		if strings.HasPrefix(word, "-") && shell.FlagName(word) == strings.TrimLeft(name, "-") {
			word, _, _ = strings.Cut(word, "=")
			return word
		}
	}
	return shell.Dashed(name)
}

// badValue matches the flag library's message about a value that it cannot parse.
var badValue = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^invalid (?:boolean )?value "(.*)" for (?:flag )?-?-([\w-]+): `)
})

// wrongValue is the error of a wrong value. It says what the flag takes.
func wrongValue(flags []cli.Flag, value, name, help string) error {
	typed := shell.Dashed(name)
	for _, f := range flags {
		if !slices.Contains(f.Names(), name) {
			continue
		}
		if named, ok := f.(namedFlag); ok {
			f = named.anyFlag
		}
		switch f.(type) {
		case *cli.IntFlag:
			return shell.Usage(typed+" 3", "%s takes a whole number, not %q", typed, value)
		case *cli.DurationFlag:
			return shell.Usage(typed+" 2s, or 500ms, or 1m", "%s takes a time with its unit, not %q", typed, value)
		}
	}
	return shell.Usage(help, "%s does not take %q", typed, value)
}
