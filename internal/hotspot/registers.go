package hotspot

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

// mostSampling bounds the time for all samples of a dump. In a process that is stopped no thread gives one.
const mostSampling = 60 * time.Millisecond

// readRunning adds the frames of threads that run Java code. They are read once more first: most threads
// that ran Java code wait by now. unsampled is why threads that run were not sampled.
func (r *reader) readRunning(threads []*Thread, registers stack.Registers, carriersAlone bool) (unsampled error) {
	ctx, cancel := context.WithTimeout(r.Ctx, mostSampling)
	defer cancel()
	for range samplings {
		for n, t := range threads {
			if t.runs() && !t.Sampled {
				threads[n] = r.readAgain(t)
			}
		}
		running := slices.DeleteFunc(slices.Clone(threads), func(t *Thread) bool {
			return !t.runs() || carriersAlone && t.Carries == 0
		})
		if len(running) == 0 || registers == nil || ctx.Err() != nil {
			break
		}
		if unsampled = r.sample(ctx, running, registers); unsampled != nil {
			break
		}
	}
	r.tearChanged(threads)
	return unsampled
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
	changed := r.Changed()
	if len(changed) == 0 {
		return
	}
	for _, t := range threads {
		if slices.ContainsFunc(t.uses, func(s *stack.Source) bool { return changed[s] }) {
			t.tear()
		}
	}
}

// sample takes a sample of each thread, and reads the frames that it proves.
func (r *reader) sample(ctx context.Context, threads []*Thread, registers stack.Registers) error {
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
			r.readSnapshot(t, s, began)
		}
	}
	return nil
}

// readSnapshot adds the frames of a thread that a sample proves.
func (r *reader) readSnapshot(t *Thread, s stack.Snapshot, began object.Epoch) {
	if s.Thread != t.Address || s.SP < t.stackLow || s.SP >= t.stackHigh || len(s.Stack) == 0 {
		return // in the JVM's own code or in a library
	}
	r.Windows[1] = vm.Window{Lo: s.SP, Hi: t.stackHigh, Bytes: s.Stack, Fixed: true}
	defer func() { r.Windows[1] = vm.Window{} }()
	w := &stack.Walk{Reader: &r.Reader, Low: s.SP, High: t.stackHigh, Sampled: true}
	if r.Thread.Continuation.Known {
		w.Entry = r.Pointer(t.Address, r.Thread.Continuation)
	}
	failed := r.Failed
	w.RunFrom(s)
	if r.Failed != failed && w.Cut != "" && s.SP+uint64(len(s.Stack)) < t.stackHigh {
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
func (r *reader) takeFrames(t *Thread, w *stack.Walk, began object.Epoch) {
	read := &Thread{Address: t.Address, object: t.object}
	r.readCarried(read)
	if read.Carries != t.Carries {
		return
	}
	r.splitFrames(read, r.lines(read, w.Frames), w.Frames)
	if r.Form.Concurrent {
		r.BeginObjects()
		again := &Thread{Address: t.Address, object: t.object, Carries: t.Carries}
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
	t.onStack = read.onStack
	t.noteRest(w)
}
