package capture

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"jstall/analysis"
	"jstall/internal/classfile"
	"jstall/internal/jvm"
	"jstall/internal/kernel"
	"jstall/internal/recording"
	"jstall/threaddump"
)

// ClassesWanted says what of the program's compiled classes is asked for.
type ClassesWanted struct {
	// Loops are lines at which threads run, "shop.Cart.total:17".
	Loops []string
	// From are classes of which all are wanted that they refer to, and so on.
	From []string
}

// Bounds of what is read of the program's classes: what a look may take longer for it, how
// many lines and classes are looked at, how large one is, and how many places are searched.
const (
	classPatience = 500 * time.Millisecond
	mostLoops     = 16
	mostClasses   = 300
	mostClass     = 1 << 20
	mostPlaces    = 100
)

// classPathCounter is the counter with the class path, cut where the JVM cuts texts.
const classPathCounter, classPathCut = "java.property.java.class.path", 1023

// classesEntry reads the program's class files on the JVM's class path, as the process sees
// them, and writes down what they say: the target is not asked.
func (l *Live) classesEntry(want ClassesWanted) recording.Entry {
	e := recording.Entry{Kind: recording.Classes, At: time.Since(l.start)}
	text := make(chan []byte, 1)
	inTime(classPatience, func() { text <- l.classesText(want) })
	select {
	case e.Bytes = <-text:
	default:
		e.Err = fmt.Errorf("the program's classes could not be read within %s", classPatience)
	}
	return e
}

func (l *Live) classesText(want ClassesWanted) []byte {
	data, err := jvm.ParsePerfData(l.counters().Bytes)
	if err != nil {
		return nil
	}
	p := &classPath{live: l, known: map[string]*classfile.Class{}}
	defer p.close()
	p.open(data.Text(classPathCounter))
	var text bytes.Buffer
	for _, at := range want.Loops[:min(mostLoops, len(want.Loops))] {
		p.writeLoop(&text, at)
	}
	if len(want.From) > 0 {
		p.writeAll(&text, want.From)
	}
	return text.Bytes()
}

// writeLoop writes what the loop around a line does.
func (p *classPath) writeLoop(to io.Writer, at string) {
	name, number, _ := strings.Cut(at, ":")
	line, err := strconv.Atoi(number)
	dot := strings.LastIndexByte(name, '.')
	if err != nil || dot < 0 {
		return
	}
	c := p.class(name[:dot])
	if c == nil {
		return
	}
	loop, ok := c.LoopAt(name[dot+1:], line)
	if !ok {
		return
	}
	fmt.Fprintf(to, "loop %s%s%s %s\n", at, word(loop.Counts, " counts"), word(loop.Computes, " computes"), strings.Join(loop.Calls, " "))
}

func word(said bool, text string) string {
	if said {
		return text
	}
	return ""
}

// writeAll writes what each of the classes does with collections that some lead to, and
// whether these are all.
func (p *classPath) writeAll(to io.Writer, from []string) {
	seen := map[string]bool{}
	next := slices.Clone(from)
	for len(next) > 0 && len(seen) < mostClasses {
		name := next[0]
		next = next[1:]
		if seen[name] || ofJDK(name) {
			continue
		}
		seen[name] = true
		c := p.class(name)
		if c == nil {
			p.missed = true
			continue
		}
		bounds := c.Has("removeEldestEntry")
		fmt.Fprintf(to, "class %s%s%s %s\n", name, word(c.Replaces(), " replaces"), word(bounds, " bounds"), strings.Join(c.Calls("java."), " "))
		next = append(next, c.Refers...)
	}
	if p.missed || len(next) > 0 && len(seen) >= mostClasses {
		fmt.Fprintln(to, "and others")
	}
}

// classPath is where a JVM has its program's classes from.
type classPath struct {
	live    *Live
	folders []string
	jars    []*zip.Reader
	files   []*os.File
	known   map[string]*classfile.Class
	// missed tells that a place or a class could not be read.
	missed bool
}

func (p *classPath) close() {
	for _, f := range p.files {
		f.Close()
	}
}

// open opens the places of a class path.
func (p *classPath) open(text string) {
	places := strings.Split(text, ":")
	if len(text) >= classPathCut {
		places, p.missed = places[:len(places)-1], true
	}
	if len(places) > mostPlaces {
		places, p.missed = places[:mostPlaces], true
	}
	for _, place := range places {
		switch path.Ext(place) {
		case ".jar", ".war":
			p.openJar(place)
		default:
			p.folders = append(p.folders, place)
		}
	}
}

func (p *classPath) openJar(name string) {
	f, err := p.live.Kernel.OpenIn(p.live.Process.PID, name)
	if err != nil {
		p.missed = true
		return
	}
	p.files = append(p.files, f)
	stat, err := f.Stat()
	if err != nil || !stat.Mode().IsRegular() {
		p.missed = true
		return
	}
	jar, err := zip.NewReader(f, stat.Size())
	if err != nil {
		p.missed = true
		return
	}
	p.jars = append(p.jars, jar)
}

// ofJDK tells the classes of which no file is looked for.
func ofJDK(name string) bool {
	return analysis.CodeOf(&threaddump.Frame{Class: name}) == analysis.CodeJDK
}

// ofProgram tells a frame of the application's own.
func ofProgram(f *threaddump.Frame) bool { return analysis.CodeOf(f) == analysis.CodeApplication }

// class reads a class, nil if there is none of that name or it cannot be read.
func (p *classPath) class(name string) *classfile.Class {
	if c, known := p.known[name]; known {
		return c
	}
	c, _ := classfile.Parse(p.file(strings.ReplaceAll(name, ".", "/") + ".class"))
	p.known[name] = c
	return c
}

