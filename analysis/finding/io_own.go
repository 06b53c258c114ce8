package finding

import (
	"slices"
)

func AllAmong(refs []ThreadRef, threads map[ThreadID]bool) bool {
	return !slices.ContainsFunc(refs, func(r ThreadRef) bool { return !threads[ThreadIDOf(r)] })
}

func AnyAmong(refs []ThreadRef, threads map[ThreadID]bool) bool {
	return slices.ContainsFunc(refs, func(r ThreadRef) bool { return threads[ThreadIDOf(r)] })
}
