package cpu

import (
	"strings"

	"jstall/threaddump"
)

// SaysThatItWaits tells a method by its name.
func SaysThatItWaits(fr *threaddump.Frame) bool {
	name := strings.ToLower(fr.Method)
	return strings.HasPrefix(name, "await") || strings.HasPrefix(name, "wait") || strings.Contains(name, "until")
}
