package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

// sharedBy is how many commands must have a flag, with the same text, for the manual page to describe it only once.
const sharedBy = 4

func manCommand(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the manual page", ArgsUsage: " ",
		Description: `Packages install it; without one:
   jstall man | man -l -`,
		Action: func(c *cli.Context) error {
			if c.Args().Present() {
				return shell.Usage("jstall man | man -l -", "man has no arguments")
			}
			_, err := io.WriteString(env.Stdout, manual(c.App, env.Version))
			return err
		},
	}
}

// manual returns the manual page of the program, in the macros of man(7), made of the texts of --help.
func manual(app *cli.App, version string) string {
	var page roff
	page.line(`.\" made by: jstall man`)
	page.line(fmt.Sprintf(`.TH JSTALL 1 "" "jstall %s" "User Commands"`, quoteRoff(version)))
	page.section("NAME")
	page.line(`jstall \- ` + escapeRoff(app.Usage))
	page.section("SYNOPSIS")
	page.line(".nf")
	for line := range strings.Lines(app.UsageText) {
		page.text(strings.TrimSpace(line))
	}
	page.line(".fi")
	page.section("DESCRIPTION")
	page.prose(app.Description)
	shared := sharedFlags(app.VisibleCommands())
	page.section("COMMANDS")
	for _, c := range app.VisibleCommands() {
		page.command(c, shared)
	}
	page.section("OPTIONS")
	page.text("Options of many commands. They mean the same before and after the command and its targets.")
	for _, f := range shared {
		page.flag(f)
	}
	page.section("ENVIRONMENT")
	page.tagged("NO_COLOR", "If set, the output has no colour, unless --color=always.")
	page.section("SEE ALSO")
	page.line(".BR jcmd (1),\n.BR jstack (1)")
	return page.String()
}

// sharedFlags returns the texts of the flags that many commands have, in the order of their first occurrence.
func sharedFlags(commands []*cli.Command) []string {
	var texts []string
	times := map[string]int{}
	for _, c := range commands {
		for _, text := range flagTexts(c) {
			if times[text]++; times[text] == sharedBy {
				texts = append(texts, text)
			}
		}
	}
	return texts
}

// flagTexts returns a command's flags as --help prints them: names, a tab, the description.
func flagTexts(c *cli.Command) []string {
	var texts []string
	for _, f := range c.VisibleFlags() {
		texts = append(texts, f.String())
	}
	return texts
}

// roff is a manual page that is being written.
type roff struct{ strings.Builder }

func (r *roff) line(line string) { r.WriteString(line + "\n") }

func (r *roff) text(line string) { r.line(escapeRoff(line)) }

func (r *roff) section(name string) { r.line(".SH " + name) }

func (r *roff) tagged(tag, text string) {
	r.line(".TP\n.B " + escapeRoff(tag))
	r.text(text)
}

// flag writes one flag of [flagTexts].
func (r *roff) flag(text string) {
	names, what, _ := strings.Cut(text, "\t")
	r.tagged(names, strings.TrimSpace(what))
}

func (r *roff) command(c *cli.Command, shared []string) {
	r.line(".SS " + escapeRoff(strings.TrimSpace("jstall "+c.Name+" "+c.ArgsUsage)))
	r.text(capital(c.Usage) + ".")
	if c.Description != "" {
		r.line(".PP")
		r.prose(c.Description)
	}
	var common []string
	for _, text := range flagTexts(c) {
		if !slices.Contains(shared, text) {
			r.flag(text)
			continue
		}
		names, _, _ := strings.Cut(text, "\t")
		common = append(common, strings.TrimSuffix(strings.Fields(names)[0], ","))
	}
	if len(common) > 0 {
		r.line(".PP")
		r.text("Also, from OPTIONS: " + strings.Join(common, ", "))
	}
	for _, sub := range c.Subcommands {
		r.command(sub, shared)
	}
}

// prose writes paragraphs; indented lines stay as they are.
func (r *roff) prose(text string) {
	asIs := false
	for line := range strings.Lines(strings.Trim(text, "\n")) {
		line = strings.TrimRight(line, "\n")
		if indented := strings.HasPrefix(line, "   "); indented != asIs && line != "" {
			asIs = indented
			r.line(map[bool]string{true: ".nf", false: ".fi"}[asIs])
		}
		switch {
		case line == "":
			r.line(".PP")
		default:
			r.text(line)
		}
	}
	if asIs {
		r.line(".fi")
	}
}

// escapeRoff escapes text so that no line of it is a request, and its characters stay as they are.
func escapeRoff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`, "^", `\(ha`, "~", `\(ti`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

// quoteRoff escapes text for the quotes of a request.
func quoteRoff(text string) string { return strings.ReplaceAll(escapeRoff(text), `"`, `""`) }

func capital(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}
