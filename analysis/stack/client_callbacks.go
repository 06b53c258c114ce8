package stack

import (
	"jstall/threaddump"
)

func OfLibraryAt(home string) func(*threaddump.Frame) bool {
	return func(f *threaddump.Frame) bool { return OriginOf(f) != OfApplication && LibraryOf(f.Class) == home }
}
