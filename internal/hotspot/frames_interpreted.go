package hotspot

import "github.com/jstall/jstall/internal/hotspot/vm"

// interpreted adds the method of an interpreted frame (interpreter/templateInterpreter, see
// frameLayout for the words of the frame).
func (w *walk) interpreted(c cursor) (cursor, bool) {
	if c.fp < w.low || c.fp >= w.high || c.fp%vm.WordSize != 0 || c.fp+maxInterpreted < c.sp ||
		c.fp > c.sp+maxInterpreted {
		w.stop("an interpreted frame has the frame pointer %#x", c.fp)
		return c, false
	}
	m := w.methodAt(w.frameWord(c.fp, w.processor.method))
	if m == nil {
		w.stop("an interpreted frame has no method")
		return c, false
	}
	if w.sampled && (!w.isInterpreted(c.fp, c.sp, m) || !w.called(c)) {
		w.stop("an interpreted frame is not complete")
		return c, false
	}
	w.end = max(w.end, c.fp+2*vm.WordSize)
	f := javaFrame{method: m, bci: m.bciOf(w.frameWord(c.fp, w.processor.bcp)),
		monitors: w.interpretedMonitors(c.fp)}
	switch self := w.inFrame(c.fp, w.processor.locals); {
	case m.native:
		f.receiver = w.U64(self)
	case m.keepsSelf:
		w.noteSelf(w.OnStack(w.U64(self)))
	}
	w.add(f)
	return w.callerOfInterpreted(c), true
}

func (w *walk) callerOfInterpreted(c cursor) cursor {
	return cursor{
		sp: w.frameWord(c.fp, w.processor.senderSP), fp: w.U64(c.fp), pc: w.U64(c.fp + vm.WordSize),
	}
}

// frameWord reads a word of an interpreted frame.
func (w *walk) frameWord(fp uint64, words int64) uint64 { return w.U64(fp + uint64(words*vm.WordSize)) }

// inFrame is an address in an interpreted frame that a word of it tells: as it is, or in words
// from fp (22 and newer; the locals from 21 on).
func (w *walk) inFrame(fp uint64, words int64) uint64 {
	const farthest = maxInterpreted / vm.WordSize
	at := w.frameWord(fp, words)
	if n := int64(at); n > -farthest && n < farthest {
		return fp + uint64(n*vm.WordSize)
	}
	return at
}

// interpretedMonitors reads the BasicObjectLocks of a frame, the last one first.
func (w *walk) interpretedMonitors(fp uint64) []heldMonitor {
	at, end := w.inFrame(fp, w.processor.monitors), fp+uint64(w.processor.monitors*vm.WordSize)
	size := w.Monitor.LockSize
	if at < w.low || at > end || size == 0 {
		return nil
	}
	var monitors []heldMonitor
	for ; at+size <= end && len(monitors) < maxMonitors; at += size {
		if oop := w.U64(at + w.Monitor.LockObject); oop != 0 {
			monitors = append(monitors, heldMonitor{object: w.OnStack(oop)})
		}
	}
	return monitors
}
