package analysis

import (
	"strings"

	"jstall/threaddump"
)

// applicationFrame is the first frame from the top that the application's own
// authors wrote: not the JDK, not a known framework, not generated code. Nil if
// the whole stack is none of theirs.
func applicationFrame(stack []*threaddump.Frame) *threaddump.Frame {
	for _, f := range stack {
		if isApplication(f) {
			return f
		}
	}
	return nil
}

func isApplication(f *threaddump.Frame) bool {
	return !isJDK(f) && !isGenerated(f.Class) && !isFramework(f.Class)
}

// isJDK prefers the module where one is printed (JDK 9 and newer): a class of
// javax.* may well be an application's dependency, java.base never is.
func isJDK(f *threaddump.Frame) bool {
	if f.Module != "" {
		return strings.HasPrefix(f.Module, "java.") || strings.HasPrefix(f.Module, "jdk.")
	}
	return hasAnyPrefix(f.Class, jdkPackages[:])
}

// isGenerated tells classes that a runtime spins: lambda forms, proxies,
// reflection accessors. Their names say nothing to a reader and change from run
// to run; the code they lead to is in a frame of its own.
func isGenerated(class string) bool {
	if !strings.Contains(class, "$") && !strings.Contains(class, "Generated") {
		return false
	}
	for _, part := range generatedParts {
		if strings.Contains(class, part) {
			return true
		}
	}
	return false
}

func isFramework(class string) bool { return hasAnyPrefix(class, frameworkPackages[:]) }

func hasAnyPrefix(s string, prefixes []string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
