package analysis

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// counted are the first and the last dump of the capture with counters, ok if there
// are two of them.
func (f *timeline) counted() (first, last *Counters, ok bool) {
	for _, s := range f.snaps {
		switch {
		case s.counters == nil:
		case first == nil:
			first = s.counters
		default:
			last = s.counters
		}
	}
	return first, last, last != nil
}

// machines are the first and the last dump's surroundings, ok if there are two.
func (f *timeline) machines() (first, last *Machine, ok bool) {
	for _, s := range f.snaps {
		switch {
		case s.machine == nil:
		case first == nil:
			first = s.machine
		default:
			last = s.machine
		}
	}
	return first, last, last != nil
}

// lastMachine is the last that was told of the surroundings, nil if nothing was.
func (f *timeline) lastMachine() *Machine {
	for i := len(f.snaps) - 1; i >= 0; i-- {
		if m := f.snaps[i].machine; m != nil {
			return m
		}
	}
	return nil
}

// gained is the growth of a sum; unknown where either end is or where it shrank.
func gained[T ~int64](before, after Opt[T]) Opt[T] {
	if !before.Known || !after.Known || after.Value < before.Value {
		return Opt[T]{}
	}
	return threaddump.Known(after.Value - before.Value)
}

// shareOf is a part of the capture's time; unknown where that is too short to tell.
func (f *timeline) shareOf(d Opt[time.Duration]) Opt[float64] {
	if !d.Known || !f.measurable() {
		return Opt[float64]{}
	}
	return threaddump.Known(float64(d.Value) / float64(f.wall().Value))
}

// roleShare is how many cores the threads of a role used over the capture, unknown
// if no thread's use is known.
func (f *timeline) roleShare(is func(*Thread) bool) Opt[float64] {
	var sum time.Duration
	counted := false
	for _, h := range f.threads {
		if is(h.thread) && h.cpu.Known {
			sum += h.cpu.Value
			counted = true
		}
	}
	return f.shareOf(Opt[time.Duration]{Value: sum, Known: counted})
}

// mostBy are the threads of the program that have most of an amount, those with
// at least a quarter of all of it, the greatest first; total is that of all.
func (f *timeline) mostBy(amount func(*history) Opt[int64]) (most []*history, total int64) {
	var all []*history
	for _, h := range f.threads {
		if a := amount(h); h.thread.java() && a.Known && a.Value > 0 {
			all = append(all, h)
			total += a.Value
		}
	}
	slices.SortStableFunc(all, func(a, b *history) int {
		return cmp.Or(cmp.Compare(amount(b).Value, amount(a).Value), cmp.Compare(a.thread.Name, b.thread.Name), cmp.Compare(a.thread.ID, b.thread.ID))
	})
	for _, h := range all {
		if h.thread.program() && 4*amount(h).Value >= total {
			most = append(most, h)
		}
	}
	return most, total
}

// atWork names threads by what most dumps show them at, with evidence from there.
func (f *timeline) atWork(threads []*history) (refs []ThreadRef, evidence []Evidence) {
	for _, h := range threads {
		s := h.working()
		r := f.ref(s)
		if frame := s.Stack.doing(); frame != nil {
			r.setFrame(frame)
		}
		r.State = h.last().shown().String()
		refs = append(refs, r)
		if e, ok := f.workEvidence(h, s); ok {
			evidence = append(evidence, e)
		}
	}
	if e, ok := hiddenWork(threads); ok {
		evidence = append(evidence, e)
	}
	return refs, evidence
}

// betweenTasks are the classes that stand at the top of a worker's stack when a task
// has just returned, or is about to start.
var betweenTasks = []string{
	juc + "ThreadPoolExecutor", juc + "FutureTask", juc + "Executors$RunnableAdapter",
	juc + "ForkJoinPool", juc + "ForkJoinTask", juc + "CompletableFuture", "java.lang.Thread",
}

