package stack

import "github.com/jstall/jstall/internal/hotspot/vm"

// compiled adds the methods of a compiled frame: the method itself, below those inlined into it.
func (w *Walk) compiled(c Cursor, b *Blob) (Cursor, bool) {
	n := b.Nmethod
	if n.Method == nil {
		w.Stop("compiled code has no method")
		return c, false
	}
	if n.Native || b.Frame == 0 {
		w.Uses = append(w.Uses, n.Source)
		w.add(JavaFrame{Method: n.Method})
		return w.callerOfCompiled(c, b)
	}
	scopes, ok := w.ScopesAt(n, w.returnAddress(c, n)-b.Begin, Exactly)
	if !ok {
		w.Stop("compiled code of %s.%s does not tell where it is", n.Method.Class.Name, n.Method.Name)
		return c, false
	}
	w.Uses = append(w.Uses, n.Source)
	for _, s := range scopes {
		f := JavaFrame{Method: s.Method, BCI: s.BCI}
		for i := len(s.monitors) - 1; i >= 0; i-- {
			f.Monitors = append(f.Monitors, w.compiledMonitor(c, n, s.monitors[i]))
		}
		w.NoteSelf(w.valueOf(c, n, s.Self))
		w.add(f)
	}
	return w.callerOfCompiled(c, b)
}

// returnAddress is where a frame goes on, or would if its code had not become invalid.
func (w *Walk) returnAddress(c Cursor, n *Nmethod) uint64 {
	if c.PC == n.Deopt[0] || c.PC == n.Deopt[1] {
		return w.U64(c.SP+n.OriginalPC) & w.Processor.CodeAddress
	}
	return c.PC
}

func (w *Walk) callerOfCompiled(c Cursor, b *Blob) (Cursor, bool) {
	if b.Frame == 0 {
		w.Stop("the frame of compiled code has no size")
		return c, false
	}
	next := w.caller(c, b)
	w.End = max(w.End, next.SP)
	return next, true
}

func (w *Walk) compiledMonitor(c Cursor, n *Nmethod, m scopeMonitor) HeldMonitor {
	held := HeldMonitor{Eliminated: m.eliminated}
	if m.owner.Kind == scalarObject {
		held.Scalar = w.ClassOfMirror(w.constant(n, m.owner.oop))
	}
	held.Object = w.valueOf(c, n, m.owner)
	return held
}

// valueOf is the object that a value refers to; 0 if it is not known or was never made.
func (w *Walk) valueOf(c Cursor, n *Nmethod, v Value) uint64 {
	switch v.Kind {
	case constantOop:
		return w.constant(n, v.oop)
	case InFrame:
		return w.located(c, v.Location)
	}
	return 0
}

// constant is a reference that scopes name by a number.
func (w *Walk) constant(n *Nmethod, i uint32) uint64 {
	if i == 0 {
		return 0
	}
	return w.OnStack(w.U64(n.oops + (uint64(i)-1)*vm.WordSize))
}

// located reads the reference at a Location (code/location.hpp): 4 bits say what is there, one
// whether it is in a register, and the others which one, or how many times 4 bytes from sp. Of the
// registers only fp survives a call; its value is what the callee has saved.
func (w *Walk) located(c Cursor, location uint32) uint64 {
	kind, inRegister, offset := int64(location&0xf), location>>4&1 != 0, uint64(location>>5)
	raw := c.FP
	switch {
	case inRegister && offset != uint64(w.Processor.fpRegister):
		return 0
	case !inRegister:
		at := c.SP + offset*4
		w.End = max(w.End, at)
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
