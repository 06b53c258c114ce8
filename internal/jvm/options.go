package jvm

import (
	"slices"
	"strings"
)

// maxText bounds how much is read of a file that the process names.
const maxText = 1 << 20

// invocation is how a JVM was started: its raw command line and environment, and a function to read the files that they
// name.
type invocation struct {
	argv []string
	env  map[string]string
	open func(path string) ([]byte, error)
}

// optionVariables are the environment variables with options of the JVM.
var optionVariables = []string{"JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS"}

func optionEnvironment(environ []string) map[string]string {
	env := map[string]string{}
	for _, entry := range environ {
		name, value, _ := strings.Cut(entry, "=")
		for _, wanted := range optionVariables {
			if name == wanted {
				env[name] = value
			}
		}
	}
	return env
}

// command parses the command line after expanding its argument files.
func (in invocation) command() command {
	if len(in.argv) == 0 {
		return command{}
	}
	return parseCommand(in.expand(in.argv[1:]))
}

// expand replaces @FILE by the words of the file, up to the main class, like the launcher of 9 and newer. It does not
// replace a file that may not be read.
func (in invocation) expand(args []string) []string {
	var out []string
	value := false // the next word belongs to the option before it
	for i, arg := range args {
		if arg == "--disable-@files" {
			return append(out, args[i:]...)
		}
		words := in.argument(arg)
		out = append(out, words...)
		for _, word := range words {
			if !value && !strings.HasPrefix(word, "-") {
				return append(out, args[i+1:]...) // main class
			}
			value = !value && slices.Contains(valued, word)
		}
	}
	return out
}

func (in invocation) argument(arg string) []string {
	name, is := strings.CutPrefix(arg, "@")
	if !is || strings.HasPrefix(name, "@") {
		return []string{strings.TrimPrefix(arg, "@")}
	}
	text, err := in.open(name)
	if err != nil {
		return []string{arg}
	}
	return splitWords(string(text), true)
}

// jvmOptions sorts the options of a command in the order in which the JVM takes them, so that the last of several
// counts.
func (in invocation) jvmOptions(c command, launcher bool, major int) []string {
	out := in.withFiles(splitWords(in.env["JAVA_TOOL_OPTIONS"], false))
	if launcher && major != 8 {
		out = append(out, in.withFiles(in.expand(splitWords(in.env["JDK_JAVA_OPTIONS"], false)))...)
	}
	out = append(out, in.withFiles(c.options)...)
	out = append(out, in.withFiles(splitWords(in.env["_JAVA_OPTIONS"], false))...)
	return append(in.flags(out), out...)
}

// withFiles adds the words of a file of options (9 and newer) after its name.
func (in invocation) withFiles(options []string) []string {
	var out []string
	for _, option := range options {
		out = append(out, option)
		if file, ok := strings.CutPrefix(option, "-XX:VMOptionsFile="); ok {
			if text, err := in.open(file); err == nil {
				out = append(out, splitWords(string(text), false)...)
			}
		}
	}
	return out
}

// flags returns the words of the last file of flags, as options. The JVM reads it before the options. It has lines such
// as "+UseSerialGC" and "MaxHeapSize=64m".
func (in invocation) flags(options []string) []string {
	last := ""
	for _, option := range options {
		if file, ok := strings.CutPrefix(option, "-XX:Flags="); ok {
			last = file
		}
	}
	if last == "" {
		return nil
	}
	text, err := in.open(last)
	if err != nil {
		return nil
	}
	words := splitWords(string(text), true)
	for i := range words {
		words[i] = "-XX:" + words[i]
	}
	return words
}
