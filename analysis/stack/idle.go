package stack

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/jstall/jstall/threaddump"
)

// IdleTable lists the places where idle threads wait; its head describes the format.
//
//go:embed idle.tsv
var IdleTable string

// IdleRule is one row of IdleTable.
type IdleRule struct {
	// What is the thread's job: worker, selector, main …
	What string
	// Not marks a place that looks idle and is not. Then What is the thing that the thread waits for, such as "pool".
	Not     bool
	Certain bool
	Scope   string // any, main, own, loop or fed
	steps   []step
	order   int
}

// nativePoller is the row for a thread that polls in native code of a library or of the program: see PollsInNative.
var nativePoller = &IdleRule{What: "poller", Scope: "any"}

// step is one frame of a row, or a gap of frames.
type step struct {
	gap  bool
	code bool   // one frame that is not the JDK's
	most origin // of a gap: OfJDK, or OfLibrary for frames of the JDK and of libraries
	name glob
}

// glob is a name in which "*" matches any text.
type glob []string

func newGlob(text string) glob { return strings.Split(text, "*") }

// Fits reports whether a name matches.
func (g glob) Fits(s string) bool {
	if len(g) == 1 {
		return s == g[0]
	}
	if !strings.HasPrefix(s, g[0]) {
		return false
	}
	s = s[len(g[0]):]
	for _, part := range g[1 : len(g)-1] {
		i := strings.Index(s, part)
		if i < 0 {
			return false
		}
		s = s[i+len(part):]
	}
	return strings.HasSuffix(s, g[len(g)-1])
}

// restTable finds the rows by the name of their first frame if that has no "*", so that only a few rows are tried on
// each stack.
type idleRows struct {
	ByName map[string][]*IdleRule
	Globs  []*IdleRule
}

// Prepare reads idle.tsv and frameworks.tsv in advance, so that the first dump does not wait for it.
func Prepare() {
	IdleRules()
	libraries()
}

// IdleRules returns the rows of IdleTable, parsed at the first call.
var IdleRules = sync.OnceValue(func() *idleRows {
	t := &idleRows{ByName: map[string][]*IdleRule{}}
	order := 0
	for line := range strings.Lines(IdleTable) {
		r := ParseIdleRule(strings.TrimRight(line, "\r\n"))
		if r == nil {
			continue
		}
		r.order = order
		order++
		if first := r.steps[r.first()].name; len(first) == 1 {
			t.ByName[first[0]] = append(t.ByName[first[0]], r)
		} else {
			t.Globs = append(t.Globs, r)
		}
	}
	return t
})

// ParseIdleRule reads one line of IdleTable; nil for a comment and for a line without a frame.
func ParseIdleRule(line string) *IdleRule {
	columns := strings.Split(line, "\t")
	if strings.HasPrefix(line, "#") || len(columns) < 4 {
		return nil
	}
	r := &IdleRule{What: columns[0], Certain: columns[1] == "yes", Scope: columns[2]}
	r.What, r.Not = strings.CutPrefix(r.What, "!")
	for _, word := range strings.Fields(columns[3]) {
		r.steps = append(r.steps, newStep(word))
	}
	if r.first() == len(r.steps) {
		return nil
	}
	return r
}

func newStep(word string) step {
	switch word {
	case "<jdk>":
		return step{gap: true, most: OfJDK}
	case "<lib>":
		return step{gap: true, most: OfLibrary}
	case "<code>":
		return step{code: true}
	}
	return step{name: newGlob(word)}
}

// first is the index of the first step that names a frame.
func (r *IdleRule) first() int {
	for i, s := range r.steps {
		if s.name != nil {
			return i
		}
	}
	return len(r.steps)
}

// idleRuleOf finds the first row of the table that fits a stack, for a thread of any name and for a thread named main.
func idleRuleOf(frames []*threaddump.Frame, origins []origin, root *rootRule) (rest, asMain *IdleRule) {
	v := &idleView{frames: frames, origins: origins, isMain: frames[len(frames)-1].Method == "main",
		inHandler: root != nil && inHandler(frames, origins, root)}
	table := IdleRules()
	for i, f := range frames {
		name := f.Name()
		for _, r := range table.ByName[name] {
			v.try(r)
		}
		for _, r := range table.Globs {
			if r.steps[r.first()].name.Fits(name) {
				v.try(r)
			}
		}
		if origins[i] <= OfGenerator {
			break // no gap goes deeper
		}
	}
	return v.found, v.asMain
}

