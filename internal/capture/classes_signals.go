package capture

import (
	"fmt"
	"io"
	"slices"
	"strings"

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
