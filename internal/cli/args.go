package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/shell"
)

// arrange puts the arguments into the order that the flag library needs: the command, its flags, the dashes, then
// everything else. A flag thus means the same before and after the command and the targets. Commands in verbatim take
// the words after their first target unchanged. Without arguments the result is empty.
func arrange(args []string, commands []*cli.Command, verbatim map[string]bool) ([]string, error) {
	line, err := split(args, commands, verbatim)
	if err != nil {
		return nil, err
	}
	if slices.Contains(line.flags, "--version") || slices.Contains(line.flags, "-V") {
		return []string{"--version"}, nil
	}
	if len(line.words) > 0 && line.words[0] == "help" && !line.dashed {
		line.words, line.flags = line.words[1:], append(line.flags, "--help")
		if len(line.words) > 0 && find(commands, line.words[0]) == nil {
			return nil, noCommand(line.words[0], commands)
		}
	}
	if len(line.words) == 0 && (len(line.flags) == 0 && line.foreign == nil || wantsHelp(line.flags)) {
		return line.flags, nil
	}
	name, err := line.takeCommand(commands)
	if err != nil {
		return nil, err
	}
	if err := line.settle(find(commands, name)); err != nil {
		return nil, err
	}
	out := append([]string{name}, line.flags...)
	return append(append(out, "--"), line.words...), nil
}

// settle refuses flags that jstall does not have, unless help is wanted.
func (l *line) settle(command *cli.Command) error {
	if wantsHelp(l.flags) {
		l.words = nil // the library would take them for topics
		return nil
	}
	return cmp.Or(l.foreign, l.keptNowhere(command))
}

// takeCommand removes the command from the words. Without a command it is status.
func (l *line) takeCommand(commands []*cli.Command) (string, error) {
	if len(l.words) == 0 || l.dashed {
		return "status", nil
	}
	first := l.words[0]
	if find(commands, first) != nil {
		l.words = l.words[1:]
		return first, nil
	}
	return "status", misplaced(l.words, commands)
}

// meantBy maps words that other programs use to commands of jstall. As a filter such a word would match no JVM, or
// one that the user does not mean.
var meantBy = map[string]string{
	"ps": "list", "jps": "list", "ls": "list", "cpu": "most-work", "hot": "most-work",
	"info": "status", "diagnose": "status", "analyze": "status", "analyse": "status", "check": "doctor",
	"stack": "dump", "stacks": "threads", "jstack": "dump", "threaddump": "dump", "thread-dump": "dump",
	"thread": "threads", "locks": "dependency-tree", "waits": "waiting-threads", "heap": "gc-heap-info",
	"gc": "gc-heap-info", "jmap": "class-histogram", "histo": "class-histogram", "histogram": "class-histogram",
	"jinfo": "vm-flags", "flags": "vm-flags", "metaspace": "vm-metaspace", "profile": "flame",
	"profiler": "flame", "flamegraph": "flame", "diff": "compare", "html": "report", "save": "record",
}

// misplaced is the error of words that do not begin with a command but probably were meant to: the command is mistyped,
// or follows the target.
func misplaced(words []string, commands []*cli.Command) error {
	first := words[0]
	if first == "version" && !shell.IsFile(first) {
		return shell.Usage("jstall --version, or `jstall status version` if a JVM is meant",
			"there is no command \"version\"")
	}
	if err := javaCommand(first); err != nil {
		return err
	}
	near := meantBy[first]
	if near == "" || shell.IsFile(first) {
		near = mistyped(first, commands)
	}
	if near != "" {
		return shell.Usage(fmt.Sprintf("jstall %s …, or `jstall status %s` if a JVM is meant", near, first),
			"there is no command %q; did you mean %q?", first, near)
	}
	for i, word := range words {
		if find(commands, word) != nil && !shell.IsFile(word) {
			return shell.Usage(fmt.Sprintf("or `jstall status %s` if a JVM is meant by %s", strings.Join(words, " "),
				word), "the command comes first; did you mean `jstall %s %s`?", word,
				strings.Join(slices.Delete(slices.Clone(words), i, i+1), " "))
		}
	}
	return nil
}

