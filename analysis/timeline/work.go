package timeline

import (
	"fmt"
	"slices"
	"strings"

	"jstall/analysis/finding"
	"jstall/analysis/stack"
	"jstall/threaddump"
)

// BlameWork names threads by what most dumps show them at, with evidence from there.
func BlameWork(f *Timeline, threads []*History) (refs []finding.ThreadRef, evidence []finding.Evidence) {
	for _, h := range threads {
		s := h.working()
		r := f.Ref(s)
		if frame := doingFrame(s.Stack); frame != nil {
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
	return finding.Figure(fmt.Sprintf("no dump shows which code of the application %s %s: a compiled loop may "+
		"stop for a dump only after its method has returned (-XX:+UseCountedLoopSafepoints "+
		"shows it)", who, finding.Verb(len(hidden), "runs", "run"))), true
}

// betweenTasks are the classes that stand at the top of a worker's stack when a task
// has just returned, or is about to start.
var betweenTasks = []string{
	stack.JUC + "ThreadPoolExecutor", stack.JUC + "FutureTask", stack.JUC + "Executors$RunnableAdapter",
	stack.JUC + "ForkJoinPool", stack.JUC + "ForkJoinTask", stack.JUC + "CompletableFuture", "java.lang.Thread",
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

// Dominant is the thread's last sample with the work that most of its samples
// have; on a tie the later one. One between two tasks tells of no work, unless all do.
func (h *History) Dominant() *Sample {
	if s := h.Most(func(s *Sample) bool { return s.Stack.Application != nil }); s != nil {
		return s
	}
	return h.Last()
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
	if frame := doingFrame(s.Stack); frame != nil {
		place = frame
	}
	return f.QuoteFrame(int(h.At[i]), s, max(0, slices.Index(s.Stack.Frames, place))), true
}

// pauseNames are how methods are called that only sleep.
var pauseNames = [...]string{"sleep", "nap", "pause", "delay", "snooze", "rest", "idle"}

// doing is the frame that says what a thread does where its innermost one does not: that
// which called a method that only sleeps, as it says by its name, or which makes something,
// inside its constructor, but for the program as main makes it; nil on all other stacks.
func doingFrame(s *stack.Stack) *threaddump.Frame {
	own := s.Program()
	if len(own) < 2 {
		return nil
	}
	i := slices.IndexFunc(own, func(f *threaddump.Frame) bool { return f.Method != "<init>" })
	if i > 0 && own[i].Method != "main" {
		return own[i]
	}
	method := strings.ToLower(own[0].Method)
	if s.Op.Kind == stack.OpSleep && s.Op.Caller == own[0] && stack.StartsWithAny(method, pauseNames[:]) {
		return own[1]
	}
	return nil
}
