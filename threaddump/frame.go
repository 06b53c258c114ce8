package threaddump

import (
	"bytes"
	"strings"
)

// ParseFrame reads one frame of a text dump without its "at ", in any of the forms that are known.
func ParseFrame(text string) *Frame {
	f := &Frame{}
	parseFrame(f, text)
	return f
}

// parseFrame reads a frame without its "at ":
//
//	java.lang.Thread.sleep(java.base@21.0.13/Thread.java:509)     text dumps, JDK 9 and newer
//	java.lang.Thread.sleep(Native Method)                         JDK 8
//	W$$Lambda/0x00007ff130000a08.run(Unknown Source)              hidden classes
//	java.base/java.lang.Thread.sleep(Thread.java:509)             JSON and plain dumps
//	app/my.module@1.0/my.Main.run(Main.java:3)                    the same, other loaders
//	java.lang.Thread.sleep(long) @bci=1, line=4 (Interpreted frame)   jhsdb jstack
//
// Printed by java_lang_Throwable::print_stack_element (javaClasses.cpp),
// StackTraceElement.toString and JavaVFrame in jhsdb. Whatever a line holds, it
// is a frame; what cannot be read stays empty.
func parseFrame(f *Frame, text string) {
	f.Text = text
	place := strings.LastIndexByte(text, '(')
	if place > 0 && text[place-1] != ' ' && text[len(text)-1] == ')' { // as most are
		f.parsePlace(text[place+1 : len(text)-1])
		f.parseMethod(f.cutLoader(text[:place]))
		return
	}
	if i := strings.Index(text, ") @bci="); i >= 0 {
		f.parseDebuggerFrame(i)
		return
	}
	switch {
	case place < 0:
		place = len(text)
	case text[len(text)-1] == ')':
		f.parsePlace(text[place+1 : len(text)-1])
	default:
		f.parseCutPlace(text[place+1:])
	}
	f.parseMethod(f.cutLoader(text[:place]))
}

// parseCutPlace reads what the edge of a screen left of "java.base@21.0.13/Native Method"; of a file nothing is
// certain.
func (f *Frame) parseCutPlace(place string) {
	name := place[strings.LastIndexByte(place, '/')+1:]
	f.Native = name != "" && strings.HasPrefix("Native Method", name)
}

// parseMethod splits "java.lang.Thread.sleep". Method names hold no dots.
func (f *Frame) parseMethod(s string) {
	if i := strings.LastIndexByte(s, '.'); i >= 0 {
		f.Class, f.Method = s[:i], s[i+1:]
	}
}

// cutLoader takes "app/my.module@1.0/" from the class. The slash of a hidden
// class ("W$$Lambda/0x00007ff130000a08", "W$$Lambda$1/295530567") is its own.
func (f *Frame) cutLoader(s string) string {
	first, rest, ok := strings.Cut(s, "/")
	if !ok || isHiddenSuffix(rest) {
		return s
	}
	second, class, ok := strings.Cut(rest, "/")
	if !ok || isHiddenSuffix(class) {
		f.setModule(first)
		return rest
	}
	f.Loader = first
	f.setModule(second)
	return class
}

func isHiddenSuffix(s string) bool { return s != "" && isDigit(s[0]) }

func (f *Frame) setModule(s string) {
	f.Module, f.ModuleVersion, _ = strings.Cut(s, "@")
}

// parsePlace reads what the brackets hold: "java.base@21.0.13/Thread.java:509".
func (f *Frame) parsePlace(s string) {
	if i := strings.IndexByte(s, '/'); i >= 0 {
		f.setModule(s[:i])
		s = s[i+1:]
	}
	switch s {
	case "Native Method":
		f.Native = true
	case "Unknown Source", "Redefined":
	default:
		f.File = s
		if i := strings.LastIndexByte(s, ':'); i >= 0 {
			if line, ok := atoi(s[i+1:]); ok {
				f.File, f.Line = s[:i], line
			}
		}
	}
}

// parseDebuggerFrame reads jhsdb's frames; i is where their arguments end.
func (f *Frame) parseDebuggerFrame(i int) {
	name, _, _ := strings.Cut(f.Text[:i], "(")
	f.parseMethod(name)
	_, line, _ := strings.Cut(f.Text[i:], ", line=")
	line, _, _ = strings.Cut(line, " ")
	f.Line, _ = atoi(strings.TrimSuffix(line, ","))
}

func atoi(s string) (v int, ok bool) {
	if len(s) == 0 || len(s) > 9 {
		return 0, false
	}
	for i := range len(s) {
		if !isDigit(s[i]) {
			return 0, false
		}
		v = 10*v + int(s[i]-'0')
	}
	return v, true
}

// whole reports that a frame has all its parts, so that it was not cut.
func (f *Frame) whole() bool {
	return f.Method != "" && f.Text[len(f.Text)-1] == ')'
}

// frameBegin is what is before a frame.
const frameBegin = "\tat "

// isBareFrame recognises "a.B.c(B.java:9)".
func isBareFrame(text []byte) bool {
	if len(text) == 0 || text[len(text)-1] != ')' || bytes.IndexByte(text, '.') < 0 {
		return false
	}
	open := bytes.LastIndexByte(text, '(')
	return open > 0 && bytes.IndexByte(text[:open], ' ') < 0
}
