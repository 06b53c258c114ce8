package attach

import (
	"bytes"
	"slices"
	"strings"
)

// separate are the options of the java launcher whose value is the next argument.
var separate = []string{
	"-cp", "-classpath", "--class-path", "-p", "--module-path", "--upgrade-module-path",
	"--add-modules", "--limit-modules", "--add-reads", "--add-exports", "--add-opens",
	"--patch-module", "--enable-native-access", "--source",
}

// attachDisabled reports whether the JVM's options switch attaching off, as far as
// the command line and the environment show them, and where. The JVM reads
// JAVA_TOOL_OPTIONS first, then the command line, with JDK_JAVA_OPTIONS put in
// front of it by the launcher, and _JAVA_OPTIONS last; the last option counts.
func attachDisabled(cmdline, environ []byte) (disabled bool, where string) {
	environment := func(name string) []string {
		for _, v := range nulSeparated(environ) {
			if value, ok := strings.CutPrefix(v, name+"="); ok {
				return strings.Fields(value)
			}
		}
		return nil
	}
	sources := []struct {
		name    string
		options []string
	}{
		{"JAVA_TOOL_OPTIONS", environment("JAVA_TOOL_OPTIONS")},
		{"JDK_JAVA_OPTIONS", environment("JDK_JAVA_OPTIONS")},
		{"the command line", launcherOptions(nulSeparated(cmdline))},
		{"_JAVA_OPTIONS", environment("_JAVA_OPTIONS")},
	}
	for _, s := range sources {
		if off, told := switchedOff(s.options); told {
			if disabled, where = off, ""; off {
				where = s.name
			}
		}
	}
	return disabled, where
}

// switchedOff reports whether the last option about it switches attaching off; known
// is false if none is about it.
func switchedOff(options []string) (off, told bool) {
	for _, o := range options {
		switch strings.Trim(o, `"'`) {
		case "-XX:+DisableAttachMechanism":
			off, told = true, true
		case "-XX:-DisableAttachMechanism":
			off, told = false, true
		}
	}
	return off, told
}

// launcherOptions returns the arguments before the main class, module or jar:
// what follows is the application's.
func launcherOptions(args []string) []string {
	for i := 1; i < len(args); i++ {
		switch a := args[i]; {
		case slices.Contains(separate, a):
			i++
		case a == "-jar", a == "-m", a == "--module", !strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "@"):
			return args[1:i]
		}
	}
	return args[min(1, len(args)):]
}

func nulSeparated(b []byte) []string {
	return strings.Split(string(bytes.TrimRight(b, "\x00")), "\x00")
}
