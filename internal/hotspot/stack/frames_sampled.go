package stack

import "github.com/jstall/jstall/internal/hotspot/vm"

// RunFrom walks the stack of a thread that ran at the moment of a snapshot. Where its innermost frame was not
// complete at that moment, or cannot be distinguished from one that was, the walk stops before it begins.
func (w *Walk) RunFrom(s Snapshot) {
	pc := s.PC & w.Processor.CodeAddress
	c := Cursor{SP: s.SP, FP: s.FP, PC: pc}
	var more bool
	if w.Code.Interpreted(pc) {
		c, more = w.innermostInterpreted(c, s.BCP)
	} else if b := w.BlobAt(pc); b != nil {
		c, more = w.innermostCode(c, b)
	} else {
		w.Stop("it runs native code")
	}
	if more {
		w.Run(c)
	}
}

// innermostInterpreted adds the method that the interpreter runs.
func (w *Walk) innermostInterpreted(c Cursor, bcp uint64) (Cursor, bool) {
	f := &w.Processor
	m := w.interpretedMethod(c)
	if m == nil || !w.isInterpreted(c.FP, c.SP, m) {
		w.Stop("it is between two interpreted frames")
		return c, false
	}
	bci := m.BCIOf(w.frameWord(c.FP, f.BCP))
	switch calls := w.frameWord(c.FP, f.LastSP) != 0; {
	case calls && !w.called(c):
		w.Stop("it is between two interpreted frames")
		return c, false
	case !calls && !m.native:
		if bcp < m.code || bcp >= m.code+m.codeSize {
			w.Stop("it is between two bytecodes")
			return c, false
		}
		bci = int(bcp - m.code)
	}
	w.add(JavaFrame{Method: m, BCI: bci, Monitors: w.interpretedMonitors(c.FP)})
	return w.callerOfInterpreted(c), true
}

// interpretedMethod is the method of a frame; nil if there is no interpreted frame at fp.
func (w *Walk) interpretedMethod(c Cursor) *Method {
	if c.FP <= c.SP || c.FP+2*vm.WordSize > w.High || c.FP%vm.WordSize != 0 || c.FP-c.SP > maxInterpreted {
		return nil
	}
	return w.MethodAt(w.frameWord(c.FP, w.Processor.Method))
}

// isInterpreted checks an interpreted frame as HotSpot's frame::is_interpreted_frame_valid does: the order of its
// parts, and the method's cache of constants.
func (w *Walk) isInterpreted(fp, sp uint64, m *Method) bool {
	f := &w.Processor
	sender, locals := w.frameWord(fp, f.SenderSP), w.inFrame(fp, f.Locals)
	top := w.inFrame(fp, f.monitors)
	cache := w.Class.PoolCache
	switch {
	case fp <= sp || sender < fp+2*vm.WordSize || sender > w.High:
		return false
	case locals < fp+vm.WordSize || locals >= w.High:
		return false
	case top < sp || top > fp+uint64(f.monitors*vm.WordSize):
		return false
	}
	return !cache.Known || w.frameWord(fp, f.Locals+1) == w.U64(m.pool+cache.At)
}

// called reports whether an interpreted frame has called what ends right below it: it notes its sp for that time
// (last_sp). An adapter may have put the arguments on the stack once more.
func (w *Walk) called(c Cursor) bool {
	const mostArguments = 256*vm.WordSize + 2*vm.WordSize // aligned to two words
	last := w.inFrame(c.FP, w.Processor.LastSP)
	if w.frameWord(c.FP, w.Processor.LastSP) == 0 {
		return false
	}
	most := uint64(mostArguments)
	if len(w.Frames) == 0 { // nothing but the return address may be below it
		most = vm.WordSize
	}
	return c.SP <= last && c.SP+most >= last
}

// innermostCode adds the method whose compiled code runs, if it is not one of the JVM's stubs, and finds its caller.
func (w *Walk) innermostCode(c Cursor, b *Blob) (Cursor, bool) {
	if c.PC < b.Begin || b.Nmethod != nil && !w.addNearest(b.Nmethod, c.PC-b.Begin) {
		w.Stop("compiled code does not tell where it is")
		return c, false
	}
	next, ok := w.innermostCaller(c, b)
	if !ok || !w.calls(next, b) {
		w.Stop("the caller of the innermost frame is not known: it is in the first or the last instructions")
		return c, false
	}
	if b.Nmethod == nil && b.Frame == 0 && b.name != vtableStubs {
		return w.callerOfLeaf(next)
	}
	return next, true
}

