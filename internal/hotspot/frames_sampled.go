package hotspot

import "github.com/jstall/jstall/internal/hotspot/vm"

// runFrom walks the stack of a thread that ran at the moment of a snapshot. Where its innermost frame was not
// complete at that moment, or cannot be told from one that was, the walk stops before it begins.
func (w *walk) runFrom(s Snapshot) {
	pc := s.PC & w.processor.codeAddress
	c := cursor{sp: s.SP, fp: s.FP, pc: pc}
	var more bool
	if w.code.interpreted(pc) {
		c, more = w.innermostInterpreted(c, s.BCP)
	} else if b := w.blobAt(pc); b != nil {
		c, more = w.innermostCode(c, b)
	} else {
		w.stop("it runs native code")
	}
	if more {
		w.run(c)
	}
}

// innermostInterpreted adds the method that the interpreter runs.
func (w *walk) innermostInterpreted(c cursor, bcp uint64) (cursor, bool) {
	f := &w.processor
	m := w.interpretedMethod(c)
	if m == nil || !w.isInterpreted(c.fp, c.sp, m) {
		w.stop("it is between two interpreted frames")
		return c, false
	}
	bci := m.bciOf(w.frameWord(c.fp, f.bcp))
	switch calls := w.frameWord(c.fp, f.lastSP) != 0; {
	case calls && !w.called(c):
		w.stop("it is between two interpreted frames")
		return c, false
	case !calls && !m.native:
		if bcp < m.code || bcp >= m.code+m.codeSize {
			w.stop("it is between two bytecodes")
			return c, false
		}
		bci = int(bcp - m.code)
	}
	w.add(javaFrame{method: m, bci: bci, monitors: w.interpretedMonitors(c.fp)})
	return w.callerOfInterpreted(c), true
}

// interpretedMethod is the method of a frame; nil if there is no interpreted frame at fp.
func (w *walk) interpretedMethod(c cursor) *method {
	if c.fp <= c.sp || c.fp+2*vm.WordSize > w.high || c.fp%vm.WordSize != 0 || c.fp-c.sp > maxInterpreted {
		return nil
	}
	return w.methodAt(w.frameWord(c.fp, w.processor.method))
}

// isInterpreted checks an interpreted frame as HotSpot's frame::is_interpreted_frame_valid does: the order of its
// parts, and the method's cache of constants.
func (w *walk) isInterpreted(fp, sp uint64, m *method) bool {
	f := &w.processor
	sender, locals := w.frameWord(fp, f.senderSP), w.inFrame(fp, f.locals)
	top := w.inFrame(fp, f.monitors)
	cache := w.Class.PoolCache
	switch {
	case fp <= sp || sender < fp+2*vm.WordSize || sender > w.high:
		return false
	case locals < fp+vm.WordSize || locals >= w.high:
		return false
	case top < sp || top > fp+uint64(f.monitors*vm.WordSize):
		return false
	}
	return !cache.Known || w.frameWord(fp, f.locals+1) == w.U64(m.pool+cache.At)
}

// called tells whether an interpreted frame has called what ends right below it: it notes its sp for that time
// (last_sp). An adapter may have put the arguments on the stack once more.
func (w *walk) called(c cursor) bool {
	const mostArguments = 256*vm.WordSize + 2*vm.WordSize // aligned to two words
	last := w.inFrame(c.fp, w.processor.lastSP)
	if w.frameWord(c.fp, w.processor.lastSP) == 0 {
		return false
	}
	most := uint64(mostArguments)
	if len(w.frames) == 0 { // nothing but the return address may be below it
		most = vm.WordSize
	}
	return c.sp <= last && c.sp+most >= last
}

// innermostCode adds the method whose compiled code runs, if it is none of the JVM's stubs, and finds its caller.
func (w *walk) innermostCode(c cursor, b *blob) (cursor, bool) {
	if c.pc < b.begin || b.nmethod != nil && !w.addNearest(b.nmethod, c.pc-b.begin) {
		w.stop("compiled code does not tell where it is")
		return c, false
	}
	next, ok := w.innermostCaller(c, b)
	if !ok || !w.calls(next, b) {
		w.stop("the caller of the innermost frame is not known: it is in the first or the last instructions")
		return c, false
	}
	if b.nmethod == nil && b.frame == 0 && b.name != vtableStubs {
		return w.callerOfLeaf(next)
	}
	return next, true
}

