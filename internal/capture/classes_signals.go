package capture

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"jstall/analysis"
	"jstall/internal/classfile"
)

// signals are the calls that others wait for, by what [analysis.Bytecode] calls them. Of those
// of the first kind each counts; by the others a loop gives signals all the time, and whoever
// waits beside it waits for another one.
var signals = map[string]struct {
	word string
	each bool
}{
	"java.util.concurrent.CountDownLatch.countDown":                {"latch", true},
	"java.util.concurrent.CyclicBarrier.await":                     {"barrier", true},
	"java.util.concurrent.Phaser.arrive":                           {"barrier", true},
	"java.util.concurrent.Phaser.arriveAndAwaitAdvance":            {"barrier", true},
	"java.util.concurrent.Phaser.arriveAndDeregister":              {"barrier", true},
	"java.util.concurrent.Exchanger.exchange":                      {"exchange", true},
	"java.util.concurrent.CompletableFuture.complete":              {"result", false},
	"java.util.concurrent.CompletableFuture.completeExceptionally": {"result", false},
	"java.util.concurrent.Semaphore.release":                       {"permit", false},
	"java.util.concurrent.locks.Condition.signal":                  {"condition", false},
	"java.util.concurrent.locks.Condition.signalAll":               {"condition", false},
	"java.util.concurrent.locks.LockSupport.unpark":                {"unpark", false},
	"java.lang.Object.notify":                                      {"notify", false},
	"java.lang.Object.notifyAll":                                   {"notify", false},
}

// ends are further calls that may end a wait: each those of a kind or two, those of an executor's tasks, or any.
var ends = map[string]string{
	"java.util.concurrent.Phaser.bulkRegister":                                "barrier",
	"java.util.concurrent.Phaser.forceTermination":                            "barrier",
	"java.util.concurrent.CyclicBarrier.reset":                                "barrier",
	"java.util.concurrent.CompletableFuture.completeAsync":                    "result",
	"java.util.concurrent.CompletableFuture.completeOnTimeout":                "result",
	"java.util.concurrent.CompletableFuture.orTimeout":                        "result",
	"java.util.concurrent.CompletableFuture.delayedExecutor":                  "result",
	"java.util.concurrent.CompletableFuture.obtrudeValue":                     "result",
	"java.util.concurrent.CompletableFuture.obtrudeException":                 "result",
	"java.util.concurrent.CompletableFuture.cancel":                           "result",
	"java.util.concurrent.Future.cancel":                                      "any",
	"java.util.concurrent.FutureTask.cancel":                                  "any",
	"java.util.concurrent.FutureTask.run":                                     "result",
	"java.util.concurrent.ExecutorService.shutdownNow":                        "task",
	"java.util.concurrent.ThreadPoolExecutor.shutdownNow":                     "task",
	"java.util.concurrent.ScheduledExecutorService.shutdownNow":               "task",
	"java.util.concurrent.ForkJoinPool.shutdownNow":                           "task",
	"java.util.concurrent.locks.AbstractQueuedSynchronizer.releaseShared":     "permit unpark",
	"java.util.concurrent.locks.AbstractQueuedSynchronizer.release":           "unpark",
	"java.util.concurrent.locks.AbstractQueuedLongSynchronizer.releaseShared": "permit unpark",
	"java.util.concurrent.locks.AbstractQueuedLongSynchronizer.release":       "unpark",
	"java.lang.Thread.interrupt":                                              "any",
	"java.lang.Process.onExit":                                                "result",
}

// writeAhead writes which signals code may yet give that is left to run: where threads stand, and
// what was handed to others to call. Of a program of which more is called than its classes show
// it writes nothing.
func (p *classPath) writeAhead(to io.Writer, places, from []string, grows bool) {
	at, names := map[string]classfile.Place{}, from
	for _, text := range places {
		place, ok := parsePlace(text)
		if !ok {
			return
		}
		at[text], names = place, append(names, place.Class)
	}
	classes, all := p.classesFrom(names)
	if !all {
		return
	}
	keeps := func(classfile.Call) bool { return false }
	if grows {
		keeps = keepers(classes)
	}
	ahead := classfile.NewAhead(classes)
	if ahead == nil || ahead.Opaque() {
		return
	}
	entered, waiting := map[string]bool{}, waitIn(classes)
	for _, place := range at {
		entered[place.Class+"."+place.Method] = true
	}
	for _, text := range places {
		if taken := ahead.Taken(at[text], entered); len(taken) > 0 {
			fmt.Fprintln(to, "taken", text, strings.Join(taken, " "))
		}
		if calls, ok := ahead.From(at[text]); ok {
			fmt.Fprintln(to, "ahead", text, strings.Join(endings(calls, keeps, waiting), " "))
		}
		if calls, ok := ahead.Before(at[text]); ok && slices.ContainsFunc(calls, func(c classfile.Call) bool { return classfile.RunsOnce(c.Member) }) {
			fmt.Fprintln(to, "hands", text)
		}
	}
	p.writeEnds(to, places, at, classes)
	later, queued := ahead.Handed()
	fmt.Fprintln(to, "later", strings.Join(endings(later, keeps, waiting), " "))
	fmt.Fprintln(to, "brings", strings.Join(ahead.Brings(), " "))
	fmt.Fprintln(to, "queued", strings.Join(endings(queued, keeps, waiting), " "))
}

