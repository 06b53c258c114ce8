package hotspot

import "github.com/jstall/jstall/internal/hotspot/vm"

// compiled adds the methods of a compiled frame: the method itself, below those inlined into it.
func (w *walk) compiled(c cursor, b *blob) (cursor, bool) {
	n := b.nmethod
	if n.method == nil {
		w.stop("compiled code has no method")
		return c, false
	}
	if n.native || b.frame == 0 {
		w.uses = append(w.uses, n.source)
		w.add(javaFrame{method: n.method})
		return w.callerOfCompiled(c, b)
	}
	scopes, ok := w.scopesAt(n, w.returnAddress(c, n)-b.begin, exactly)
	if !ok {
		w.stop("compiled code of %s.%s does not tell where it is", n.method.class.Name, n.method.name)
		return c, false
	}
	w.uses = append(w.uses, n.source)
	for _, s := range scopes {
		f := javaFrame{method: s.method, bci: s.bci}
		for i := len(s.monitors) - 1; i >= 0; i-- {
			f.monitors = append(f.monitors, w.compiledMonitor(c, n, s.monitors[i]))
		}
		w.noteSelf(w.valueOf(c, n, s.self))
		w.add(f)
	}
	return w.callerOfCompiled(c, b)
}

// returnAddress is where a frame goes on, or would if its code had not become invalid.
func (w *walk) returnAddress(c cursor, n *nmethod) uint64 {
	if c.pc == n.deopt[0] || c.pc == n.deopt[1] {
		return w.U64(c.sp+n.originalPC) & w.processor.codeAddress
	}
	return c.pc
}

func (w *walk) callerOfCompiled(c cursor, b *blob) (cursor, bool) {
	if b.frame == 0 {
		w.stop("the frame of compiled code has no size")
		return c, false
	}
	next := w.caller(c, b)
	w.end = max(w.end, next.sp)
	return next, true
}

func (w *walk) compiledMonitor(c cursor, n *nmethod, m scopeMonitor) heldMonitor {
	held := heldMonitor{eliminated: m.eliminated}
	if m.owner.kind == scalarObject {
		held.scalar = w.ClassOfMirror(w.constant(n, m.owner.oop))
	}
	held.object = w.valueOf(c, n, m.owner)
	return held
}

// valueOf is the object that a value refers to; 0 if it is not known or was never made.
func (w *walk) valueOf(c cursor, n *nmethod, v value) uint64 {
	switch v.kind {
	case constantOop:
		return w.constant(n, v.oop)
	case inFrame:
		return w.located(c, v.location)
	}
	return 0
}

// constant is a reference that scopes name by a number.
func (w *walk) constant(n *nmethod, i uint32) uint64 {
	if i == 0 {
		return 0
	}
	return w.OnStack(w.U64(n.oops + (uint64(i)-1)*vm.WordSize))
}

// located reads the reference at a Location (code/location.hpp): 4 bits say what is there, one
// whether it is in a register, and the others which one, or how many times 4 bytes from sp. Of the
// registers only fp survives a call; its value is what the callee has saved.
func (w *walk) located(c cursor, location uint32) uint64 {
	kind, inRegister, offset := int64(location&0xf), location>>4&1 != 0, uint64(location>>5)
	raw := c.fp
	switch {
	case inRegister && offset != uint64(w.processor.fpRegister):
		return 0
	case !inRegister:
		at := c.sp + offset*4
		w.end = max(w.end, at)
		raw = w.U64(at)
	}
	switch kind {
	case w.Nmethod.LocationOop:
		return w.OnStack(raw)
	case w.Nmethod.LocationNarrow:
		return w.Narrow(uint32(raw))
	}
	return 0
}
