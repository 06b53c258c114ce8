package cli

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

// A group is a heading of --help and the names under it.
type group struct{ title, names string }

// commandGroups order the commands of jstall --help. A command in no group is listed under otherGroup.
var commandGroups = [...]group{
	{"Diagnose", "status deadlock most-work threads waiting-threads dependency-tree dependency-graph top compare"},
	{"Profile", "flame jfr"},
	{"Record", "record watch report redact"},
	{"Ask the JVM", "gc-heap-info vm-metaspace vm-classloader-stats class-histogram compiler-queue vm-vitals " +
		"vm-flags jvm-support processes classes methods dump jcmd"},
	{"Tools", "list doctor mcp schema completion man"},
}

// flagGroups order the flags of a command. A flag with a category is listed under it, a flag in no group under
// otherGroup.
var flagGroups = [...]group{
	{"Target", "f on binary keep-binary connect-timeout jar children history"},
	{"Capture", "count interval via locks max-pause virtual timeout force attach-anyway duration engine event " +
		"max-pause-share async-lib when after rate max-cpu dumps-only"},
	{"Output", "o output as format json max-tokens full top stack-depth color v keep redact redact-rules no-redact " +
		"profile weight diff by-thread by label-from fail-on platform-only http exec exec-timeout max-files min-free " +
		"dir exact-names limit schema"},
	{"Filters", "thread intelligent-filter no-native idle method methods unused"},
}

const otherGroup = "Other"

// groupOf is the heading for a name.
func groupOf(groups []group, name string) string {
	for _, g := range groups {
		if slices.Contains(strings.Fields(g.names), name) {
			return g.title
		}
	}
	return otherGroup
}

const (
	// mostHelp is the width at which help is wrapped in a wider terminal: longer lines are hard to read.
	mostHelp = 100
	// leastHelp is the minimum width of the descriptions.
	leastHelp = 24
	// mostName is the maximum width of the column of names. The description of a longer name begins on the next line.
	mostName = 26
)

// helpWidth is the width for help on this terminal.
func helpWidth(env *shell.Env) int {
	if env.OutWidth == 0 {
		return shell.UsualWidth
	}
	return min(env.OutWidth, mostHelp)
}

// writeHelp writes the help of a command, or of the program if it is nil.
func writeHelp(env *shell.Env, app *cli.App, c *cli.Command) error {
	h := &help{width: helpWidth(env)}
	if c == nil {
		h.paragraph("", app.Name+" "+app.Usage+".")
		h.paragraph("", "Without --fail-on, findings other than deadlocks do not change the exit code.")
		h.line("")
		h.line("Usage:")
		for _, line := range strings.Split(app.UsageText, "\n") {
			h.line("  " + strings.TrimSpace(line))
		}
		h.description(app.Description)
		h.commands(app.VisibleCommands())
		h.flags(app.VisibleFlags())
		h.line("")
		h.line("jstall COMMAND --help shows the help of a command.")
	} else {
		h.paragraph("", fmt.Sprintf("jstall %s: %s.", c.Name, c.Usage))
		h.line("")
		h.line(strings.TrimSpace(fmt.Sprintf("Usage: jstall %s [flags] %s", c.Name, c.ArgsUsage)))
		h.description(c.Description)
		h.flags(c.VisibleFlags())
	}
	_, err := io.WriteString(env.Stdout, h.String())
	return err
}

// help is a text that is wrapped at a width.
type help struct {
	strings.Builder
	width int
}

func (h *help) line(text string) { h.WriteString(strings.TrimRight(text, " ") + "\n") }