// hiddenWork tells of threads that run code which no dump shows: they stop for one only
// when a method has returned to the worker's loop.
func hiddenWork(threads []*history) (Evidence, bool) {
	var hidden []*history
	for _, h := range threads {
		if h.isHidden() {
			hidden = append(hidden, h)
		}
	}
	if len(hidden) == 0 {
		return Evidence{}, false
	}
	who := hidden[0].thread.called()
	if len(hidden) > 1 {
		who = fmt.Sprintf("%s and %d more", who, len(hidden)-1)
	}
	return figure(fmt.Sprintf("no dump shows which code of the application %s %s: a compiled loop may stop for a dump only after its method has returned "+
		"(-XX:+UseCountedLoopSafepoints shows it)", who, verb(len(hidden), "runs", "run"))), true
}

func (h *history) isHidden() bool {
	caught := false
	for _, s := range h.samples {
		if s.Stack.Application != nil {
			return false
		}
		if s.wait == running && len(s.Stack.Frames) > 0 {
			top := s.Stack.Frames[0].Class
			caught = caught || slices.ContainsFunc(betweenTasks, func(class string) bool {
				return top == class || strings.HasPrefix(top, class+"$")
			})
		}
	}
	return caught
}

// working is the dominant sample of those that run in the application, else of
// those with a frame of the application, of all where none has one.
func (h *history) working() *Sample {
	if s := h.most(func(s *Sample) bool { return s.Stack.Application != nil && s.wait == running }); s != nil {
		return s
	}
	if s := h.most(func(s *Sample) bool { return s.Stack.Application != nil && s.resting() == nil }); s != nil {
		return s
	}
	return h.dominant()
}

// most is the last of the samples with the work that most of those have for which
// something holds, nil if it holds for none.
func (h *history) most(holds func(*Sample) bool) *Sample {
	times := map[string]int{}
	var best *Sample
	for _, s := range h.samples {
		if !holds(s) {
			continue
		}
		w := s.Stack.Work()
		times[w]++
		if best == nil || times[w] >= times[best.Stack.Work()] {
			best = s
		}
	}
	return best
}

// workEvidence quotes the frame that a sample is named by.
func (f *timeline) workEvidence(h *history, s *Sample) (Evidence, bool) {
	i := slices.Index(h.samples, s)
	if i < 0 || len(s.Stack.Frames) == 0 {
		return Evidence{}, false
	}
	place := s.Stack.Application
	if frame := s.Stack.doing(); frame != nil {
		place = frame
	}
	return f.quoteFrame(int(h.at[i]), s, max(0, slices.Index(s.Stack.Frames, place))), true
}

// pauseNames are how methods are called that only sleep.
var pauseNames = [...]string{"sleep", "nap", "pause", "delay", "snooze", "rest", "idle"}

// doing is the frame that says what a thread does where its innermost one does not: that
// which called a method that only sleeps, as it says by its name, or which makes something,
// inside its constructor, but for the program as main makes it; nil on all other stacks.
func (s *Stack) doing() *threaddump.Frame {
	own := s.program()
	if len(own) < 2 {
		return nil
	}
	if i := slices.IndexFunc(own, func(f *threaddump.Frame) bool { return f.Method != "<init>" }); i > 0 && own[i].Method != "main" {
		return own[i]
	}
	method := strings.ToLower(own[0].Method)
	if s.op.kind == opSleep && s.op.caller == own[0] && slices.ContainsFunc(pauseNames[:], func(name string) bool { return strings.HasPrefix(method, name) }) {
		return own[1]
	}
	return nil
}

// figure is evidence that is no line of a dump.
func figure(text string) Evidence { return Evidence{Text: text} }

// megabytes words an amount of memory.
func megabytes(n int64) string {
	const mb = 1 << 20
	if n < 10*mb {
		return fmt.Sprintf("%.1f MB", float64(n)/mb)
	}
	return fmt.Sprintf("%d MB", n/mb)
}
