package stack

import (
	"strings"

	"jstall/threaddump"
)

// ShortMethod is a method with its class, without the package.
func ShortMethod(f *threaddump.Frame) string {
	return f.Class[strings.LastIndexByte(f.Class, '.')+1:] + "." + f.Method
}
