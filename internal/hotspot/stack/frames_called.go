package stack

import "github.com/jstall/jstall/internal/hotspot/vm"

// barrierCookie is what the barrier at the entry of compiled code puts below the return address (x86-64:
// StubGenerator::generate_method_entry_barrier).
const barrierCookie = 1<<64 - 1

// runFromCall walks the stack from the Java code that has called native code.
func (w *Walk) runFromCall(c Cursor, bcp uint64) {
	if w.Code.Interpreted(c.PC) {
		if next, more := w.innermostInterpreted(c, bcp); more {
			w.Run(next)
		}
		return
	}
	b := w.BlobAt(c.PC)
	if b == nil || b.Frame > 0 && (b.Nmethod == nil || b.Nmethod.Native) {
		w.Run(c)
		return
	}
	if b.Frame == 0 { // a stub that keeps fp
		next, ok := w.callerByFP(c)
		if next.PC == barrierCookie&w.Processor.CodeAddress {
			next.PC, next.SP = w.U64(next.SP), next.SP+vm.WordSize
		}
		if ok && next.SP > c.SP && w.Code.has(next.PC) {
			w.runFromCall(next, 0)
		} else {
			w.Stop("the frame of %q has no size", b.name)
		}
		return
	}
	if _, _, told := w.scopeAt(b.Nmethod, c.PC-b.Begin, Exactly); told {
		w.Run(c)
		return
	}
	// A call that never comes to a safepoint: the code need not tell of its place.
	if c.PC <= b.Begin || !w.addNearest(b.Nmethod, c.PC-b.Begin-1) {
		w.Stop("compiled code does not tell where it is")
		return
	}
	w.Run(w.caller(c, b))
}
