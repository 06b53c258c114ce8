package flame

import (
	"strings"
	"unicode"

	"github.com/google/pprof/profile"

	"github.com/jstall/jstall/analysis/stack"
	"github.com/jstall/jstall/threaddump"
)

// Kind is whose code a function is.
type Kind string

// The kinds of functions.
const (
	Application Kind = "application"
	Framework   Kind = "framework"
	JDK         Kind = "jdk"
	JVM         Kind = "jvm"
	Native      Kind = "native"
	Kernel      Kind = "kernel"
)

// KindOf returns whose code a function is, by its name and module.
func KindOf(f *profile.Function) Kind {
	if kind := nativeKind(f); kind != "" {
		return kind
	}
	if strings.HasPrefix(f.Name, "[") && strings.HasSuffix(f.Name, "]") {
		return JVM
	}
	frame := threaddump.Frame{Class: f.Name}
	if i := strings.LastIndexByte(f.Name, '.'); i >= 0 {
		frame.Class, frame.Method = f.Name[:i], f.Name[i+1:]
	}
	if module, ok := strings.CutSuffix(f.SystemName, "/"+f.Name); ok {
		frame.Module = module
	}
	switch stack.OriginOf(&frame) {
	case stack.OfJDK:
		return JDK
	case stack.OfLibrary:
		return Framework
	}
	return Application
}

// nativeKind is the kind of a function that is no Java method and is named as one: empty for all others.
func nativeKind(f *profile.Function) Kind {
	if strings.HasSuffix(f.Name, markKernel) {
		return Kernel
	}
	file, symbol, _ := strings.Cut(f.Name, "!")
	if symbol == "" || f.Filename != "" || !isNativeFile(file) {
		return ""
	}
	switch file {
	case fileOfKernel:
		return Kernel
	case fileOfJVM:
		return JVM
	}
	return Native
}

// isNativeFile distinguishes the file of a native frame from the beginning of a Java name with an exclamation mark in
// it: a library, a program without a suffix, or a part of the memory in square brackets.
func isNativeFile(file string) bool {
	switch {
	case file == "":
		return false
	case strings.HasPrefix(file, "["):
		return strings.HasSuffix(file, "]")
	}
	return isLibrary(file) || isProgram(file)
}

// isLibrary recognises the name of a shared library, with or without a version: "libc.so.6", "libnio.so".
func isLibrary(file string) bool {
	name, version, found := strings.Cut(file, ".so")
	return found && name != "" && (version == "" || version[0] == '-' || len(version) > 1 && version[0] == '.' &&
		version[1] >= '0' && version[1] <= '9')
}

// isProgram recognises the name of a program: letters, digits, hyphens and the like.
func isProgram(file string) bool {
	return strings.IndexFunc(file, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' && r != '+'
	}) < 0
}

// Marks that other profilers put behind the name of a frame to say what kind of code it is: async-profiler and the
// scripts of perf.
const (
	markKernel    = "_[k]"
	markInlined   = "_[i]"
	markCompiled  = "_[j]"
	markInterpret = "_[0]"
	markFirstTier = "_[1]"
)

// foreignName is the name of a frame as we write it, from how another profiler wrote it, and whether the frame is
// certain to be Java code.
func foreignName(name string) (own string, isJava bool) {
	if bare, found := strings.CutSuffix(name, markKernel); found && bare != "" {
		return fileOfKernel + "!" + bare, false
	}
	for _, mark := range [...]string{markCompiled, markInlined, markInterpret, markFirstTier} {
		if bare, found := strings.CutSuffix(name, mark); found {
			return dotted(bare), true
		}
	}
	if file, symbol, found := strings.Cut(name, "`"); found && symbol != "" && isNativeFile(file) {
		return file + "!" + symbol, false
	}
	own = dotted(name)
	return own, own != name
}

// recordedName is the name of a frame of a flight recording, by the description of its kind and what stands for its
// class: async-profiler records native frames too, the JVM calls its native methods so.
func recordedName(kind, class, method string) string {
	switch {
	case kind == "Kernel":
		return fileOfKernel + "!" + method
	case kind != "Native" && kind != "C++":
	case class == "":
		return fileOfNothing + "!" + method
	case isLibrary(class):
		return class + "!" + method
	}
	if class == "" {
		return method
	}
	return class + "." + method
}

// isBareSymbol recognises the name of a native function without its file, as async-profiler writes it among Java
// methods: those always have a class.
func isBareSymbol(name string) bool {
	if name == "" || strings.ContainsAny(name, "![") {
		return false
	}
	return strings.Contains(name, "::") || !strings.ContainsAny(name, "./")
}

// dotted writes "java/util/HashMap.get" as we do, "java.util.HashMap.get".
func dotted(name string) string {
	slash, dot := strings.LastIndexByte(name, '/'), strings.LastIndexByte(name, '.')
	if slash < 0 || dot < slash || strings.ContainsAny(name, " ()[]<") && !strings.HasSuffix(name, "init>") ||
		strings.HasPrefix(name, "/") {
		return name
	}
	return strings.ReplaceAll(name[:dot], "/", ".") + name[dot:]
}
