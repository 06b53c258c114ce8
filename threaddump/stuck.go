package threaddump

import (
	"bytes"
	"slices"
	"strings"
)

// stuckInfo are the warnings of servers about one thread that works on one task for longer than a limit, with its
// stack:
//
//	Thread Thread[vert.x-eventloop-thread-8,5,main] has been blocked for 26065 ms, time limit is 2000 ms   Vert.x, Quarkus
//	Thread [http-nio-8080-exec-1] (id=[22]) has been active for [125,838] milliseconds (since …) to serve  Tomcat's valve
//	Thread "http-bio-8080-exec-5" (id=39) has been active for 12,345 milliseconds (since …) to serve       Tomcat 7's
//	WSVR0605W: Thread "WebContainer : 0" (00000029) has been active for 612000 milliseconds and may be     WebSphere
//	<[STUCK] ExecuteThread: '35' for queue: 'a.B (self-tuning)' has been busy for "608" seconds working    WebLogic
//
// The state is not reported, nor are locks. An exception without a text ("java.lang.Throwable") may be above the
// frames. A line that belongs to no stack ends the thread.
var stuckInfo = &infoForm{cut: cutStuck, header: stuckHeader, body: stuckLine, sparse: true,
	series: true, begun: jsonStack, quoted: true}

func stuckHeader(text []byte, h *infoHeader) bool {
	*h = infoHeader{}
	at := cutWarning(text)
	if at < 0 {
		h.name, h.stuck = claimOf(text)
		return h.name != nil
	}
	text = text[at:]
	for _, verb := range stuckVerbs {
		thread, rest, found := bytes.Cut(text, verb)
		if !found {
			continue
		}
		h.stuck = stuckWords(verb, rest)
		return len(h.stuck) > 0 && h.stuckThread(thread)
	}
	return false
}

// stuckThread reads the name, and the Java id where there is one.
func (h *infoHeader) stuckThread(text []byte) bool {
	if rest, ok := bytes.CutPrefix(text, []byte("Thread ")); ok {
		text = rest
	}
	if h.toString(text) {
		return true
	}
	end := byte(0)
	switch text[0] {
	case '"':
		end = '"'
	case '[':
		end = ']'
	}
	last := bytes.LastIndexByte(text, end)
	if _, id, ok := bytes.Cut(text, []byte(" (id=")); ok && end != 0 {
		id = bytes.TrimLeft(id, "[")
		h.id, _ = parseInt(id[:spanOf(id, isDigit)])
		last = bytes.LastIndexByte(text[:bytes.LastIndex(text, []byte(" (id="))], end)
	}
	switch {
	case bytes.HasPrefix(text, []byte("[STUCK] ")), end == 0:
		h.name = text
	case last < 2:
		return false
	default:
		h.name = text[1:last]
	}
	return len(h.name) > 0
}

// onceOf is the half of what is there twice, with = in between.
func onceOf(text []byte) []byte {
	if half := len(text) / 2; half > 0 && text[half] == '=' && bytes.Equal(text[:half], text[half+1:]) {
		return text[:half]
	}
	return text
}

// toString reads what Thread.toString prints: Thread[#21,main,5,group], Thread[main,5,group] up to 18, and
// VirtualThread[#21,name]/runnable@ForkJoinPool-1-worker-1. Vert.x 3 prints it twice, with = in between.
func (h *infoHeader) toString(text []byte) bool {
	text = onceOf(text)
	rest, virtual := bytes.CutPrefix(text, []byte("Virtual"))
	rest, ok := bytes.CutPrefix(rest, []byte("Thread["))
	end := bytes.LastIndexByte(rest, ']')
	if !ok || end < 0 {
		return false
	}
	rest = rest[:end]
	if number, after, found := bytes.Cut(rest, []byte(",")); found && len(number) > 1 && number[0] == '#' {
		if h.id, ok = parseInt(number[1:]); ok {
			rest = after
		}
	} else if virtual && len(rest) > 1 {
		h.id, ok = parseInt(rest[1:])
		return ok
	}
	if virtual {
		h.name = rest
		return true
	}
	group := bytes.LastIndexByte(rest, ',')
	if group < 0 {
		return false
	}
	priority := bytes.LastIndexByte(rest[:group], ',')
	if priority < 0 || !setPriority(&h.priority, rest[priority+1:group]) {
		return false
	}
	h.name = rest[:priority]
	return true
}

