package render

import (
	"fmt"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/stack"
)

// isLock recognises a wait that ends when another thread releases something.
func isLock(w *analysis.Wait) bool {
	return w.Type == "monitor" || w.Type == "ownable synchronizer" || w.Type == "class initialization"
}

// object is "com.acme.Cache <0x0000…>", without the unknown parts.
func object(w *analysis.Wait) string {
	if w.Address == "" {
		return w.Class
	}
	return strings.TrimSpace(w.Class + " <" + w.Address + ">")
}

// longest is the longest known wait of the threads as text. If they were woken meanwhile, it is how often they were
// seen waiting. It is empty for one dump.
func longest(threads []*analysis.ThreadReport) string {
	var most *float64
	differ := false
	for i, t := range threads {
		s := t.WaitsFor.Seconds
		differ = differ || i > 0 && !sameValue(s, threads[0].WaitsFor.Seconds)
		if s != nil && (most == nil || *s > *most) {
			most = s
		}
	}
	switch {
	case most == nil && threads[0].WaitsFor.Dumps > 1:
		return fmt.Sprintf(" in %d dumps", threads[0].WaitsFor.Dumps)
	case most == nil:
		return ""
	case differ:
		return " for up to " + duration(*most)
	}
	return " for " + duration(*most)
}

// sameValue reports whether both are unknown, or known and equal.
func sameValue[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// stateAndFrames is the state of a thread and its frames down to the first application frame.
func stateAndFrames(t *analysis.ThreadReport) string {
	return t.State + "\n" + strings.Join(t.Stack[:upToApplication(t)], "\n")
}

// place is the frame that represents a thread, empty if it has no frame.
func place(t *analysis.ThreadReport) string {
	if f := shownFrame(t); f != unknown {
		return f
	}
	return ""
}

// whereabouts is " BLOCKED for 2.00 s at Cache.get(Cache.java:40)"; howLong may be empty.
func whereabouts(t *analysis.ThreadReport, howLong string) []span {
	var out []span
	if t.State != "" {
		out = append(out, plain(" "), stateOfThread(t.State))
	}
	out = append(out, plain(howLong))
	if f := place(t); f != "" {
		out = append(out, plain(" at "), quoted(f))
	}
	return out
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// threadsWait is "1 thread waits", "12 threads wait".
func threadsWait(n int) string {
	return fmt.Sprintf("%s %s", counted(n, "thread"), verb(n, "waits", "wait"))
}

// waitsForOwner describes a wait for another thread, which holds or does something.
func waitsForOwner(w *analysis.Wait) []span {
	owner := strong(called(*w.Owner))
	switch {
	case w.Type == "thread end":
		return []span{plain(", waits for "), owner, plain(" to end")}
	case w.Type == "result" && w.State != "":
		return []span{plain(", waits for a task in the queue of the executor of "), owner}
	case w.Type == "result":
		return []span{plain(", waits for a task of "), owner, plain(" to end")}
	case w.Type == "class initialization":
		return []span{plain(", waits for a class that is initialised by "), owner}
	}
	return []span{plain(", waits for " + stack.WaitWords(w.Type) + " held by "), owner}
}

func holderAt(t *analysis.ThreadReport) []span {
	return append(withID(refOf(t), ","), whereabouts(t, "")...)
}

// upToApplication counts the frames down to the first application frame, or all frames. The frames below depend on how
// the thread came there.
func upToApplication(t *analysis.ThreadReport) int {
	if i := appFrame(t.Stack, t.Frame); i >= 0 {
		return i + 1
	}
	return len(t.Stack)
}

// stateOfThread marks the state that no thread should be in for long.
func stateOfThread(s string) span {
	if strings.HasPrefix(s, "BLOCKED") {
		return span{s, styleCaution}
	}
	return plain(s)
}

func waitRank(w *analysis.Wait) int {
	switch {
	case w.Owner != nil:
		return 0
	case isLock(w):
		return 1
	case w.Type == "time":
		return 3
	}
	return 2
}

// holder introduces the thread that holds a lock, and says what it waits for or does.
func holder(p *page, t *analysis.ThreadReport) []span {
	out := holderAt(t)
	switch w := t.WaitsFor; {
	case w == nil:
	case w.Type == "time":
		out = append(out, plain(", sleeps"))
	case w.Owner == nil:
		out = append(out, plain(", waits for "+stack.WaitWords(w.Type)))
	default:
		out = append(out, waitsForOwner(w)...)
	}
	return out
}

// withoutPackages removes the packages from the classes in a text.
func withoutPackages(text string) string {
	words := strings.Split(text, " ")
	for i, w := range words {
		words[i] = w[strings.LastIndexByte(w, '.')+1:]
	}
	return strings.Join(words, " ")
}
