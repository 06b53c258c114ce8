package query

import (
	"strings"

	"github.com/jstall/jstall/internal/javaname"
	"github.com/jstall/jstall/internal/jfr"
)

// className is a class as the JDK's views write it: they print a hidden class with a dot before its address.
func className(internal string) string {
	return strings.NewReplacer("/", ".", "+", ".").Replace(javaname.Class(internal))
}

// parameters are the types of a method's parameters without their packages, by its descriptor.
func parameters(descriptor string) string {
	types, _ := javaname.Parameters(descriptor)
	for i, name := range types {
		types[i] = name[strings.LastIndexByte(name, '.')+1:]
	}
	return strings.Join(types, ", ")
}

// methodName is a method with its class and the types of its parameters; what async-profiler samples without a
// descriptor has none.
func methodName(m jfr.Value) string {
	name := m.Member("name").Member("string").Text()
	if class := classOf(m.Member("type")); class != "" {
		name = class + "." + name
	}
	if descriptor := m.Member("descriptor").Member("string").Text(); strings.HasPrefix(descriptor, "(") {
		name += "(" + parameters(descriptor) + ")"
	}
	return name
}

func classOf(c jfr.Value) string { return className(c.Member("name").Member("string").Text()) }

// maxFrames bounds a stack as text.
const maxFrames = 256

// stackText is a stack with a frame a line.
func stackText(stack jfr.Value, method func(frame jfr.Value) string) string {
	var b strings.Builder
	for i, f := range stack.Member("frames").Elements() {
		if i == maxFrames {
			break
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(method(f))
	}
	return b.String()
}

// isApplication reports that a frame is of code that the bootstrap loader has not loaded.
func isApplication(frame jfr.Value) bool {
	loader := frame.Member("method").Member("type").Member("classLoader")
	if loader.IsNull() {
		return false
	}
	name := loader.Member("name").Member("string").Text()
	return name != "bootstrap" && (name != "" || !loader.Member("type").IsNull())
}

// isConstructor reports that a frame is of one, or of the initialisation of a class.
func isConstructor(frame jfr.Value) bool {
	name := frame.Member("method").Member("name").Member("string").Text()
	return name == "<init>" || name == "<clinit>"
}

// chosenFrame is the frame of a stack that a name of a path stands for.
func chosenFrame(stack jfr.Value, name string) (jfr.Value, bool) {
	if name == "topFrame" {
		return stack.First("frames")
	}
	for _, f := range stack.Member("frames").Elements() {
		switch {
		case name == "topApplicationFrame" && !isApplication(f):
		case name == "topNotInitFrame" && isConstructor(f):
		default:
			return f, true
		}
	}
	return jfr.Value{}, false
}

func isFrameName(name string) bool {
	return name == "topFrame" || name == "topApplicationFrame" || name == "topNotInitFrame"
}
