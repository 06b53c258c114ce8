package hotspot

import (
	"context"
	"slices"
	"time"
)

// Registers tells where threads are that run.
type Registers interface {
	// Sample returns one moment of each thread, by the kernel's ids. A thread that did
	// not run until ctx ended, or some time before, has none. An error means that none can be sampled.
	Sample(ctx context.Context, tids []int) (map[int]Snapshot, error)
}

// Snapshot is one moment of a thread: some of its registers, and a copy of its stack from SP on.
type Snapshot struct {
	PC, SP, FP uint64
	// BCP is the address of a bytecode if the interpreter runs, Thread the JavaThread in Java code.
	BCP, Thread uint64
	Stack       []byte
}

// samplings is how often a thread is sampled whose stack is not proven by the first sample: between two frames,
// in the first and the last instructions of a method, nothing proves it.
const samplings = 4

// mostSampling bounds the time for all samples of a dump. In a process that is stopped no thread gives one.
const mostSampling = 60 * time.Millisecond

// readRunning adds the frames of threads that run Java code. They are read once more first: most threads
// that ran Java code wait by now.
func (r *reader) readRunning(d *Dump, registers Registers, carriersAlone bool) {
	ctx, cancel := context.WithTimeout(r.ctx, mostSampling)
	defer cancel()
	for range samplings {
		for n, t := range d.Threads {
			if t.runs() && !t.Sampled {
				d.Threads[n] = r.readAgain(t)
			}
		}
		running := slices.DeleteFunc(slices.Clone(d.Threads), func(t *Thread) bool {
			return !t.runs() || carriersAlone && t.Carries == 0
		})
		if len(running) == 0 || registers == nil || ctx.Err() != nil {
			break
		}
		if d.Sampling = r.sample(ctx, running, registers); d.Sampling != nil {
			break
		}
	}
	r.tearChanged(d.Threads)
}

// runs tells that the frames of a thread are not known yet, or not to their end, because it runs.
func (t *Thread) runs() bool {
	return t.Running && !t.Torn && (!t.Sampled || t.Cut != "" && !t.longStack)
}

// tid is the kernel's id of a thread: in our own pid namespace, or that of a core file.
func (t *Thread) tid() int {
	if t.Kernel != nil {
		return t.Kernel.TID
	}
	return t.NativeID
}

// readAgain reads a thread as a waiting one.
func (r *reader) readAgain(t *Thread) *Thread {
	again := r.readThread(t.Address)
	if again.NativeID != t.NativeID {
		return t
	}
	again.Kernel = t.Kernel
	return again
}

// tearChanged takes the frames from threads whose code has changed since it was read.
func (r *reader) tearChanged(threads []*Thread) {
	changed := r.changed()
	if len(changed) == 0 {
		return
	}
	for _, t := range threads {
		if slices.ContainsFunc(t.uses, func(s *source) bool { return changed[s] }) {
			t.tear()
		}
	}
}

// sample takes a sample of each thread, and reads the frames that it proves.
func (r *reader) sample(ctx context.Context, threads []*Thread, registers Registers) error {
	began := r.beginObjects()
	var tids []int
	for _, t := range threads {
		tids = append(tids, t.tid())
	}
	snapshots, err := registers.Sample(ctx, tids)
	if err != nil {
		return err
	}
	for _, t := range threads {
		if s, ok := snapshots[t.tid()]; ok {
			r.readSnapshot(t, s, began)
		}
	}
	return nil
}

// readSnapshot adds the frames of a thread that a sample proves.
func (r *reader) readSnapshot(t *Thread, s Snapshot, began epoch) {
	if s.Thread != t.Address || s.SP < t.stackLow || s.SP >= t.stackHigh || len(s.Stack) == 0 {
		return // in the JVM's own code or in a library
	}
	r.over[1] = window{lo: s.SP, hi: t.stackHigh, bytes: s.Stack, fixed: true}
	defer func() { r.over[1] = window{} }()
	w := &walk{codeReader: &r.codeReader, low: s.SP, high: t.stackHigh, sampled: true}
	if r.thread.continuation.known {
		w.entry = r.pointer(t.Address, r.thread.continuation)
	}
	failed := r.failed
	w.runFrom(s)
	if r.failed != failed && w.cut != "" && s.SP+uint64(len(s.Stack)) < t.stackHigh {
		w.stop("only %d kB of the stack were copied", len(s.Stack)>>10)
		t.longStack = true
	}
	better := !t.Sampled || w.cut == "" || len(w.frames) > len(t.Frames)
	if len(w.frames) == 0 || !better {
		return
	}
	r.takeFrames(t, w, began)
}

// takeFrames puts the frames into lines, if no object has moved since the sample.
func (r *reader) takeFrames(t *Thread, w *walk, began epoch) {
	read := &Thread{Address: t.Address, object: t.object}
	r.readCarried(read)
	if read.Carries != t.Carries {
		return
	}
	r.splitFrames(read, r.lines(read, w.frames), w.frames)
	if r.heap.concurrent {
		r.beginObjects()
		again := &Thread{Address: t.Address, object: t.object, Carries: t.Carries}
		r.splitFrames(again, r.lines(again, w.frames), w.frames)
		if !slices.EqualFunc(read.Frames, again.Frames, Frame.same) {
			return
		}
	} else if r.epoch() != began {
		return
	}
	t.Frames, t.Mounted, t.Waits = read.Frames, read.Mounted, nil
	t.StackAddress, t.Cut, t.uses = w.low+wordSize, w.cut, w.uses
	t.Sampled, t.Near = true, w.near
	t.onStack = read.onStack
	t.noteRest(w)
}

// registerWords is room for the registers of any processor in NT_PRSTATUS.
const registerWords = 64