func noCommand(word string, commands []*cli.Command) error {
	if near := mistyped(word, commands); near != "" {
		return shell.Usage("jstall help "+near, "there is no command %q; did you mean %q?", word, near)
	}
	return shell.Usage("jstall --help", "there is no command %q", word)
}

func wantsHelp(flags []string) bool {
	return slices.ContainsFunc(flags, func(flag string) bool {
		return flag == "--help" || flag == "-h" || flag == "--help=true"
	})
}

// beforeDashes returns the words before "--", and whether "--" is there.
func beforeDashes(words []string) ([]string, bool) {
	if i := slices.Index(words, "--"); i >= 0 {
		return words[:i], true
	}
	return words, false
}

// mistyped returns the command that a first word was probably meant to be,
// empty if it is a target.
func mistyped(word string, commands []*cli.Command) string {
	if strings.ContainsAny(word, "./0123456789") || word == "all" || shell.IsFile(word) {
		return ""
	}
	var names []string
	for _, c := range commands {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	isName := func(name string) bool { return strings.EqualFold(name, word) }
	if strings.ToLower(word) != word && !slices.ContainsFunc(names, isName) {
		return "" // no command has capitals, and classes do
	}
	return shell.Mistyped(word, names)
}

// line is a parsed command line.
type line struct {
	flags, words []string
	dashed       bool // the words follow "--"
	// foreign is the refusal of the first flag of the Java tool, nil without any.
	foreign error
	// bareKeep is the error of --keep without a value, nil if it has one.
	bareKeep error
}

// lacksValue is the error of a flag that needs a value and has none.
func lacksValue(words []string) error {
	arg, hint, value := words[0], "jstall --help", "VALUE"
	if arg == "--keep" {
		hint, value = "--keep FILE.zip", "FILE.zip"
	}
	if len(words) == 1 || words[1] == "--" {
		return shell.Usage(hint, "flag needs a value: %s", arg)
	}
	if next := words[1]; shell.IsLongFlag(next) {
		return shell.Usage(fmt.Sprintf("%s %s %[3]s, or %[1]s=%[3]s if that is the value", arg, value, next),
			"%s needs a value, and %s is a flag", arg, next)
	}
	return nil
}

func split(args []string, commands []*cli.Command, verbatim map[string]bool) (line, error) {
	var l line
	takesValue := valuedFlags(commands)
	for i := 0; i < len(args); i++ {
		arg := args[i]
		switch {
		case arg == "--":
			l.dashed = len(l.words) == 0
			l.words = append(l.words, args[i+1:]...)
			return l, nil
		case len(arg) > 1 && arg[0] == '-':
			if taken, ok := l.takeJavaFlag(args[i:]); ok {
				i += taken
				continue
			}
			if bareColor(args[i:], commands) {
				arg += "=always"
			}
			l.flags = append(l.flags, arg)
			if !takesValue(shell.FlagName(arg)) || strings.Contains(arg, "=") || isSwitch(args[i:]) {
				continue
			}
			if err := lacksValue(args[i:]); err != nil {
				if arg != "--keep" { // it has no value in the Java tool
					return l, err
				}
				l.bareKeep = err
				continue
			}
			i++
			l.flags = append(l.flags, args[i])
		default:
			l.words = append(l.words, arg)
			if len(l.words) == 2 && verbatim[l.words[0]] {
				l.words = append(l.words, args[i+1:]...)
				return l, nil
			}
		}
	}
	return l, nil
}

// isSwitch reports whether the first of the words is --schema of jfr events. It is the only flag without a value whose
// namesake of other commands has one: a number.
func isSwitch(words []string) bool {
	if shell.FlagName(words[0]) != "schema" {
		return false
	}
	if len(words) < 2 {
		return true
	}
	_, err := strconv.Atoi(words[1])
	return err != nil
}

// valuedFlags reports for every flag of every command whether a value follows. A flag has a value in all commands or in
// none, except for isSwitch.
func valuedFlags(commands []*cli.Command) func(flag string) bool {
	return func(flag string) bool {
		for _, c := range commands {
			for _, f := range c.Flags {
				if slices.Contains(f.Names(), flag) {
					_, isBool := f.(*cli.BoolFlag)
					return !isBool
				}
			}
		}
		return false
	}
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}