// stuckWords is "has been blocked for 26065 ms", without the marks around the number; empty if there is no number.
func stuckWords(verb, rest []byte) []byte {
	number, rest, _ := bytes.Cut(rest, []byte(" "))
	number = bytes.Trim(number, `"[]`)
	unit := rest[:spanOf(rest, isAlnum)]
	switch string(unit) {
	case "ms", "milliseconds", "s", "seconds", "sec":
	default:
		return nil
	}
	if len(number) == 0 || !isDigit(number[0]) {
		return nil
	}
	words := append(bytes.Clone(bytes.TrimSpace(verb)), ' ')
	return append(append(append(words, number...), ' '), unit...)
}

// stuckLine reads the frames of WebLogic, which have no "at " before them, and the exception above those of others.
func stuckLine(s *infoDump, text []byte) bool {
	if bytes.HasPrefix(text, []byte("at ")) {
		return false
	}
	return len(s.frames) == 0 && isException(text) || s.bareFrame(text)
}

// StuckWords are Stuck, or what WebLogic's mark in the name of its thread says.
func (t *Thread) StuckWords() string {
	if t.Stuck != "" || !strings.HasPrefix(t.Name, "[STUCK] ") {
		return t.Stuck
	}
	const worker = "weblogic.work.ExecuteThread"
	in := func(method string) bool {
		return slices.ContainsFunc(t.Stack, func(f *Frame) bool { return f.Class == worker && f.Method == method })
	}
	if !in("execute") || in("waitForRequest") {
		return ""
	}
	return "has exceeded WebLogic's limit (600 s by default)"
}

// poolInfo is the status that c3p0 writes when the threads of its pool do not get on, with Thread.toString and the
// stack of each:
//
//	… -- APPARENT DEADLOCK!!! Complete Status:
//		Managed Threads: 3
//	Pool thread stack traces:
//		Thread[C3P0PooledConnectionPoolManager[identityToken->2z]-HelperThread-#0,5,main]
//			java.base@17/sun.nio.ch.Net.connect0(Native Method)
//
// Other programs list threads in this way too.
var poolInfo = &infoForm{cut: cutIndented, header: poolHeader, bare: true, sparse: true,
	second: isPlainFrame, end: apparentDeadlock}

// apparentDeadlock keeps c3p0's claim of the threads that are in a task: others are in Object.wait, which the thread's
// own method calls.
func apparentDeadlock(s *infoDump) {
	if n := len(s.frames); s.apparent && n > 1 && s.frames[n-2].Class != "java.lang.Object" {
		s.cur.Stuck = "has not finished its task (an APPARENT DEADLOCK in the words of c3p0)"
	}
}

// cutIndented finds Thread[ where blanks alone are before it.
func cutIndented(line []byte) int {
	n := spanOf(line, func(c byte) bool { return c == ' ' || c == '\t' })
	if rest := line[n:]; !bytes.HasPrefix(rest, []byte("Thread[")) && !bytes.HasPrefix(rest, []byte("VirtualThread[")) {
		return -1
	}
	return 0
}

func poolHeader(text []byte, h *infoHeader) bool {
	*h = infoHeader{}
	text = bytes.TrimSpace(text)
	if len(text) == 0 || cutIndented(text) < 0 {
		return false
	}
	if last := text[len(text)-1]; last != ']' && last != ':' && !bytes.HasPrefix(text, []byte("Virtual")) {
		return false
	}
	return h.toString(text)
}
