package virtual

import (
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/vthread"
)

// selves are the objects of whose methods an unmounted thread is inside while it waits. Most stacks have no such
// method.
func (a *assembler) selves(t *Thread) []uint64 {
	if t.Stack < 0 || !a.keepsSelf[t.Stack] {
		return nil
	}
	w := &stack.Walk{Reader: &a.Reader.Reader}
	a.read.Visit(t.Thread, func(k vthread.Key, s vthread.Slots) {
		if k.Method != 0 {
			if m := a.MethodAt(k.Method); m != nil && m.KeepsSelf {
				w.NoteSelf(s.Object(0, false))
			}
			return
		}
		for _, self := range a.selfValues(k.PC) {
			const inRegister, unit = 1 << 4, 4 // see located
			if kind := int64(self.Location & 0xf); self.Kind == stack.InFrame && self.Location&inRegister == 0 {
				w.NoteSelf(s.Object(uint64(self.Location>>5)*unit, kind == a.Nmethod.LocationNarrow))
			}
		}
	})
	return w.Selves
}

// selfValues are where a compiled frame has the objects that are wanted.
func (a *assembler) selfValues(pc uint64) []stack.Value {
	pc &= a.Processor.CodeAddress
	b := a.BlobAt(pc)
	if b == nil || b.Nmethod == nil || b.Nmethod.Native {
		return nil
	}
	scopes, _ := a.ScopesAt(b.Nmethod, pc-b.Begin, stack.Exactly)
	var values []stack.Value
	for _, s := range scopes {
		if s.Self.Kind != stack.UnknownValue {
			values = append(values, s.Self)
		}
	}
	return values
}
