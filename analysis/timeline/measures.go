package timeline

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

// Counted are the first and the last dump of the capture with counters, ok if there
// are two of them.
func (f *Timeline) Counted() (first, last *Counters, ok bool) {
	for _, s := range f.Snaps {
		switch {
		case s.Counters == nil:
		case first == nil:
			first = s.Counters
		default:
			last = s.Counters
		}
	}
	return first, last, last != nil
}

// Machines are the first and the last dump's surroundings, ok if there are two.
func (f *Timeline) Machines() (first, last *Machine, ok bool) {
	for _, s := range f.Snaps {
		switch {
		case s.Machine == nil:
		case first == nil:
			first = s.Machine
		default:
			last = s.Machine
		}
	}
	return first, last, last != nil
}

// LastMachine is the last that was told of the surroundings, nil if nothing was.
func (f *Timeline) LastMachine() *Machine {
	for i := len(f.Snaps) - 1; i >= 0; i-- {
		if m := f.Snaps[i].Machine; m != nil {
			return m
		}
	}
	return nil
}

// Gained is the growth of a sum; unknown where either end is or where it shrank.
func Gained[T ~int64](before, after Opt[T]) Opt[T] {
	if !before.Known || !after.Known || after.Value < before.Value {
		return Opt[T]{}
	}
	return threaddump.Known(after.Value - before.Value)
}

// ShareOf is a part of the capture's time; unknown where that is too short to tell.
func (f *Timeline) ShareOf(d Opt[time.Duration]) Opt[float64] {
	if !d.Known || !f.Measurable() {
		return Opt[float64]{}
	}
	return threaddump.Known(float64(d.Value) / float64(f.Wall().Value))
}

// RoleShare is how many cores the threads of a role used over the capture, unknown
// if no thread's use is known.
func RoleShare(f *Timeline, is func(*Thread) bool) Opt[float64] {
	var sum time.Duration
	counted := false
	for _, h := range f.Threads {
		if is(h.Thread) && h.CPU.Known {
			sum += h.CPU.Value
			counted = true
		}
	}
	return f.ShareOf(Opt[time.Duration]{Value: sum, Known: counted})
}

// MostBy are the threads of the program that have most of an amount, those with
// at least a quarter of all of it, the greatest first; total is that of all.
func MostBy(f *Timeline, amount func(*History) Opt[int64]) (most []*History, total int64) {
	var all []*History
	for _, h := range f.Threads {
		if a := amount(h); h.Thread.Java() && a.Known && a.Value > 0 {
			all = append(all, h)
			total += a.Value
		}
	}
	slices.SortStableFunc(all, func(a, b *History) int {
		return cmp.Or(cmp.Compare(amount(b).Value, amount(a).Value), cmp.Compare(a.Thread.Name, b.Thread.Name), cmp.Compare(a.Thread.ID, b.Thread.ID))
	})
	for _, h := range all {
		if h.Thread.Program() && 4*amount(h).Value >= total {
			most = append(most, h)
		}
	}
	return most, total
}

// AtWork names threads by what most dumps show them at, with evidence from there.
func AtWork(f *Timeline, threads []*History) (refs []finding.ThreadRef, evidence []finding.Evidence) {
	for _, h := range threads {
		s := h.working()
		r := f.Ref(s)
		if frame := doing(s.Stack); frame != nil {
			r.SetFrame(frame)
		}
		r.State = h.Last().Shown().String()
		refs = append(refs, r)
		if e, ok := WorkEvidence(f, h, s); ok {
			evidence = append(evidence, e)
		}
	}
	if e, ok := HiddenWork(threads); ok {
		evidence = append(evidence, e)
	}
	return refs, evidence
}

// betweenTasks are the classes that stand at the top of a worker's stack when a task
// has just returned, or is about to start.
var betweenTasks = []string{
	stack.JUC + "ThreadPoolExecutor", stack.JUC + "FutureTask", stack.JUC + "Executors$RunnableAdapter",
	stack.JUC + "ForkJoinPool", stack.JUC + "ForkJoinTask", stack.JUC + "CompletableFuture", "java.lang.Thread",
}

// HiddenWork tells of threads that run code which no dump shows: they stop for one only
// when a method has returned to the worker's loop.
func HiddenWork(threads []*History) (finding.Evidence, bool) {
	var hidden []*History
	for _, h := range threads {
		if h.isHidden() {
			hidden = append(hidden, h)
		}
	}
	if len(hidden) == 0 {
		return finding.Evidence{}, false
	}
	who := hidden[0].Thread.Called()
	if len(hidden) > 1 {
		who = fmt.Sprintf("%s and %d more", who, len(hidden)-1)
	}
	return finding.Figure(fmt.Sprintf("no dump shows which code of the application %s %s: a compiled loop may stop for a dump only after its method has returned "+
		"(-XX:+UseCountedLoopSafepoints shows it)", who, finding.Verb(len(hidden), "runs", "run"))), true
}

func (h *History) isHidden() bool {
	caught := false
	for _, s := range h.Samples {
		if s.Stack.Application != nil {
			return false
		}
		if s.Wait == stack.Running && len(s.Stack.Frames) > 0 {
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
func (h *History) working() *Sample {
	if s := h.Most(func(s *Sample) bool { return s.Stack.Application != nil && s.Wait == stack.Running }); s != nil {
		return s
	}
	if s := h.Most(func(s *Sample) bool { return s.Stack.Application != nil && s.Resting() == nil }); s != nil {
		return s
	}
	return h.Dominant()
}

// Most is the last of the samples with the work that most of those have for which
// something holds, nil if it holds for none.
func (h *History) Most(holds func(*Sample) bool) *Sample {
	times := map[string]int{}
	var best *Sample
	for _, s := range h.Samples {
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

// WorkEvidence quotes the frame that a sample is named by.
func WorkEvidence(f *Timeline, h *History, s *Sample) (finding.Evidence, bool) {
	i := slices.Index(h.Samples, s)
	if i < 0 || len(s.Stack.Frames) == 0 {
		return finding.Evidence{}, false
	}
	place := s.Stack.Application
	if frame := doing(s.Stack); frame != nil {
		place = frame
	}
	return f.QuoteFrame(int(h.At[i]), s, max(0, slices.Index(s.Stack.Frames, place))), true
}

// pauseNames are how methods are called that only sleep.
var pauseNames = [...]string{"sleep", "nap", "pause", "delay", "snooze", "rest", "idle"}

// doing is the frame that says what a thread does where its innermost one does not: that
// which called a method that only sleeps, as it says by its name, or which makes something,
// inside its constructor, but for the program as main makes it; nil on all other stacks.
func doing(s *stack.Stack) *threaddump.Frame {
	own := s.Program()
	if len(own) < 2 {
		return nil
	}
	if i := slices.IndexFunc(own, func(f *threaddump.Frame) bool { return f.Method != "<init>" }); i > 0 && own[i].Method != "main" {
		return own[i]
	}
	method := strings.ToLower(own[0].Method)
	if s.Op.Kind == stack.OpSleep && s.Op.Caller == own[0] && slices.ContainsFunc(pauseNames[:], func(name string) bool { return strings.HasPrefix(method, name) }) {
		return own[1]
	}
	return nil
}

// Megabytes words an amount of memory.
func Megabytes(n int64) string {
	const mb = 1 << 20
	if n < 10*mb {
		return fmt.Sprintf("%.1f MB", float64(n)/mb)
	}
	return fmt.Sprintf("%d MB", n/mb)
}