// callerOfLeaf adds the methods of compiled code that calls a stub which never leaves Java code: it need not tell of
// such a place.
func (w *walk) callerOfLeaf(c cursor) (cursor, bool) {
	b := w.blobAt(c.pc) // an nmethod, see calls
	if b.frame == 0 || c.pc <= b.begin || !w.addNearest(b.nmethod, c.pc-b.begin-1) {
		w.stop("compiled code does not tell where it is")
		return c, false
	}
	return w.caller(c, b), true
}

// addNearest adds the methods of the next place that compiled code tells of.
func (w *walk) addNearest(n *nmethod, offset uint64) bool {
	if n.method == nil {
		return false
	}
	w.uses = append(w.uses, n.source)
	if n.native {
		w.add(javaFrame{method: n.method})
		return true
	}
	w.near = true
	if _, _, told := w.scopeAt(n, offset, nearest); !told { // it makes no call and has no loop with a safepoint
		w.add(javaFrame{method: n.method, bci: unknownBCI})
		return true
	}
	scopes, ok := w.scopesAt(n, offset, nearest)
	for _, s := range scopes {
		w.add(javaFrame{method: s.method, bci: s.bci})
	}
	return ok
}

// innermostCaller is the caller of code that runs.
func (w *walk) innermostCaller(c cursor, b *blob) (cursor, bool) {
	const mostAhead = 256 // longer than the code that sets a frame up
	slot := returnSlot{inRegister: true}
	if b.frame > 0 {
		ahead := uint64(mostAhead)
		setUp := c.pc-b.begin < b.complete
		if setUp {
			ahead = min(ahead, b.complete-(c.pc-b.begin))
		}
		var code [mostAhead]byte
		if !w.Read(c.pc, code[:min(ahead, b.end-c.pc)]) {
			return c, false
		}
		var ok bool
		if slot, ok = w.processor.returns(code[:ahead], b.frame, !setUp); !ok {
			return c, false
		}
	} else if b.name != vtableStubs {
		return w.callerByFP(c)
	}
	next := cursor{sp: c.sp + slot.at + vm.WordSize, fp: c.fp, pc: w.U64(c.sp + slot.at)}
	if !slot.inRegister {
		next.fp = w.U64(c.sp + slot.fp)
	}
	next.pc &= w.processor.codeAddress
	return next, true
}

// vtableStubs is the name of code that picks the method to call. It makes no frame.
const vtableStubs = "vtable chunks"

// callerByFP is the caller of a stub that keeps fp, as those do that copy arrays.
func (w *walk) callerByFP(c cursor) (cursor, bool) {
	const mostStub = 4096 // more than a frame of a stub has, in bytes
	if c.fp < c.sp || c.fp-c.sp > mostStub || c.fp%vm.WordSize != 0 {
		return c, false
	}
	pc := w.U64(c.fp+vm.WordSize) & w.processor.codeAddress
	return cursor{sp: c.fp + 2*vm.WordSize, fp: w.U64(c.fp), pc: pc}, true
}

// calls tells whether the code at a return address can have called a piece of code.
func (w *walk) calls(c cursor, callee *blob) bool {
	if c.sp <= w.low || c.sp > w.high {
		return false
	}
	stub := callee.nmethod == nil && callee.name != vtableStubs
	if c.pc == w.code.callStub || w.code.interpreted(c.pc) {
		return !stub
	}
	target, isCall := w.callBefore(c)
	if !isCall || target == 0 {
		return isCall && !stub
	}
	to := w.blobAt(target)
	switch {
	case stub:
		return to == callee
	case to == nil || to.nmethod == nil:
		return true // a stub that finds the method
	case callee.nmethod == nil:
		return false
	}
	return to.nmethod.methodAt == callee.nmethod.methodAt || to.nmethod.isLinker()
}

// callBefore is what the call before a return address in a compiled method calls, 0 if the call does not tell.
func (w *walk) callBefore(c cursor) (target uint64, isCall bool) {
	const longestCall = 16
	b := w.blobAt(c.pc)
	if b == nil || b.nmethod == nil {
		return 0, false
	}
	pc := w.returnAddress(c, b.nmethod)
	var before [longestCall]byte
	if pc < b.begin+longestCall || pc > b.end || !w.Read(pc-longestCall, before[:]) {
		return 0, false
	}
	return w.processor.callTarget(before[:], pc)
}

// isLinker tells that a native method calls another one in its own place: MethodHandle.linkToStatic and its like.
func (n *nmethod) isLinker() bool {
	return n.native && n.method != nil && n.method.class.Name == "java.lang.invoke.MethodHandle"
}
