package flame

import "github.com/jstall/jstall/internal/jfr"

// namedConstants are the types of those that profiles need.
var namedConstants = []string{
	jfr.NameOfStack, jfr.NameOfMethod, jfr.NameOfClass, jfr.NameOfSymbol, jfr.NameOfThread, jfr.NameOfGroup,
	jfr.NameOfState, jfr.NameOfKind,
}

// recordedFrame is a line of a method.
type recordedFrame struct {
	codeKey
	line int64
}

// codeKey is a method and the kind of its code, as keys of constants.
type codeKey struct{ method, kind uint64 }

// stack are the frames of a stack, the innermost first.
func (n *names) stack(key uint64) (frames []recordedFrame) {
	n.Visit(n.Type(jfr.NameOfStack), key, func(depth int, f *jfr.Field, v jfr.Item) {
		switch {
		case depth != 2 || len(frames) > maxDepthRead:
		case f.Name == "method":
			frames = append(frames, recordedFrame{codeKey: codeKey{method: v.Bits}})
		case f.Name == "type" && len(frames) > 0:
			frames[len(frames)-1].kind = v.Bits
		case f.Name == "lineNumber" && len(frames) > 0:
			frames[len(frames)-1].line = int64(v.Bits)
		}
	})
	return frames
}

// recordedThread is a thread as a recording names it.
type recordedThread struct {
	name, pool string
	nid        int64
	id         threadID
	// virtual and carrier tell a virtual thread, and one that runs them.
	virtual, carrier bool
}
