package flame

import (
	"github.com/jstall/jstall/internal/jfr"
)

// namedConstants are the types of those that profiles need.
var namedConstants = []string{
	jfr.NameOfStack, jfr.NameOfMethod, jfr.NameOfClass, jfr.NameOfSymbol, jfr.NameOfThread, jfr.NameOfGroup,
	jfr.NameOfState, jfr.NameOfKind,
}

// constants are those of a chunk by the names of their types.
type constants struct {
	*jfr.Constants
	types map[string]*jfr.Type
}

// constant visits the fields of one, and reports whether there is one.
func (p constants) constant(of string, key uint64, visit jfr.Visitor) bool {
	return p.Visit(p.types[of], key, visit)
}

// text is a field that holds a text.
func (p constants) text(of string, key uint64, name string) (found string) {
	p.constant(of, key, func(_ int, f *jfr.Field, v jfr.Item) {
		if f.Name == name {
			found = v.Text
		}
	})
	return found
}

// number is a field that holds a number, or the key of a constant.
func (p constants) number(of string, key uint64, name string) (found uint64) {
	p.constant(of, key, func(_ int, f *jfr.Field, v jfr.Item) {
		if f.Name == name {
			found = v.Bits
		}
	})
	return found
}

func (p constants) thread(key uint64) (t recordedThread) {
	var osName string
	var group, javaID uint64
	p.constant(jfr.NameOfThread, key, func(_ int, f *jfr.Field, v jfr.Item) {
		switch f.Name {
		case "javaName":
			t.name = v.Text
		case "osName":
			osName = v.Text
		case "osThreadId":
			t.nid = int64(v.Bits)
		case "javaThreadId":
			javaID = v.Bits
		case "virtual":
			t.virtual = v.Bits != 0
		case "group":
			group = v.Bits
		}
	})
	t.id = threadID{native: t.nid}
	if int64(javaID) > 0 {
		t.id = threadID{java: int64(javaID)}
	}
	t.carrier = p.text(jfr.NameOfGroup, group, "name") == "CarrierThreads"
	if t.name == "" {
		t.name = osName
	}
	return t
}

// recordedFrame is a line of a method.
type recordedFrame struct {
	codeKey
	line int64
}

// codeKey is a method and the kind of its code, as keys of constants.
type codeKey struct{ method, kind uint64 }

// stack are the frames of a stack, the innermost first.
func (p constants) stack(key uint64) (frames []recordedFrame) {
	p.constant(jfr.NameOfStack, key, func(depth int, f *jfr.Field, v jfr.Item) {
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
