// Package javaname converts the JVM's names of classes and types to those of Java. It is pure.
package javaname

import "strings"

// Dotted is a class with dots: "java.util.HashMap" for "java/util/HashMap". The slash before the address of a hidden
// class stays: "com.acme.Orders$$Lambda/0x00007f1b2c0".
func Dotted(class string) string {
	end := len(class)
	at := strings.LastIndexByte(class, '/')
	if at < 0 {
		return class
	}
	if at+1 < len(class) && isDigit(class[at+1]) {
		end = at
	}
	return strings.ReplaceAll(class[:end], "/", ".") + class[end:]
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Class is a class or an array: "java.lang.String[]" for "[Ljava/lang/String;".
func Class(internal string) string {
	element := strings.TrimLeft(internal, "[")
	dimensions := len(internal) - len(element)
	if dimensions > 0 {
		if name, _ := cutType(element); name != "" {
			element = name
		}
	}
	return Dotted(element) + strings.Repeat("[]", dimensions)
}

// Parameters returns the types of the parameters in the descriptor of a method: "int" and "java.lang.String[]" for
// "(I[Ljava/lang/String;)V". For an invalid descriptor ok is false, and types are those before the error.
func Parameters(descriptor string) (types []string, ok bool) {
	rest, ok := strings.CutPrefix(descriptor, "(")
	for ok && rest != "" && rest[0] != ')' {
		element := strings.TrimLeft(rest, "[")
		dimensions := len(rest) - len(element)
		var name string
		if name, rest = cutType(element); name == "" {
			return types, false
		}
		types = append(types, Dotted(name)+strings.Repeat("[]", dimensions))
	}
	return types, ok && rest != ""
}

// cutType returns the type at the beginning of a descriptor, with slashes, and the rest. Without a type the name is
// empty.
func cutType(descriptor string) (name, rest string) {
	if descriptor == "" {
		return "", ""
	}
	if descriptor[0] == 'L' {
		name, rest, _ = strings.Cut(descriptor[1:], ";")
		return name, rest
	}
	return primitives[descriptor[0]], descriptor[1:]
}

var primitives = map[byte]string{
	'B': "byte", 'C': "char", 'D': "double", 'F': "float", 'I': "int", 'J': "long", 'S': "short", 'V': "void",
	'Z': "boolean",
}
