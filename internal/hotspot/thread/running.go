package thread

import (
	"context"
	"slices"
	"time"

	"github.com/jstall/jstall/internal/hotspot/object"
	"github.com/jstall/jstall/internal/hotspot/stack"
	"github.com/jstall/jstall/internal/hotspot/vm"
)

// samplings is how often a thread is sampled whose stack is not proven by the first sample: between two frames,
// in the first and the last instructions of a method, nothing proves it.
const samplings = 4

// MostSampling bounds the time for all samples of a dump. In a process that is stopped no thread gives one.
const MostSampling = 60 * time.Millisecond

// ReadRunning adds the frames of threads that run Java code. They are read once more first: most threads
// that ran Java code wait by now. unsampled is why threads that run were not sampled.
func (r *Reader) ReadRunning(threads []*Thread, registers stack.Registers, carriersAlone bool) (unsampled error) {
	ctx, cancel := context.WithTimeout(r.Ctx, MostSampling)
	defer cancel()
	for range samplings {
		for n, t := range threads {
			if t.Runs() && !t.Sampled {
				threads[n] = r.ReadAgain(t)
			}
		}
		running := slices.DeleteFunc(slices.Clone(threads), func(t *Thread) bool {
			return !t.Runs() || carriersAlone && t.Carries == 0
		})
		if len(running) == 0 || registers == nil || ctx.Err() != nil {
			break
		}
		if unsampled = r.Sample(ctx, running, registers); unsampled != nil {
			break
		}
	}
	r.TearChanged(threads)
	return unsampled
}

// ReadAgain reads a thread as a waiting one.
func (r *Reader) ReadAgain(t *Thread) *Thread {
	again := r.ReadThread(t.Address)
	if again.NativeID != t.NativeID {
		return t
	}
	again.Kernel = t.Kernel
	return again
}

// TearChanged takes the frames from threads whose code has changed since it was read.
func (r *Reader) TearChanged(threads []*Thread) {
	changed := r.Changed()
	if len(changed) == 0 {
		return
	}
	for _, t := range threads {
		if slices.ContainsFunc(t.uses, func(s *stack.Source) bool { return changed[s] }) {
			t.Tear()
		}
	}
}

// Sample takes a sample of each thread, and reads the frames that it proves.
func (r *Reader) Sample(ctx context.Context, threads []*Thread, registers stack.Registers) error {
	began := r.BeginObjects()
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
			r.ReadSnapshot(t, s, began)
		}
	}
	return nil
}

// ReadSnapshot adds the frames of a thread that a sample proves.
func (r *Reader) ReadSnapshot(t *Thread, s stack.Snapshot, began object.Epoch) {
	if s.Thread != t.Address || s.SP < t.stackLow || s.SP >= t.StackHigh || len(s.Stack) == 0 {
		return // in the JVM's own code or in a library
	}
	r.Windows[1] = vm.Window{Lo: s.SP, Hi: t.StackHigh, Bytes: s.Stack, Fixed: true}
	defer func() { r.Windows[1] = vm.Window{} }()
	w := &stack.Walk{Reader: &r.Reader, Low: s.SP, High: t.StackHigh, Sampled: true}
	if r.Thread.Continuation.Known {
		w.Entry = r.Pointer(t.Address, r.Thread.Continuation)
	}
	failed := r.Failed
	w.RunFrom(s)
	if r.Failed != failed && w.Cut != "" && s.SP+uint64(len(s.Stack)) < t.StackHigh {
		w.Stop("only %d kB of the stack were copied", len(s.Stack)>>10)
		t.longStack = true
	}
	better := !t.Sampled || w.Cut == "" || len(w.Frames) > len(t.Frames)
	if len(w.Frames) == 0 || !better {
		return
	}
	r.takeFrames(t, w, began)
}

// takeFrames puts the frames into lines, if no object has moved since the sample.
func (r *Reader) takeFrames(t *Thread, w *stack.Walk, began object.Epoch) {
	read := &Thread{Address: t.Address, Object: t.Object}
	r.readCarried(read)
	if read.Carries != t.Carries {
		return
	}
	r.splitFrames(read, r.lines(read, w.Frames), w.Frames)
	if r.Form.Concurrent {
		r.BeginObjects()
		again := &Thread{Address: t.Address, Object: t.Object, Carries: t.Carries}
		r.splitFrames(again, r.lines(again, w.Frames), w.Frames)
		if !slices.EqualFunc(read.Frames, again.Frames, Frame.same) {
			return
		}
	} else if r.Epoch() != began {
		return
	}
	t.Frames, t.Mounted, t.Waits = read.Frames, read.Mounted, nil
	t.StackAddress, t.Cut, t.uses = w.Low+vm.WordSize, w.Cut, w.Uses
	t.Sampled, t.Near = true, w.Near
	t.OnStack = read.OnStack
	t.noteRest(w)
}