// inJars are the folders of a jar with classes: Spring Boot's and those of web archives too.
var inJars = [...]string{"", "BOOT-INF/classes/", "WEB-INF/classes/"}

func (p *classPath) file(name string) []byte {
	for _, folder := range p.folders {
		f, err := p.live.Kernel.OpenIn(p.live.Process.PID, path.Join(folder, name))
		if err != nil {
			continue
		}
		defer f.Close()
		if stat, err := f.Stat(); err != nil || !stat.Mode().IsRegular() {
			return nil
		}
		text, _ := kernel.ReadSome(f, mostClass)
		return text
	}
	for _, jar := range p.jars {
		for _, folder := range inJars {
			f, err := jar.Open(folder + name)
			if err != nil {
				continue
			}
			defer f.Close()
			text, _ := io.ReadAll(io.LimitReader(f, mostClass))
			return text
		}
	}
	return nil
}

// classesSeen notes over a look which classes are worth reading.
type classesSeen struct {
	loops       map[string]bool
	first, last map[int64]allocator
	// old is what the old generation held at first and last.
	oldFirst, oldLast analysis.Opt[int64]
}

// allocator is a thread with what it has allocated, and where it stood.
type allocator struct {
	bytes int64
	stack []*threaddump.Frame
}

// see notes a dump.
func (c *classesSeen) see(o analysis.Observation) {
	if o.Dump == nil {
		return
	}
	if c.loops == nil {
		c.loops = map[string]bool{}
	}
	c.last = map[int64]allocator{}
	for _, t := range o.Dump.Threads {
		if t.Role() != threaddump.Application || t.Virtual || len(t.Stack) == 0 {
			continue
		}
		if top := t.Stack[0]; t.State == threaddump.Runnable && ofProgram(top) && !top.Native && top.Line > 0 {
			c.loops[fmt.Sprintf("%s:%d", top.Name(), top.Line)] = true
		}
		if t.Allocated.Known {
			c.last[t.ID] = allocator{t.Allocated.Value, t.Stack}
		}
	}
	if c.first == nil {
		c.first = c.last
	}
	if o.Counters != nil && o.Counters.OldUsed.Known {
		if !c.oldFirst.Known {
			c.oldFirst = o.Counters.OldUsed
		}
		c.oldLast = o.Counters.OldUsed
	}
}

func classesOf(stack []*threaddump.Frame) []string {
	var all []string
	for _, f := range stack {
		if class, _, _ := strings.Cut(f.Class, "$$Lambda"); ofProgram(f) && !slices.Contains(all, class) {
			all = append(all, class)
		}
	}
	return all
}

// wanted is what the look leads to: the lines at which threads run, and where the old
// generation has grown, the classes of the few threads that allocate most; of all threads,
// where those show none.
func (c *classesSeen) wanted() ClassesWanted {
	want := ClassesWanted{Loops: slices.Sorted(maps.Keys(c.loops))}
	if !c.oldFirst.Known || c.oldLast.Value <= c.oldFirst.Value {
		return want
	}
	const few, share = 4, 0.1
	var total int64
	grown := map[int64]int64{}
	for id, a := range c.last {
		grown[id] = max(0, a.bytes-c.first[id].bytes)
		total += grown[id]
	}
	ids := slices.SortedFunc(maps.Keys(grown), func(a, b int64) int { return int(min(1, max(-1, grown[b]-grown[a]))) })
	for _, id := range ids[:min(few, len(ids))] {
		if float64(grown[id]) >= share*float64(total) {
			want.From = append(want.From, classesOf(c.last[id].stack)...)
			want.From = append(want.From, classesOf(c.first[id].stack)...)
		}
	}
	if len(want.From) == 0 { // workers that were always caught between two tasks
		for _, id := range slices.Sorted(maps.Keys(c.last)) {
			want.From = append(want.From, classesOf(c.last[id].stack)...)
		}
	}
	slices.Sort(want.From)
	want.From = slices.Compact(want.From)
	return want
}

// readClasses takes, last of a look, what the program's compiled classes say.
func (t *taker) readClasses(ctx context.Context) error {
	if t.src.Left() != 0 || t.result.Dumps < 2 || !NeedsOf(t.plan.Kinds).Classes {
		return nil // one dump tells neither what runs on nor what grows
	}
	want := t.seen.wanted()
	if len(want.Loops) == 0 && len(want.From) == 0 {
		return nil
	}
	entries, err := t.src.Next(ctx, Request{Classes: &want})
	if err != nil {
		return err
	}
	return t.observer.look(entries)
}

// parseClasses reads what classesText has written; lines of another form are passed over.
func parseClasses(text []byte) *analysis.Bytecode {
	c := &analysis.Bytecode{Loops: map[string]analysis.Loop{}}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) > 1 && words[0] == "loop":
			said, calls := flags(words[2:], "counts", "computes")
			c.Loops[words[1]] = analysis.Loop{Calls: calls, Counts: said["counts"], Computes: said["computes"]}
		case len(words) > 1 && words[0] == "class":
			said, calls := flags(words[2:], "replaces", "bounds")
			c.Read++
			c.Replace = c.Replace || said["replaces"] || said["bounds"]
			c.Calls = append(c.Calls, calls...)
		case len(words) > 0 && words[0] == "and":
			c.Others = true
		}
	}
	return c
}

// flags splits words into leading flags and the rest.
func flags(words []string, known ...string) (said map[string]bool, rest []string) {
	said = map[string]bool{}
	for len(words) > 0 && slices.Contains(known, words[0]) {
		said[words[0]], words = true, words[1:]
	}
	return said, words
}
