package jvm

import (
	"path"
	"slices"
	"strings"
)

// command is a command line, parsed in the same way as by the java launcher.
type command struct {
	// options precede the main class. An option that takes the next argument as its value is followed by it.
	options []string
	// main is the main class, MODULE/CLASS, source file or path of the jar;
	// empty if the command line has none.
	main string
	args []string
	// jar is true if main is a jar.
	jar bool
	// sure reports an option that names the program or its class path.
	sure bool
}

// line is the text that the JVM keeps as sun.java.command.
func (c command) line() string { return strings.Join(append([]string{c.main}, c.args...), " ") }

// valued are the options whose value is the next argument; java.c, IsWhiteSpaceOption.
var valued = []string{
	"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path",
	"--add-modules", "--limit-modules", "--enable-native-access", "--add-exports", "--add-opens",
	"--add-reads", "--patch-module", "--source", "-d", "--describe-module",
}

// naming are the beginnings of options that only a Java launcher has.
var naming = []string{"-cp", "-classpath", "--class-path", "-p", "--module-path", "-jar", "-m", "--module", "-D",
	"-XX:", "-Xm", "-javaagent:"}

// parseCommand parses the arguments after the program's name. Argument files must have been expanded.
func parseCommand(args []string) command {
	var c command
	for len(args) > 0 && strings.HasPrefix(args[0], "-") {
		arg := args[0]
		c.sure = c.sure || slices.ContainsFunc(naming, func(n string) bool { return strings.HasPrefix(arg, n) })
		if arg == "-jar" {
			c.jar, args = true, args[1:]
			continue
		}
		if module, ok := strings.CutPrefix(arg, "--module="); ok {
			c.main, c.args = module, args[1:]
			return c
		}
		if arg == "-m" || arg == "--module" {
			break
		}
		n := 1
		if slices.Contains(valued, arg) {
			n = min(2, len(args))
		}
		c.options, args = append(c.options, args[:n]...), args[n:]
	}
	if len(args) > 0 && strings.HasPrefix(args[0], "-") { // -m, --module
		args = args[1:]
	}
	if len(args) > 0 {
		c.main, c.args = args[0], args[1:]
	}
	return c
}

// name is the usual name of the program: the main class, or the file's name of a jar or a source file.
func (c command) name() string {
	switch path.Ext(c.main) {
	case ".jar", ".war", ".java":
		return baseName(c.main)
	}
	if c.jar || strings.HasPrefix(c.main, "/") {
		return baseName(c.main)
	}
	return c.main
}

// splitCommand splits a line of sun.java.command. It recognises blanks within a path only for a jar whose path begins
// like one.
func splitCommand(line string) command {
	const jar = ".jar"
	if strings.HasPrefix(line, "/") || strings.HasPrefix(line, ".") {
		if at := strings.Index(line+" ", jar+" "); at >= 0 {
			end := at + len(jar)
			return command{main: line[:end], args: strings.Fields(line[end:])}
		}
	}
	words := strings.Fields(line)
	if len(words) == 0 {
		return command{}
	}
	return command{main: words[0], args: words[1:]}
}

// maxCommand is the length at which HotSpot cuts texts in hsperfdata, PerfMaxStringConstLength.
const maxCommand = 1024

// agrees reports whether the command line was parsed like the JVM parsed it. For a source file the JVM puts the class
// that compiles it in front. Only the JVM's text has empty arguments at the end.
func (c command) agrees(kept string, launched bool) bool {
	cut := len(kept) >= maxCommand
	kept, line := strings.TrimRight(kept, " "), strings.TrimRight(c.line(), " ")
	return line == kept || launched && strings.HasSuffix(kept, " "+line) || cut && strings.HasPrefix(line, kept)
}
