package hotspot

import "github.com/jstall/jstall/internal/hotspot/vthread"

// selves are the objects of whose methods an unmounted thread is inside while it waits. Most stacks have no such
// method.
func (a *virtualAssembler) selves(t *VirtualThread) []uint64 {
	if t.Stack < 0 || !a.keepsSelf[t.Stack] {
		return nil
	}
	w := &walk{codeReader: &a.codeReader}
	a.read.Visit(t.Thread, func(k vthread.Key, s vthread.Slots) {
		if k.Method != 0 {
			if m := a.methodAt(k.Method); m != nil && m.keepsSelf {
				w.noteSelf(s.Object(0, false))
			}
			return
		}
		for _, self := range a.selfValues(k.PC) {
			const inRegister, unit = 1 << 4, 4 // see located
			if kind := int64(self.location & 0xf); self.kind == inFrame && self.location&inRegister == 0 {
				w.noteSelf(s.Object(uint64(self.location>>5)*unit, kind == a.Nmethod.LocationNarrow))
			}
		}
	})
	return w.selves
}

// selfValues are where a compiled frame has the objects that are wanted.
func (a *virtualAssembler) selfValues(pc uint64) []value {
	pc &= a.processor.codeAddress
	b := a.blobAt(pc)
	if b == nil || b.nmethod == nil || b.nmethod.native {
		return nil
	}
	scopes, _ := a.scopesAt(b.nmethod, pc-b.begin, exactly)
	var values []value
	for _, s := range scopes {
		if s.self.kind != unknownValue {
			values = append(values, s.self)
		}
	}
	return values
}
