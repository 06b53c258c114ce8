package stack

import (
	"slices"

	"github.com/jstall/jstall/threaddump"
)

// withoutMemory is the operation, or none if it is a call of a stream that stays in memory.
func withoutMemory(o Operation, frames []*threaddump.Frame) Operation {
	if (o.Kind == OpRead || o.Kind == OpWrite) && !isPipe(frames[o.Index]) && staysInMemory(frames[:o.Index+1]) {
		o.Kind, o.Index = OpNone, -1
	}
	return o
}

// staysInMemory reports whether a call of a stream, given with the frames above it, computes or copies: its innermost
// stream is in memory, or the thread is in a method of the JDK that has nothing to wait for. A stream that compresses
// is such a call while the compression runs, and no such call while it writes to a file.
func staysInMemory(call []*threaddump.Frame) bool {
	top := call[0]
	if !isStream(top) && !StartsWithAny(top.Class, waiting[:]) &&
		(StartsWithAny(top.Class, computing[:]) || top.Native && nativeKind(call) == Running) {
		return true
	}
	i := slices.IndexFunc(call, isStream)
	return i >= 0 && StartsWithAny(call[i].Class, inMemory[:])
}