// writeEnds writes which places are in no loop, or one that counts; of a program with an executor that starts
// a worker for each task nothing.
func (p *classPath) writeEnds(to io.Writer, places []string, at map[string]classfile.Place, classes []*classfile.Class) {
	for _, c := range classes {
		if slices.ContainsFunc(c.Calls(), func(call string) bool {
			return call == "java.util.concurrent.Executors.newCachedThreadPool" || call == "java.util.concurrent.SynchronousQueue.<init>"
		}) {
			return
		}
	}
	for _, text := range places {
		if time.Now().After(p.until) {
			return
		}
		if c := p.class(at[text].Class); c != nil && c.EndsByItself(at[text]) {
			fmt.Fprintln(to, "ends", text)
		}
	}
}

// keepers tells the calls by which some classes put things into collections that outlive the method:
// of classes that surely never let go of anything, if there are such, else of all.
func keepers(classes []*classfile.Class) func(classfile.Call) bool {
	uses, _ := classfile.MapUses(classes)
	surely := map[string]bool{}
	for class, use := range uses {
		if len(use.Broken)+len(use.Unequal) > 0 {
			surely[class] = true
		}
	}
	return func(call classfile.Call) bool {
		return analysis.PutsIn(call.Member) && !slices.Contains(uses[call.In].Local, call.Member) && (len(surely) == 0 || surely[call.In])
	}
}

// endings are the kinds of waits that some calls may end, each once; notifies and conditions also with
// the class that signals, "notify@shop.Door", which mostly is the one that waits, and if nobody does in it with each
// of the classes in which threads wait.
//
// Beside these calls by which things may be kept are "keeps", those by which executors get tasks "hands".
func endings(calls []classfile.Call, keeps func(classfile.Call) bool, waiting []string) []string {
	var words []string
	for _, call := range calls {
		if keeps(call) {
			words = append(words, "keeps")
		}
		if classfile.RunsOnce(call.Member) {
			words = append(words, "hands")
		}
		word := signals[call.Member].word
		switch {
		case word == "condition", word == "notify":
			words = append(words, word, word+"@"+call.In)
			if !slices.Contains(waiting, call.In) {
				for _, class := range waiting {
					words = append(words, word+"@"+class)
				}
			}
		case word != "":
			words = append(words, word)
		case ends[call.Member] != "":
			words = append(words, strings.Fields(ends[call.Member])...)
		case handsOver(call.Member):
			words = append(words, "item")
		case strings.HasPrefix(call.Member, "java.net.http."), strings.HasPrefix(call.Member, "java.nio.channels.Asynchronous"):
			words = append(words, "result")
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// waitIn are the classes of some whose code waits for notifies or at conditions, none if there are too many.
func waitIn(classes []*classfile.Class) []string {
	const most = 50
	var waiting []string
	for _, c := range classes {
		if slices.ContainsFunc(c.Calls(), func(call string) bool {
			return call == "java.lang.Object.wait" || strings.HasPrefix(call, "java.util.concurrent.locks.Condition.await")
		}) {
			waiting = append(waiting, c.Name)
		}
	}
	if len(waiting) > most {
		return nil
	}
	return waiting
}

// handsOver tells the calls by which something may get into a queue that threads take from.
func handsOver(member string) bool {
	dot := strings.LastIndexByte(member, '.')
	class, method := member[:max(0, dot)], member[dot+1:]
	switch member {
	case "java.util.Collections.addAll", "java.util.stream.Collectors.toCollection":
		return true
	}
	switch class {
	case "java.util.Queue", "java.util.Deque", "java.util.Collection", "java.util.AbstractQueue":
		return analysis.PutsIn(member)
	}
	return analysis.IsQueue(class) && (analysis.PutsIn(member) || method == "drainTo" || strings.HasSuffix(strings.ToLower(method), "transfer"))
}

// writeSignals writes which signals the threads at some places have yet to give.
func (p *classPath) writeSignals(to io.Writer, places []string) {
	at := map[string]classfile.Place{}
	var names []string
	for _, text := range places {
		if place, ok := parsePlace(text); ok {
			at[text], names = place, append(names, place.Class)
		}
	}
	classes, _ := p.classesFrom(names)
	calls := classfile.NewCalls(classes)
	for _, text := range places { // one that cannot be read is nowhere
		if words := signalsAt(calls, at[text]); len(words) > 0 {
			fmt.Fprintln(to, "gives", text, strings.Join(words, " "))
		}
	}
}

// signalsAt are the signals that a thread at a place has yet to give, each once.
func signalsAt(calls *classfile.Calls, at classfile.Place) []string {
	behind, around := calls.From(at)
	var words []string
	for _, call := range behind {
		if s, ok := signals[call]; ok {
			words = append(words, s.word)
		}
	}
	for _, call := range around {
		if s, ok := signals[call]; ok && s.each {
			words = append(words, s.word)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
