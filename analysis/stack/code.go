package stack

import (
	"strings"

	"jstall/threaddump"
)

// Code is whose code a frame is.
type Code uint8

const (
	// CodeApplication is what the application's own authors wrote, and what a
	// runtime spun from it.
	CodeApplication Code = iota
	// CodeLibrary is a known framework or library.
	CodeLibrary
	CodeJDK
)

// CodeOf tells whose code a frame is by its module and class.
func CodeOf(f *threaddump.Frame) Code {
	switch OriginOf(f) {
	case OfJDK:
		return CodeJDK
	case OfLibrary:
		return CodeLibrary
	}
	return CodeApplication
}

// PoolName is a thread's name with the last number in it replaced by "*":
// "http-worker-*".
func PoolName(name string) string {
	end := strings.LastIndexAny(name, "0123456789") + 1
	start := len(strings.TrimRight(name[:end], "0123456789"))
	if start == end {
		return name
	}
	return name[:start] + "*" + name[end:]
}
