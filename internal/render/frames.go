package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
)

// frameText is a frame of a dump without loader and module: "java.lang.Thread.sleep(Thread.java:509)". Text dumps print
// these within the brackets, dumps that Java code wrote before the class.
func frameText(frame string) string {
	open := strings.LastIndexByte(frame, '(')
	if open < 0 {
		return frame
	}
	method, place := frame[:open], frame[open+1:]
	for {
		_, rest, ok := strings.Cut(method, "/")
		if !ok || startsWithDigit(rest) { // a hidden class: "A$$Lambda/0x00007f…", "A$$Lambda$1/455659002"
			break
		}
		method = rest
	}
	return method + "(" + place[strings.LastIndexByte(place, '/')+1:]
}

func startsWithDigit(s string) bool { return s != "" && '0' <= s[0] && s[0] <= '9' }

// isNative recognises a frame of a native method.
func isNative(frame string) bool {
	return strings.HasSuffix(frame, "Native Method)")
}

// appFrame is the index of the first application frame of a stack, which the report names without its line; -1 if it
// names no frame.
func appFrame(stack []string, name string) int {
	if name == "" {
		return -1
	}
	return slices.IndexFunc(stack, func(f string) bool {
		return strings.HasPrefix(f, name) && strings.HasPrefix(f[len(name):], "(")
	})
}

// shownFrame is the frame that represents a thread: the first one of the application or of a library, with its line, or
// else the top one that is not part of parking.
func shownFrame(t *analysis.ThreadReport) string {
	if i := appFrame(t.Stack, t.Frame); i >= 0 {
		return frameText(t.Stack[i])
	}
	if t.Frame == "" && len(t.Stack) > 0 {
		return frameText(t.Stack[belowPark(t.Stack)])
	}
	return orUnknown(t.Frame)
}

// belowPark is the index of the first frame below those that park the thread, which say nothing about it.
func belowPark(stack []string) int {
	i := slices.IndexFunc(stack, func(f string) bool {
		text := frameText(f)
		return !strings.Contains(text, ".Unsafe.park(") &&
			!strings.HasPrefix(text, "java.util.concurrent.locks.LockSupport.")
	})
	return max(i, 0)
}

// stackOf returns a thread's stack as the options filter it, and the index of its first application frame.
func stackOf(p *page, t *analysis.ThreadReport) ([]string, int) {
	stack := t.Stack
	if p.options.IntelligentFilter {
		if own := slices.DeleteFunc(slices.Clone(stack), isLibrary); len(own) > 0 {
			stack = own
		}
	}
	return stack, appFrame(stack, t.Frame)
}

// excerpt returns at most n lines of a stack, from its top down to the first application frames. Without such frames it
// ends at the first frame that is not the JDK's, or at the waiting call. If there is no room for all, it keeps the
// frame of the application, the call that this frame makes and the frames that the evidence quotes, then the top frame
// and the waiting call. A line counts the frames that are left out before it.
func excerpt(p *page, t *analysis.ThreadReport, n int, evidence []finding.Evidence) []string {
	stack, app := stackOf(p, t)
	if app < 0 {
		app = slices.IndexFunc(stack, func(f string) bool { return !isJDK(f) })
	}
	if app < 0 {
		app = max(operation(stack, t.WaitsFor), belowPark(stack))
	}
	if len(stack) == 0 || n < 1 {
		return nil
	}
	call := operation(stack[:app], t.WaitsFor)
	shown := keepQuoted(shownFrames(len(stack), app, call, n), quotedIn(stack, evidence), app, n)
	lines := make([]string, 0, len(shown))
	before := -1
	for _, i := range shown {
		line := "at " + frameText(stack[i])
		if left := i - before - 1; left > 0 {
			line = fmt.Sprintf("(%s omitted) %s", counted(left, "frame"), line)
		}
		lines, before = append(lines, line), i
	}
	return lines
}

