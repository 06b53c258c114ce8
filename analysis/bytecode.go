package analysis

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"jstall/threaddump"
)

// Bytecode is what the compiled classes of a program say.
type Bytecode struct {
	// Loops are what the innermost loops do around lines at which threads ran,
	// "shop.Cart.total:17".
	Loops map[string]Loop
	// Rounds are what those loops do which have others in them, where they go through none of these.
	Rounds map[string]Round
	// Looks are lines of methods that do nothing but look at what is there, and return.
	Looks map[string]bool
	// Gives are the signals that a thread has yet to give which stands at a place, as by
	// [PlaceOf]: latch, barrier, exchange, result, permit, condition, notify, unpark.
	Gives map[string][]string
	// Ahead are the kinds of waits, as of Gives or "any", that a thread may yet end which stands at a
	// place, by [PlaceOf], or by [LineOf] for the topmost frame; "keeps" where it may put things into
	// collections, "hands" where it may hand tasks to executors. Later and Queued are the same of what
	// the program has handed to others to call, and to executors to run once. Closed tells that these
	// are known.
	Ahead         map[string][]string
	Later, Queued []string
	Closed        bool
	// Brings are the ways in which the program has the JDK's own threads bring results: delay, exit,
	// http, channel.
	Brings []string
	// Straight are places, as by [PlaceOf], that are in no loop of their methods, but for one that
	// does nothing else than wait.
	Straight map[string]bool
	// Taken are, by place as by [PlaceOf], the methods in which others stand that the method there has
	// called before, and nothing of their class since.
	Taken map[string][]string
	// Gates are places at which a method waits that takes nothing for itself once it is woken,
	// Puts those at which it puts something it was given into an array, a list or a queue then,
	// Serves those in a loop that takes things from a queue, Asks those before which the method
	// has written to a stream, AsksAlways whichever way it came there, Hands those before which it has handed tasks to an executor, Last
	// those behind which it does nothing. Endless are those in a loop that nothing but an exception
	// ends, Ends those in no loop or in one that counts, told where no executor of the program
	// starts a worker for each task.
	Gates, Puts, Serves, Asks, AsksAlways, Hands, Last, Endless, Ends map[string]bool
	// Reads are places, as by [PlaceOf], before which the method has taken a read lock and not
	// released it; at Upgrades it asks for the write lock of the same.
	Reads, Upgrades map[string]bool
	// Lends are places at which threads wait for a part of what a synchronizer of the program's own lends.
	Lends map[string]bool
	// Read counts the classes that were read: all that the threads use, one through the other;
	// Others tells that there are more. Calls are the methods that they call.
	Read   int
	Others bool
	Calls  []string
	// LetsGo tells that they put other objects in the place of some, in fields, arrays, or
	// under the few keys of a map, or bound one.
	LetsGo bool
	// Held are the methods by which they hand things to timers and schedulers, all of it for
	// HeldFor at least.
	Held    []string
	HeldFor time.Duration
	// Filled are the fields with collections that are only ever put into, each with a method by which
	// that is done, where, and, if that has no equals, the class of the key,
	// "shop.Cart.lines/java.util.List.add/shop.Cart.add:17/shop.Key"; or with an object that keeps
	// the one before, each with its constructor, "shop.History.last/shop.Entry.<init>/shop.History.add:9".
	Filled []string
	// Fed are the fields with queues that have no bound, each with the methods that take from it and those that
	// call these: "shop.Inbox.letters/shop.Inbox.next,shop.Clerk.run".
	Fed []string
	// Makes are the places at which threads, or what has some, and class loaders are made again and again, by
	// kind: "timer/shop.Desk.open:17"; thread, timer, executor, client, loader.
	Makes []string
	// Unequal are the classes without equals of which objects are made to remove what such a
	// one stands for: no collection ever finds it. "java.lang.Integer/java.lang.Long/shop.Cart" is a class
	// of what is asked for where all that is put is of the second, in the third.
	Unequal []string
	// Vain tells that these are removed by a class that lets go of nothing else.
	Vain bool
	// Broken are the classes of which objects are made to be keys of hash tables, and that have no
	// equals(Object) with a hashCode, though they mean to: none is ever found again. The classes
	// that put them there let go of nothing.
	Broken []string
}

