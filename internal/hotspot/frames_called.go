package hotspot

import "github.com/jstall/jstall/internal/hotspot/vm"

// barrierCookie is what the barrier at the entry of compiled code puts below the return address (x86-64:
// StubGenerator::generate_method_entry_barrier).
const barrierCookie = 1<<64 - 1

// runFromCall walks the stack from the Java code that has called native code.
func (w *walk) runFromCall(c cursor, bcp uint64) {
	if w.code.interpreted(c.pc) {
		if next, more := w.innermostInterpreted(c, bcp); more {
			w.run(next)
		}
		return
	}
	b := w.blobAt(c.pc)
	if b == nil || b.frame > 0 && (b.nmethod == nil || b.nmethod.native) {
		w.run(c)
		return
	}
	if b.frame == 0 { // a stub that keeps fp
		next, ok := w.callerByFP(c)
		if next.pc == barrierCookie&w.processor.codeAddress {
			next.pc, next.sp = w.U64(next.sp), next.sp+vm.WordSize
		}
		if ok && next.sp > c.sp && w.code.has(next.pc) {
			w.runFromCall(next, 0)
		} else {
			w.stop("the frame of %q has no size", b.name)
		}
		return
	}
	if _, _, told := w.scopeAt(b.nmethod, c.pc-b.begin, exactly); told {
		w.run(c)
		return
	}
	// A call that never comes to a safepoint: the code need not tell of its place.
	if c.pc <= b.begin || !w.addNearest(b.nmethod, c.pc-b.begin-1) {
		w.stop("compiled code does not tell where it is")
		return
	}
	w.run(w.caller(c, b))
}