// shownFrames returns the indexes of at most n frames of a stack of that depth. app is the frame of the application,
// call the waiting call, -1 without one.
func shownFrames(depth, app, call, n int) []int {
	end := min(depth, max(app+2, 3))
	switch {
	case app < n:
		return upTo(min(n, end))
	case n < 5:
		end = app + 1 // the call that it made says more than its caller
	}
	top := 1
	if n <= 2 {
		top = 0
	}
	below := end - (n - top)
	shown := upTo(top)
	if call >= top && call < below && n > 3 {
		below++
		shown = append(shown, call)
	}
	for i := below; i < end; i++ {
		shown = append(shown, i)
	}
	return shown
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// quotedIn returns the indexes of the frames of a stack that the evidence quotes.
func quotedIn(stack []string, evidence []finding.Evidence) []int {
	var quoted []int
	for i, frame := range stack {
		quotes := func(e finding.Evidence) bool { return strings.TrimPrefix(e.Text, "at ") == frame }
		if slices.ContainsFunc(evidence, quotes) {
			quoted = append(quoted, i)
		}
	}
	return quoted
}

// keepQuoted adds the quoted frames to the shown ones. To keep at most n it drops first the frames below that of the
// application, then those far above it.
func keepQuoted(shown, quoted []int, app, n int) []int {
	for _, i := range quoted {
		if slices.Contains(shown, i) {
			continue
		}
		spare := func(k int) bool { return k != app && !slices.Contains(quoted, k) }
		if len(shown) >= n {
			at := len(shown) - 1
			if shown[at] < app || !spare(shown[at]) {
				at = slices.IndexFunc(shown, spare)
			}
			if at < 0 {
				break
			}
			shown = slices.Delete(shown, at, at+1)
		}
		shown = append(shown, i)
		slices.Sort(shown)
	}
	return shown
}

// operation is the index of the outermost frame that is the waiting call, -1 without one.
func operation(frames []string, w *analysis.Wait) int {
	for i := len(frames) - 1; w != nil && w.Operation != "" && i >= 0; i-- {
		method, _, _ := strings.Cut(frameText(frames[i]), "(")
		if strings.HasSuffix("."+method, "."+w.Operation) {
			return i
		}
	}
	return -1
}

// wholeStack returns a stack down to depth frames, 0 for all.
func wholeStack(p *page, t *analysis.ThreadReport, depth int) []string {
	stack, _ := stackOf(p, t)
	if depth == 0 || depth >= len(stack) {
		return at(stack)
	}
	return append(at(stack[:depth]), fmt.Sprintf("… %s", counted(len(stack)-depth, "frame")))
}

func at(frames []string) []string {
	lines := make([]string, len(frames))
	for i, f := range frames {
		lines[i] = "at " + frameText(f)
	}
	return lines
}

// isJDK recognises frames of the JDK, by their package.
func isJDK(frame string) bool {
	return slices.ContainsFunc([]string{"java.", "javax.", "jdk.", "sun.", "com.sun."}, func(prefix string) bool {
		return strings.HasPrefix(frameText(frame), prefix)
	})
}

// isLibrary recognises frames of the JDK, by their module if it is printed, and of well-known frameworks.
// --intelligent-filter leaves them out.
func isLibrary(frame string) bool {
	_, place, _ := strings.Cut(frame, "(")
	if strings.HasPrefix(place, "java.") || strings.HasPrefix(place, "jdk.") {
		return true
	}
	return slices.ContainsFunc(libraries(), func(prefix string) bool {
		return strings.HasPrefix(frame, prefix)
	})
}

// libraries are the packages that isLibrary recognises.
func libraries() []string {
	return []string{
		"java.", "javax.", "jakarta.", "jdk.", "sun.", "com.sun.", "kotlin.", "kotlinx.", "scala.", "groovy.",
		"clojure.", "org.springframework.", "org.apache.", "org.eclipse.jetty.", "org.hibernate.", "org.jboss.",
		"io.netty.", "io.undertow.", "io.quarkus.", "io.micronaut.", "io.vertx.", "io.grpc.", "reactor.", "rx.",
		"io.reactivex.", "akka.", "com.google.common.", "com.fasterxml.", "org.codehaus.groovy.", "okhttp3.",
		"org.junit.", "net.bytebuddy.",
	}
}

func depthOr(depth, otherwise int) int {
	if depth > 0 {
		return depth
	}
	return otherwise
}
