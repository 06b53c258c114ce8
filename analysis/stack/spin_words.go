package stack

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// UpdatesWithin tells a stack that stands in an update of a ConcurrentHashMap which the
// function given to such an update has called.
func (s *Stack) UpdatesWithin() bool {
	const class, updates = JUC + "ConcurrentHashMap", "computeIfAbsent compute merge"
	isUpdate := func(fr *threaddump.Frame) bool { return fr.Class == class && HasAnyPrefix(fr.Method, updates) }
	if len(s.Frames) == 0 || !isUpdate(s.Frames[0]) {
		return false
	}
	i := slices.IndexFunc(s.Frames, func(fr *threaddump.Frame) bool { return !IsJDK(fr) })
	return i >= 0 && slices.ContainsFunc(s.Frames[i:], isUpdate)
}

// ShortName leaves the package out: "Thread.yield".
func ShortName(name string) string {
	method := strings.LastIndexByte(name, '.')
	if method < 0 {
		return name
	}
	return name[strings.LastIndexByte(name[:method], '.')+1:]
}
