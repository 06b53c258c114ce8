package query

import (
	"strings"

	"github.com/jstall/jstall/internal/jfr"
)

// className is a class as Java writes it: "[Ljava/lang/String;" is java.lang.String[].
func className(internal string) string {
	dimensions := 0
	for strings.HasPrefix(internal[dimensions:], "[") {
		dimensions++
	}
	name := internal[dimensions:]
	if dimensions > 0 {
		name, _ = elementType(name)
	}
	return strings.NewReplacer("/", ".", "+", ".").Replace(name) + strings.Repeat("[]", dimensions)
}

// elementType is the type at the beginning of a descriptor, and what follows it.
func elementType(descriptor string) (name, rest string) {
	if descriptor == "" {
		return "", ""
	}
	names := map[byte]string{'B': "byte", 'C': "char", 'D': "double", 'F': "float", 'I': "int", 'J': "long",
		'S': "short", 'Z': "boolean", 'V': "void"}
	if name, ok := names[descriptor[0]]; ok {
		return name, descriptor[1:]
	}
	if descriptor[0] != 'L' {
		return descriptor, ""
	}
	name, rest, _ = strings.Cut(descriptor[1:], ";")
	return name, rest
}

// parameters are the types of a method's parameters without their packages, by its descriptor.
func parameters(descriptor string) string {
	inner, ok := strings.CutPrefix(descriptor, "(")
	if !ok {
		return ""
	}
	inner, _, _ = strings.Cut(inner, ")")
	var types []string
	for inner != "" {
		plain := strings.TrimLeft(inner, "[")
		dimensions := len(inner) - len(plain)
		var name string
		name, inner = elementType(plain)
		name = name[strings.LastIndexByte(name, '/')+1:]
		types = append(types, name+strings.Repeat("[]", dimensions))
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
