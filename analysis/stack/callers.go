package stack

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// Outermost is the class that a nested one is written in.
func Outermost(class string) string {
	class, _, _ = strings.Cut(class, "$")
	return class
}

// fewClasses are found faster one by one.
const fewClasses = 32

// outerClasses are the application's classes on a stack, without what is nested.
func outerClasses(frames []*threaddump.Frame, origins []origin) []string {
	var classes []string
	var seen map[string]bool // once there are many
	for i, f := range frames {
		if origins[i] > OfGenerator {
			continue
		}
		class := Outermost(f.Class)
		switch {
		case seen[class] || seen == nil && slices.Contains(classes, class):
			continue
		case seen == nil && len(classes) == fewClasses:
			seen = map[string]bool{}
			for _, c := range classes {
				seen[c] = true
			}
		}
		if classes = append(classes, class); seen != nil {
			seen[class] = true
		}
	}
	return classes
}