// signalWords are the signals that threads wait for, as [Bytecode] calls them.
var signalWords = map[opKind]string{
	opLatch: "latch", opBarrier: "barrier", opExchange: "exchange", opResult: "result",
	opPermit: "permit", opCondition: "condition", opNotify: "notify", opPark: "unpark", opTake: "item",
}

// withoutThoseToCome leaves out the threads that wait for a signal which another has by its class
// files yet to give: one that pauses and gets on, or waits itself for such a signal.
func (f *facts) withoutThoseToCome(groups []gathering) []gathering {
	if f.bytecode == nil || len(f.bytecode.Gives) == 0 {
		return groups
	}
	coming := maps.Clone(f.signalsToCome())
	for found := true; found; {
		found = false
		groups = slices.DeleteFunc(groups, func(g gathering) bool {
			if !coming[signalWords[g.waiters[0].last().Stack.op.kind]] {
				return false
			}
			for _, w := range g.waiters {
				f.noteGiven(w.last(), coming)
			}
			found = true
			return true
		})
	}
	return groups
}

// signalsToCome are those that threads which pause and get on have by their class files yet to
// give.
func (f *facts) signalsToCome() map[string]bool {
	if f.toCome != nil {
		return f.toCome
	}
	f.toCome = map[string]bool{}
	for _, h := range f.alive() {
		if f.bytecode != nil && h.thread.program() && h.last().timed() && h.cameRound() {
			f.noteGiven(h.last(), f.toCome)
		}
	}
	return f.toCome
}

// notTheirs are the signals that others are on the way to give, but none of the threads.
func (f *facts) notTheirs(threads []*history) map[string]bool {
	coming, own := maps.Clone(f.signalsToCome()), map[string]bool{}
	for _, h := range threads {
		f.noteGiven(h.last(), own)
	}
	maps.DeleteFunc(coming, func(signal string, _ bool) bool { return own[signal] })
	return coming
}

// noteGiven notes the signals that a thread has yet to give.
func (f *facts) noteGiven(s *Sample, coming map[string]bool) {
	if f.bytecode == nil {
		return
	}
	for i := range s.Stack.Frames {
		if i == 0 {
			continue
		}
		for _, word := range f.bytecode.Gives[PlaceOf(s.Stack.Frames, i)] {
			coming[word] = true
		}
	}
}

// PlaceOf is where the thread stands in a frame of a stack other than the first: the line, and
// what it has called there, "shop.Cart.wait:17>sleep".
func PlaceOf(stack []*threaddump.Frame, i int) string {
	return LineOf(stack[i]) + ">" + stack[i-1].Method
}

// LineOf is a line of the source, "shop.Cart.total:17".
func LineOf(fr *threaddump.Frame) string { return fmt.Sprintf("%s:%d", fr.Name(), fr.Line) }

// puttingIn and takingOut are what methods of the JDK's collections begin with that make them
// grow, and that may let go of what they hold; overwriting tells the latter too. takingOwn are
// those of the program's own classes, which may be such collections, or have one.
const (
	puttingIn = "add put offer push computeIfAbsent"
	takingOut = "remove clear poll pop take drain retain replace compute merge set split expunge purge"
	takingOwn = "remove clear poll pop take drain retain evict expire purge invalidate"
)

// collections are what names of the classes end with that hold what is put into them.
var collections = [...]string{"Map", "List", "Set", "Queue", "Deque", "Collection", "Vector", "Stack", "Hashtable", "Properties"}