// idleView is a stack with the facts that the rows test, and the first rows found to fit.
type idleView struct {
	frames  []*threaddump.Frame
	origins []origin
	isMain  bool
	// inHandler reports whether the loop that the thread runs called the program.
	inHandler     bool
	found, asMain *IdleRule
}

// try keeps a row that fits and comes before the one found so far.
func (v *idleView) try(r *IdleRule) {
	first, firstAsMain := r.isBefore(v.found), r.isBefore(v.asMain)
	if !first && !firstAsMain || !v.fits(r.steps, 0) {
		return
	}
	if firstAsMain && v.inScope(r, true) {
		v.asMain = r
	}
	if first && v.inScope(r, v.isMain) {
		v.found = r
	}
}

// isBefore reports whether a row comes before another one, or there is no other.
func (r *IdleRule) isBefore(other *IdleRule) bool { return other == nil || r.order < other.order }

// fits matches steps from the i-th frame on. Frames below the last step may be any.
func (v *idleView) fits(steps []step, i int) bool {
	if len(steps) == 0 {
		return true
	}
	s := steps[0]
	switch {
	case s.gap:
		for ; ; i++ {
			if v.fits(steps[1:], i) {
				return true
			}
			if i >= len(v.frames) || v.origins[i] < s.most {
				return false
			}
		}
	case i >= len(v.frames):
		return false
	case s.code:
		return v.origins[i] != OfJDK && v.fits(steps[1:], i+1)
	}
	return s.name.Fits(v.frames[i].Name()) && v.fits(steps[1:], i+1)
}

func (v *idleView) inScope(r *IdleRule, isMain bool) bool {
	switch r.Scope {
	case "main":
		return isMain && !v.inHandler && !v.isTest()
	case "own":
		return v.isOwn()
	case "loop":
		return !isMain && v.isLoop(v.origins)
	case "fed":
		return !isMain && v.isLoop(v.belowLibraries())
	}
	return true
}

// testFrameworks are prefixes of classes that run tests, mostly in main: a wait there is part of a test.
var testFrameworks = []string{"org.junit.", "junit.framework.", "org.testng.", "org.spockframework.", "io.cucumber."}

func (v *idleView) isTest() bool {
	return slices.ContainsFunc(v.frames, func(f *threaddump.Frame) bool {
		return StartsWithAny(f.Class, testFrameworks)
	})
}

// isOwn reports whether the thread belongs to a library: it has no frame of the application, and few frames.
func (v *idleView) isOwn() bool {
	const most = 6
	n := 0
	for _, o := range v.origins {
		if o <= OfGenerator {
			return false
		}
		if o == OfLibrary {
			n++
		}
	}
	return n >= 1 && n <= most
}

// isLoop reports whether a thread is only one method of the application, directly above its start or above the lambda
// that starts it.
func (v *idleView) isLoop(origins []origin) bool {
	methods, lambdas := 0, 0
	above := len(v.origins) - len(origins)
	for i, o := range origins {
		f := v.frames[above+i]
		switch {
		case o == OfLibrary:
			return false
		case o == OfJDK && methods+lambdas > 0 && !isThreadStart(f):
			return false
		case o == OfApplication && strings.HasPrefix(f.Method, "lambda$"):
			lambdas++
		case o == OfApplication:
			methods++
		}
	}
	return methods == 1 && lambdas <= 1 || methods == 0 && lambdas == 1
}

// belowLibraries returns the origins of the frames from the application's first one on.
func (v *idleView) belowLibraries() []origin {
	for i, o := range v.origins {
		if o <= OfGenerator {
			return v.origins[i:]
		}
	}
	return nil
}

// isThreadStart reports whether every thread begins with the frame.
func isThreadStart(f *threaddump.Frame) bool {
	return f.Class == "java.lang.Thread" || f.Class == "java.lang.VirtualThread" ||
		strings.HasPrefix(f.Class, "jdk.internal.vm.")
}
