package cli

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/command/account"
	"github.com/jstall/jstall/internal/shell"
)

// Users of the Java tool of the same name type its commands and flags. Each means the same here, or is refused with the
// way to do it here: this file has those that are refused, or that need a reading of their own.

// javaFlag is a flag of the Java tool that no command of jstall has.
type javaFlag struct {
	// valued reports whether a value follows.
	valued bool
	// says completes "there is no flag --ssh: …", hint is what to type instead; the flag's value replaces VALUE.
	says, hint string
}

var javaFlags = map[string]javaFlag{
	"ssh": {true, "a place is named by --on", "--on ssh:VALUE"},
	"s":   {true, "a place is named by --on", "--on ssh:VALUE"},
	"cf":  {true, "a place is named by --on", "--on 'exec:cf ssh VALUE -c'"},
	"open": {false, "jstall starts no browser",
		"jstall flame PID -o flame.html && xdg-open flame.html"},
	"keep-samples": {true, "top saves nothing", "jstall record PID --count 10 -o FILE.zip"},
	"include":      {true, "jcmd sends a command of your choice", "jstall jcmd PID VALUE > FILE.txt"},
	"no-parallel": {false, "several JVMs are recorded at the same time",
		"jstall record PID -o FILE.zip, one JVM after the other"},
}

// takeJavaFlag notes a flag of the Java tool. It returns how many of the words are its value.
func (l *line) takeJavaFlag(words []string) (taken int, ok bool) {
	name, value, joined := strings.Cut(words[0], "=")
	f, ok := javaFlags[strings.TrimLeft(name, "-")]
	if !ok {
		return 0, false
	}
	if f.valued && !joined && len(words) > 1 {
		value, taken = words[1], 1
	}
	if l.foreign == nil {
		l.foreign = f.refusal(name, value)
	}
	return taken, true
}

func (f javaFlag) refusal(typed, value string) error {
	value = strings.TrimPrefix(value, "ssh ") // it is a command there
	if value == "" {
		value = "NAME"
	}
	return shell.Usage(strings.ReplaceAll(f.hint, "VALUE", value), "there is no flag %s: %s", typed, f.says)
}

// javaCommands are the commands of the Java tool and of its relatives that jstall does not have.
var javaCommands = map[string]struct{ says, hint string }{
	"ai": {"jstall asks no language model",
		"jstall status PID --format markdown prints what a model can read; jstall mcp answers a model's questions"},
	"redact-text": {"redact reads any text", "jstall redact FILE OUT"},
}

// javaCommand is the error of a first word that is a command of the Java tool.
func javaCommand(word string) error {
	c, ok := javaCommands[word]
	if !ok || shell.IsFile(word) {
		return nil
	}
	return shell.Usage(fmt.Sprintf("%s, or `jstall status %s` if a JVM is meant", c.hint, word),
		"there is no command %q: %s", word, c.says)
}

// bareColor reports that --color has no value: the Java tool's flag has none. It means always then.
func bareColor(words []string, commands []*cli.Command) bool {
	if words[0] != "--color" {
		return false
	}
	if len(words) == 1 || strings.HasPrefix(words[1], "-") || words[1] == "all" || find(commands, words[1]) != nil {
		return true
	}
	_, err := strconv.Atoi(words[1])
	return err == nil || shell.IsFile(words[1])
}

// keptNowhere is the error of --keep without a value, or with the target as its value: the Java tool's flag has none.
func (l *line) keptNowhere(command *cli.Command) error {
	i := slices.Index(l.flags, "--keep")
	if i < 0 {
		return nil
	}
	hasFlag := func(f cli.Flag) bool { _, text := f.(*cli.StringFlag); return text && f.Names()[0] == "keep" }
	switch says, hint := inJava(command.Name, "keep"); {
	case says != "":
		return shell.Usage(hint, "--keep is no flag of %s: %s", command.Name, says)
	case l.bareKeep != nil:
		return l.bareKeep
	case !slices.ContainsFunc(command.Flags, hasFlag):
		return nil
	}
	value := l.flags[i+1]
	_, err := strconv.Atoi(value)
	alone := len(l.words) == 0 && !strings.HasSuffix(value, ".zip") && !slices.Contains(l.flags, "-f")
	if err != nil && !alone {
		return nil
	}
	return shell.Usage(fmt.Sprintf("jstall %s --keep FILE.zip %s", command.Name, value),
		"--keep takes the name of a file, and %q is the target", value)
}

// inJava are the flags that the Java tool has for a command and jstall for other commands only, with the way here.
func inJava(command, flag string) (says, hint string) {
	ofAccount := slices.Contains(account.Names(), command)
	switch {
	case command == "list" && (flag == "f" || flag == "file"):
		return "list shows running JVMs", "jstall record summary FILE.zip"
	case ofAccount && (flag == "live" || flag == "l"):
		return command + " has no live screen", fmt.Sprintf("watch -n 5 jstall %s PID", command)
	case ofAccount && flag == "keep":
		return command + " saves nothing", "jstall record PID -o FILE.zip"
	}
	return "", ""
}
