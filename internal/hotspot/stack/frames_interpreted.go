package stack

import "github.com/jstall/jstall/internal/hotspot/vm"

// interpreted adds the method of an interpreted frame (interpreter/templateInterpreter, see
// frameLayout for the words of the frame).
func (w *Walk) interpreted(c Cursor) (Cursor, bool) {
	if c.FP < w.Low || c.FP >= w.High || c.FP%vm.WordSize != 0 || c.FP+maxInterpreted < c.SP ||
		c.FP > c.SP+maxInterpreted {
		w.Stop("an interpreted frame has the frame pointer %#x", c.FP)
		return c, false
	}
	m := w.MethodAt(w.frameWord(c.FP, w.Processor.Method))
	if m == nil {
		w.Stop("an interpreted frame has no method")
		return c, false
	}
	if w.Sampled && (!w.isInterpreted(c.FP, c.SP, m) || !w.called(c)) {
		w.Stop("an interpreted frame is not complete")
		return c, false
	}
	w.End = max(w.End, c.FP+2*vm.WordSize)
	f := JavaFrame{Method: m, BCI: m.BCIOf(w.frameWord(c.FP, w.Processor.BCP)),
		Monitors: w.interpretedMonitors(c.FP)}
	switch self := w.inFrame(c.FP, w.Processor.Locals); {
	case m.native:
		f.Receiver = w.U64(self)
	case m.KeepsSelf:
		w.NoteSelf(w.OnStack(w.U64(self)))
	}
	w.add(f)
	return w.callerOfInterpreted(c), true
}

func (w *Walk) callerOfInterpreted(c Cursor) Cursor {
	return Cursor{
		SP: w.frameWord(c.FP, w.Processor.SenderSP), FP: w.U64(c.FP), PC: w.U64(c.FP + vm.WordSize),
	}
}

// frameWord reads a word of an interpreted frame.
func (w *Walk) frameWord(fp uint64, words int64) uint64 { return w.U64(fp + uint64(words*vm.WordSize)) }

// inFrame is an address in an interpreted frame that a word of it has: as it is, or in words
// from fp (22 and newer; the locals from 21 on).
func (w *Walk) inFrame(fp uint64, words int64) uint64 {
	const farthest = maxInterpreted / vm.WordSize
	at := w.frameWord(fp, words)
	if n := int64(at); n > -farthest && n < farthest {
		return fp + uint64(n*vm.WordSize)
	}
	return at
}

// interpretedMonitors reads the BasicObjectLocks of a frame, the last one first.
func (w *Walk) interpretedMonitors(fp uint64) []HeldMonitor {
	at, end := w.inFrame(fp, w.Processor.monitors), fp+uint64(w.Processor.monitors*vm.WordSize)
	size := w.Monitor.LockSize
	if at < w.Low || at > end || size == 0 {
		return nil
	}
	var monitors []HeldMonitor
	for ; at+size <= end && len(monitors) < maxMonitors; at += size {
		if oop := w.U64(at + w.Monitor.LockObject); oop != 0 {
			monitors = append(monitors, HeldMonitor{Object: w.OnStack(oop)})
		}
	}
	return monitors
}
