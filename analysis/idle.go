package analysis

import (
	_ "embed"
	"strings"
	"sync"

	"jstall/threaddump"
)

// idleTable lists where threads stand that have nothing to do; its head says how.
//
//go:embed idle.tsv
var idleTable string

// restRule is one row of the table.
type restRule struct {
	// what is the thread's job: worker, selector, main …
	what string
	// not marks a place that looks idle and is not: what is then the thing waited
	// for, such as a pool's object.
	not     bool
	certain bool
	scope   string // any, main, own or loop
	steps   []step
	order   int
}

// step is one frame of a row, or a gap of frames.
type step struct {
	gap  bool
	code bool   // one frame that is not the JDK's
	most origin // a gap's: ofJDK, or ofLibrary for the JDK's and libraries'
	name glob
}

// glob is a name in which "*" stands for any text.
type glob []string

func newGlob(text string) glob { return strings.Split(text, "*") }

func (g glob) fits(s string) bool {
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

// restTable is the table made ready: rules by the name of their first frame
// where that is plain, so that few are tried on each stack.
type restTable struct {
	byName map[string][]*restRule
	globs  []*restRule
}

// Prepare reads the tables of what is known to rest and of what is library code, which
// the first dump would otherwise wait for.
func Prepare() {
	restRules()
	libraries()
}

var restRules = sync.OnceValue(func() *restTable {
	t := &restTable{byName: map[string][]*restRule{}}
	order := 0
	for line := range strings.Lines(idleTable) {
		r := parseRestRule(strings.TrimRight(line, "\r\n"))
		if r == nil {
			continue
		}
		r.order = order
		order++
		if first := r.steps[r.first()].name; len(first) == 1 {
			t.byName[first[0]] = append(t.byName[first[0]], r)
		} else {
			t.globs = append(t.globs, r)
		}
	}
	return t
})

func parseRestRule(line string) *restRule {
	columns := strings.Split(line, "\t")
	if strings.HasPrefix(line, "#") || len(columns) < 4 {
		return nil
	}
	r := &restRule{what: columns[0], certain: columns[1] == "yes", scope: columns[2]}
	r.what, r.not = strings.CutPrefix(r.what, "!")
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
		return step{gap: true, most: ofJDK}
	case "<lib>":
		return step{gap: true, most: ofLibrary}
	case "<code>":
		return step{code: true}
	}
	return step{name: newGlob(word)}
}

// first is the first step that names a frame.
func (r *restRule) first() int {
	for i, s := range r.steps {
		if s.name != nil {
			return i
		}
	}
	return len(r.steps)
}

// restOf finds the first row of the table that fits a stack: for a thread of any
// name, and for one named main.
func restOf(frames []*threaddump.Frame, origins []origin) (rest, asMain *restRule) {
	v := &restView{frames: frames, origins: origins, isMain: frames[len(frames)-1].Method == "main"}
	table := restRules()
	try := func(r *restRule) {
		if asMain != nil && asMain.order < r.order && (rest != nil && rest.order < r.order) || !v.fits(r.steps, 0) {
			return
		}
		if v.inScope(r, true) && (asMain == nil || r.order < asMain.order) {
			asMain = r
		}
		if v.inScope(r, v.isMain) && (rest == nil || r.order < rest.order) {
			rest = r
		}
	}
	for i, f := range frames {
		name := f.Name()
		for _, r := range table.byName[name] {
			try(r)
		}
		for _, r := range table.globs {
			if r.steps[r.first()].name.fits(name) {
				try(r)
			}
		}
		if origins[i] <= ofGenerator {
			break // no gap reaches further
		}
	}
	return rest, asMain
}

// restView is a stack with what the rows ask of it.
type restView struct {
	frames  []*threaddump.Frame
	origins []origin
	isMain  bool
}

// fits matches steps from the i-th frame on; what is below is free.
func (v *restView) fits(steps []step, i int) bool {
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
		return v.origins[i] != ofJDK && v.fits(steps[1:], i+1)
	}
	return s.name.fits(v.frames[i].Name()) && v.fits(steps[1:], i+1)
}

func (v *restView) inScope(r *restRule, isMain bool) bool {
	switch r.scope {
	case "main":
		return isMain
	case "own":
		return v.isOwn()
	case "loop":
		return !isMain && v.isLoop()
	}
	return true
}

// isOwn tells a library's own thread: nothing of the application, few frames.
func (v *restView) isOwn() bool {
	const most = 6
	n := 0
	for _, o := range v.origins {
		if o <= ofGenerator {
			return false
		}
		if o == ofLibrary {
			n++
		}
	}
	return n >= 1 && n <= most
}

// isLoop tells a thread that is one method of the application, directly under
// its start or under the lambda that starts it.
func (v *restView) isLoop() bool {
	methods, lambdas := 0, 0
	for i, o := range v.origins {
		switch {
		case o == ofLibrary:
			return false
		case o == ofJDK && methods+lambdas > 0 && !isThreadStart(v.frames[i]):
			return false
		case o == ofApplication && strings.HasPrefix(v.frames[i].Method, "lambda$"):
			lambdas++
		case o == ofApplication:
			methods++
		}
	}
	return methods == 1 && lambdas <= 1 || methods == 0 && lambdas == 1
}

// isThreadStart tells the frames that every thread begins with.
func isThreadStart(f *threaddump.Frame) bool {
	return f.Class == "java.lang.Thread" || f.Class == "java.lang.VirtualThread" ||
		strings.HasPrefix(f.Class, "jdk.internal.vm.")
}

// resting is the row of the table that the thread's position fits, nil if none or
// if it is one that looks idle and is not.
func (s *Sample) resting() *restRule {
	r := s.position()
	if r == nil || r.not || s.State == threaddump.Blocked && !s.notified() {
		return nil
	}
	return r
}

// position is the row of the table that the thread's stack fits, nil if none.
func (s *Sample) position() *restRule {
	if s.Thread.Name == "main" {
		return s.Stack.restAsMain
	}
	return s.Stack.rest
}

// notified tells a thread that was woken from its own wait() and wants back the
// monitor of it.
func (s *Sample) notified() bool { return s.wait == waitMonitor && s.Stack.op.kind == opNotify }

// idle reports that the thread has nothing to do at the end of the capture, as far
// as its position tells. One that uses CPU over the capture has.
func (h *history) idle() bool {
	return h.last().resting() != nil && !h.works()
}

// surelyIdle is idle at a place where nobody can have left the thread behind.
func (h *history) surelyIdle() bool { return h.idle() && h.last().resting().certain }