// keeps are the calls by which the classes that threads use put something into
// collections, if none of these classes takes anything out of one, replaces what it has, or
// hands it to the JDK to hold: then all stays. So does what is put under a key that equals none.
func (b *Bytecode) keeps() []string {
	surely := b.surelyKeeps()
	if b == nil || b.Read == 0 || !surely && (b.Others || b.LetsGo) {
		return nil
	}
	handsOn := slices.ContainsFunc(b.Calls, takesBlocking)
	in := slices.Clone(b.Held)
	for _, call := range b.Calls {
		dot := strings.LastIndexByte(call, '.')
		class, method := call[:max(0, dot)], call[dot+1:]
		if !surely && (MayLetGo(call) && !takesBlocking(call) || method == "cancel" && len(b.Held) == 0) {
			return nil
		}
		if PutsIn(call) && !(handsOn && isBlocking(class)) && !slices.Contains(in, call) {
			in = append(in, call)
		}
	}
	slices.Sort(in)
	return slices.Compact(in)
}

// filled are the fields with collections that are only ever put into, if all classes were read.
func (b *Bytecode) filled() []string {
	if b == nil || b.Others {
		return nil
	}
	return b.Filled
}

// surelyKeeps reports that a class takes nothing out of its collections, though it may mean to: what it
// puts there can never be found again.
func (b *Bytecode) surelyKeeps() bool { return b != nil && (len(b.Broken) > 0 || b.Vain) }

// takesBlocking tells the calls that take things from queues by which threads hand them on: they say
// nothing of other collections.
func takesBlocking(call string) bool {
	dot := max(0, strings.LastIndexByte(call, '.'))
	return isBlocking(call[:dot]) && MayLetGo(call)
}

// PutsIn tells a call by which a collection of the JDK may grow.
func PutsIn(call string) bool {
	dot := max(0, strings.LastIndexByte(call, '.'))
	return isCollection(call[:dot]) && hasAnyPrefix(strings.TrimPrefix(call[dot:], "."), puttingIn)
}

// isBlocking tells the queues of the JDK by which threads hand things on to each other, other than one by one.
func isBlocking(class string) bool {
	return strings.HasPrefix(class, juc) && (strings.Contains(class, "Blocking") || strings.Contains(class, "TransferQueue"))
}

func isCollection(class string) bool {
	return strings.HasPrefix(class, "java.util.") && slices.ContainsFunc(collections[:], func(end string) bool { return strings.HasSuffix(class, end) })
}

// MayLetGo tells a call by which something may be let go of, or held for a time only.
func MayLetGo(call string) bool {
	dot := strings.LastIndexByte(call, '.')
	class, method := call[:max(0, dot)], call[dot+1:]
	switch {
	case strings.HasPrefix(class, "java.lang.ref."), class == "java.util.WeakHashMap", strings.HasPrefix(class, juc+"atomic.AtomicReference"),
		class == "java.lang.ThreadLocal" && hasAnyPrefix(method, takingOut), class == "java.lang.System" && method == "arraycopy", class == "java.util.Arrays" && method == "fill",
		class == "java.lang.invoke.VarHandle", method == "schedule":
		return true
	case strings.HasPrefix(class, juc+"atomic."):
		return false
	case strings.HasPrefix(class, "java.util."):
		return method != "computeIfAbsent" && hasAnyPrefix(method, takingOut)
	}
	return !strings.HasPrefix(class, "java.") && hasAnyPrefix(method, takingOwn)
}

// hasOfThreads reports that things may be kept by thread, and go with it.
func (b *Bytecode) hasOfThreads() bool {
	return b != nil && slices.ContainsFunc(b.Calls, func(call string) bool { return strings.HasPrefix(call, "java.lang.ThreadLocal.") })
}

// mayLetGo reports that class files were read and do not say that all stays.
func (b *Bytecode) mayLetGo() bool { return b != nil && b.Read > 0 && len(b.keeps()) == 0 }
