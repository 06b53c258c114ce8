// Package jfr is the command jfr: events, queries and views of flight recordings.
package jfr

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

// parts are the commands of jfr, in the order of its help.
func parts() []part {
	return []part{summaryPart(), viewsPart(), viewPart(), queryPart(), eventsPart()}
}

// Command is the command jfr.
func Command(env *shell.Env) *cli.Command {
	command := &cli.Command{
		Name: "jfr", Usage: "what flight recordings hold",
		Action: func(c *cli.Context) error { return runJFR(c, env) },
	}
	var forms, examples []string
	for _, p := range parts() {
		forms = append(forms, p.name+" "+p.words)
		examples = append(examples, strings.Trim(p.examples, "\n"))
		for _, f := range p.flags {
			same := func(known cli.Flag) bool { return known.Names()[0] == f.Names()[0] }
			if !slices.ContainsFunc(command.Flags, same) {
				command.Flags = append(command.Flags, f)
			}
		}
	}
	command.ArgsUsage = strings.Join(forms, " | ")
	command.Description = "Reads the files of the flight recorder, of OpenJDK and of async-profiler. It needs no " +
		"JDK.\n\nExamples:\n" + strings.Join(examples, "\n")
	return command
}

// runJFR runs the command that the first word names.
func runJFR(c *cli.Context, env *shell.Env) error {
	var names []string
	for _, p := range parts() {
		names = append(names, p.name)
		if p.name != c.Args().First() {
			continue
		}
		var known []string
		for _, f := range p.flags {
			known = append(known, f.Names()[0])
		}
		if err := shell.RefuseAllBut(c, "jfr "+p.name, known...); err != nil {
			return err
		}
		return p.run(c, env, c.Args().Tail())
	}
	hint := "jstall jfr " + names[0] + " " + parts()[0].words
	switch word := c.Args().First(); {
	case word == "":
		return shell.Usage(hint, "jfr needs a command: %s", strings.Join(names, ", "))
	case shell.Mistyped(word, names) != "":
		return shell.Usage(hint, "jfr has no command %q; did you mean %q?", word, shell.Mistyped(word, names))
	default:
		return shell.Usage(hint, "jfr has no command %q, only %s", word, strings.Join(names, ", "))
	}
}