// callerOfLeaf adds the methods of compiled code that calls a stub which never leaves Java code: it need not tell of
// such a place.
func (w *Walk) callerOfLeaf(c Cursor) (Cursor, bool) {
	b := w.BlobAt(c.PC) // an nmethod, see calls
	if b.Frame == 0 || c.PC <= b.Begin || !w.addNearest(b.Nmethod, c.PC-b.Begin-1) {
		w.Stop("compiled code does not tell where it is")
		return c, false
	}
	return w.caller(c, b), true
}

// addNearest adds the methods of the next place that compiled code has in its tables.
func (w *Walk) addNearest(n *Nmethod, offset uint64) bool {
	if n.Method == nil {
		return false
	}
	w.Uses = append(w.Uses, n.Source)
	if n.Native {
		w.add(JavaFrame{Method: n.Method})
		return true
	}
	w.Near = true
	if _, _, told := w.scopeAt(n, offset, nearest); !told { // it makes no call and has no loop with a safepoint
		w.add(JavaFrame{Method: n.Method, BCI: unknownBCI})
		return true
	}
	scopes, ok := w.ScopesAt(n, offset, nearest)
	for _, s := range scopes {
		w.add(JavaFrame{Method: s.Method, BCI: s.BCI})
	}
	return ok
}

// innermostCaller is the caller of code that runs.
func (w *Walk) innermostCaller(c Cursor, b *Blob) (Cursor, bool) {
	const mostAhead = 256 // longer than the code that sets a frame up
	slot := returnSlot{inRegister: true}
	if b.Frame > 0 {
		ahead := uint64(mostAhead)
		setUp := c.PC-b.Begin < b.complete
		if setUp {
			ahead = min(ahead, b.complete-(c.PC-b.Begin))
		}
		var code [mostAhead]byte
		if !w.Read(c.PC, code[:min(ahead, b.end-c.PC)]) {
			return c, false
		}
		var ok bool
		if slot, ok = w.Processor.returns(code[:ahead], b.Frame, !setUp); !ok {
			return c, false
		}
	} else if b.name != vtableStubs {
		return w.callerByFP(c)
	}
	next := Cursor{SP: c.SP + slot.at + vm.WordSize, FP: c.FP, PC: w.U64(c.SP + slot.at)}
	if !slot.inRegister {
		next.FP = w.U64(c.SP + slot.fp)
	}
	next.PC &= w.Processor.CodeAddress
	return next, true
}

// vtableStubs is the name of code that picks the method to call. It makes no frame.
const vtableStubs = "vtable chunks"

// callerByFP is the caller of a stub that keeps fp, as those do that copy arrays.
func (w *Walk) callerByFP(c Cursor) (Cursor, bool) {
	const mostStub = 4096 // more than a frame of a stub has, in bytes
	if c.FP < c.SP || c.FP-c.SP > mostStub || c.FP%vm.WordSize != 0 {
		return c, false
	}
	pc := w.U64(c.FP+vm.WordSize) & w.Processor.CodeAddress
	return Cursor{SP: c.FP + 2*vm.WordSize, FP: w.U64(c.FP), PC: pc}, true
}

// calls reports whether the code at a return address can have called a piece of code.
func (w *Walk) calls(c Cursor, callee *Blob) bool {
	if c.SP <= w.Low || c.SP > w.High {
		return false
	}
	stub := callee.Nmethod == nil && callee.name != vtableStubs
	if c.PC == w.Code.callStub || w.Code.Interpreted(c.PC) {
		return !stub
	}
	target, isCall := w.callBefore(c)
	if !isCall || target == 0 {
		return isCall && !stub
	}
	to := w.BlobAt(target)
	switch {
	case stub:
		return to == callee
	case to == nil || to.Nmethod == nil:
		return true // a stub that finds the method
	case callee.Nmethod == nil:
		return false
	}
	return to.Nmethod.MethodAt == callee.Nmethod.MethodAt || to.Nmethod.isLinker()
}

// callBefore is what the call before a return address in a compiled method calls, 0 if the call does not tell.
func (w *Walk) callBefore(c Cursor) (target uint64, isCall bool) {
	const longestCall = 16
	b := w.BlobAt(c.PC)
	if b == nil || b.Nmethod == nil {
		return 0, false
	}
	pc := w.returnAddress(c, b.Nmethod)
	var before [longestCall]byte
	if pc < b.Begin+longestCall || pc > b.end || !w.Read(pc-longestCall, before[:]) {
		return 0, false
	}
	return w.Processor.callTarget(before[:], pc)
}

// isLinker reports that a native method calls another one in its own place: MethodHandle.linkToStatic and its like.
func (n *Nmethod) isLinker() bool {
	return n.Native && n.Method != nil && n.Method.Class.Name == "java.lang.invoke.MethodHandle"
}