// paragraph wraps words; each line begins with indent.
func (h *help) paragraph(indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if line != indent && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > h.width {
			h.line(line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	h.line(line)
}

// description wraps the paragraphs of a text. Lines that are indented stay as they are.
func (h *help) description(text string) {
	if text = strings.Trim(text, "\n"); text == "" {
		return
	}
	h.line("")
	var prose []string
	flush := func() {
		if len(prose) > 0 {
			h.paragraph("", strings.Join(prose, " "))
		}
		prose = nil
	}
	for _, line := range strings.Split(text, "\n") {
		if line != "" && line[0] != ' ' {
			prose = append(prose, line)
			continue
		}
		flush()
		h.line(line)
	}
	flush()
}

// entry writes a name and its description in two columns.
func (h *help) entry(name, text string, column int) {
	if h.width < column+leastHelp {
		h.line("  " + name)
		h.paragraph("      ", text)
		return
	}
	if utf8.RuneCountInString(name)+4 > column {
		h.line("  " + name)
		name = ""
	}
	indent := strings.Repeat(" ", column)
	rest := help{width: h.width}
	rest.paragraph(indent, text)
	h.WriteString("  " + name + strings.Repeat(" ", column-2-utf8.RuneCountInString(name)) + rest.String()[column:])
}

func (h *help) commands(all []*cli.Command) {
	entries := map[string][][2]string{}
	for _, c := range all {
		title := groupOf(commandGroups[:], c.Name)
		entries[title] = append(entries[title], [2]string{c.Name, c.Usage})
	}
	h.groups(commandGroups[:], entries)
}

func (h *help) flags(all []cli.Flag) {
	entries := map[string][][2]string{}
	for _, f := range all {
		title := groupOf(flagGroups[:], f.Names()[0])
		if c, ok := f.(cli.CategorizableFlag); ok && c.GetCategory() != "" {
			title = c.GetCategory()
		}
		name, text := flagHelp(f)
		entries[title] = append(entries[title], [2]string{name, text})
	}
	h.groups(flagGroups[:], entries)
}

// groups writes entries under their headings.
func (h *help) groups(groups []group, entries map[string][][2]string) {
	column := 0
	for _, of := range entries {
		for _, e := range of {
			if n := utf8.RuneCountInString(e[0]); n <= mostName {
				column = max(column, n+4)
			}
		}
	}
	for _, g := range append(slices.Clone(groups), group{title: otherGroup}) {
		if len(entries[g.title]) == 0 {
			continue
		}
		h.line("")
		h.line(g.title + ":")
		for _, e := range entries[g.title] {
			h.entry(e[0], e[1], column)
		}
	}
}

// flagHelp returns a flag's name in help, with the placeholder of its value, and its description.
func flagHelp(f cli.Flag) (name, text string) {
	names := slices.Clone(f.Names())
	slices.SortStableFunc(names, func(a, b string) int { return min(len(a), 2) - min(len(b), 2) })
	for i, n := range names {
		names[i] = shell.Dashed(n)
	}
	name = strings.Join(names, ", ")
	doc, ok := f.(cli.DocGenerationFlag)
	if !ok {
		return name, ""
	}
	text = doc.GetUsage()
	value, text := placeholder(f, text)
	if value != "" {
		name += " " + value
	}
	known := strings.Trim(doc.GetDefaultText(), `"`)
	if _, isTime := f.(*cli.DurationFlag); isTime && strings.HasSuffix(known, "m0s") {
		known = strings.TrimSuffix(known, "0s")
	}
	if _, isBool := f.(*cli.BoolFlag); !isBool && doc.TakesValue() && known != "" && known != "0" && known != "0s" {
		text += fmt.Sprintf(" (default: %s)", known)
	}
	return name, text
}

// placeholder returns the placeholder of a flag's value, and the description without the quotes around it: `FILE`.
func placeholder(f cli.Flag, text string) (value, rest string) {
	doc, ok := f.(cli.DocGenerationFlag)
	if before, after, quoted := strings.Cut(text, "`"); quoted {
		if name, after, closed := strings.Cut(after, "`"); closed {
			return name, before + name + after
		}
	}
	if !ok || !doc.TakesValue() {
		return "", text
	}
	if values := flagValues[f.Names()[0]]; values != "" {
		return strings.ReplaceAll(values, " ", "|"), text
	}
	switch f.(type) {
	case *cli.IntFlag:
		return "N", text
	case *cli.DurationFlag:
		return "DURATION", text
	case *cli.Float64Flag:
		return "NUMBER", text
	}
	return "TEXT", text
}
