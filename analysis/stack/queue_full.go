package stack

import (
	"slices"
	"strings"

	"jstall/threaddump"
)

// handIns are how methods are called that put something into a buffer.
var handIns = [...]string{"put", "offer", "enqueue", "push", "publish", "produce", "add", "insert", "emit"}

func HandsIn(f *threaddump.Frame) bool {
	return f != nil && OriginOf(f) == OfApplication && slices.ContainsFunc(handIns[:], func(word string) bool {
		rest, ok := strings.CutPrefix(f.Method, word)
		return ok && (rest == "" || rest[0] >= 'A' && rest[0] <= 'Z')
	})
}
