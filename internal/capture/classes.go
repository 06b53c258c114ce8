package capture

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"jstall/analysis"
	"jstall/internal/classfile"
	"jstall/internal/jvm"
	"jstall/internal/recording"
	"jstall/threaddump"
)

// ClassesWanted says what of the program's compiled classes is asked for.
type ClassesWanted struct {
	// Loops are lines at which threads run, "shop.Cart.total:17".
	Loops []string
	// From are classes of which all are wanted that they refer to, and so on.
	From []string
	// Places are where threads wait, and where others pause meanwhile, as by analysis.PlaceOf;
	// Paced tells that there are such others, which may have a signal to give.
	Places []string
	Paced  bool
	// Stands are all places at which threads of the program stand, if some wait, as by
	// analysis.PlaceOf, of the topmost frame of a stack as by analysis.LineOf.
	Stands []string
}

// Bounds of what is read of the program's classes: what a look may take longer for it, how
// many lines and classes are looked at, how large a class and all jars are, how many places are
// searched, and of how many threads the classes are taken.
const (
	classPatience = 500 * time.Millisecond
	mostLoops     = 48
	mostAt        = 200
	mostClasses   = 300
	mostClass     = 1 << 20
	mostJars      = 256 << 20
	mostPlaces    = 100
	mostThreads   = 500
)

// classPathCounter is the counter with the class path, cut where the JVM cuts texts.
const classPathCounter, classPathCut = "java.property.java.class.path", 1023

// classesEntry reads the program's class files on the JVM's class path, as the process sees
// them, and writes down what they say: the target is not asked.
func (l *Live) classesEntry(want ClassesWanted) recording.Entry {
	e := recording.Entry{Kind: recording.Classes, At: time.Since(l.start)}
	text := make(chan []byte, 1)
	inTime(classPatience, func(context.Context) { text <- l.classesText(want) })
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
	p := l.classPath(data.Text(classPathCounter))
	defer p.close()
	var text bytes.Buffer
	for _, at := range want.Loops[:min(mostLoops, len(want.Loops))] {
		if time.Now().Before(p.until) {
			p.writeLoop(&text, at)
		}
	}
	places := want.Places[:min(mostAt, len(want.Places))]
	p.writePlaces(&text, places)
	if want.Paced {
		p.writeSignals(&text, places)
	}
	if len(want.Stands) > 0 {
		p.writeAhead(&text, want.Stands, []string{p.mainClass(l.Process.MainClass)}, len(want.From) > 0)
	}
	if len(want.From) > 0 {
		p.writeAll(&text, append(want.From, p.mainClass(l.Process.MainClass)), append(want.Stands, want.Places...))
	}
	return text.Bytes()
}

// parsePlace reads what analysis.LineOf and PlaceOf write.
func parsePlace(text string) (place classfile.Place, ok bool) {
	name, rest, _ := strings.Cut(text, ":") // a constructor's name has a > of its own
	number, callee, _ := strings.Cut(rest, ">")
	n, err := strconv.Atoi(number)
	dot := strings.LastIndexByte(name, '.')
	if err != nil || dot < 0 {
		return place, false
	}
	return classfile.Place{Class: name[:dot], Method: name[dot+1:], Line: n, Callee: callee}, true
}

// writeLoop writes what the loop around a line does.
func (p *classPath) writeLoop(to io.Writer, at string) {
	place, ok := parsePlace(at)
	if !ok {
		return
	}
	c := p.class(place.Class)
	if c == nil {
		return
	}
	loop, ok := c.LoopAt(place.Method, place.Line)
	if _, _, looks := c.Looks(place.Method); looks {
		fmt.Fprintln(to, "looks", at)
	}
	if !ok {
		return
	}
	p.tellLoop(to, "loop", at, loop)
	if round, counted, ok := c.WayRound(place.Method, place.Line); ok {
		p.tellLoop(to, word(counted, "round-counted")+word(!counted, "round"), at, round)
	}
}

func (p *classPath) tellLoop(to io.Writer, kind, at string, loop classfile.Loop) {
	loop = loop.Through(func(name string) *classfile.Class {
		if ofJDK(name) {
			return nil // and no jar is opened for it
		}
		return p.class(name)
	})
	fmt.Fprintf(to, "%s %s%s%s %s\n", kind, at, word(loop.Counts, " counts"), word(loop.Computes, " computes")+word(loop.Swaps, " swaps"), strings.Join(loop.Calls, " "))
}

// writePlaces writes which places are in no loop but one that waits, what they wait for, and where these have
// taken a read lock, and want to write.
func (p *classPath) writePlaces(to io.Writer, places []string) {
	for _, text := range places {
		place, ok := parsePlace(text)
		if !ok || time.Now().After(p.until) {
			continue
		}
		c := p.class(place.Class)
		if c == nil {
			continue
		}
		for _, said := range []struct {
			word string
			told bool
		}{{"straight", c.WaitsOnce(place)}, {"gate", c.IsGate(place)}, {"puts", c.PutsIn(place)}, {"serves", c.ServesQueue(place)}, {"asks", c.AsksFirst(place)}, {"asks-always", c.AsksAlways(place)}, {"last", c.NothingFollows(place)}, {"endless", c.IsEndless(place)}} {
			if said.told {
				fmt.Fprintln(to, said.word, text)
			}
		}
		if of := p.class(c.SynchronizerAt(place)); of != nil && of.Lends() {
			fmt.Fprintln(to, "lends", text)
		}
		if reads, upgrades := c.HoldsReadLock(place); reads {
			fmt.Fprintln(to, word(upgrades, "upgrades")+word(!upgrades, "reads"), text)
		}
	}
}

func word(said bool, text string) string {
	if said {
		return text
	}
	return ""
}

// writeAll writes what each of the classes does with collections that some lead to, and
// whether these are all. Threads stand at some places.
func (p *classPath) writeAll(to io.Writer, from, stands []string) {
	classes, all := p.classesFrom(from)
	var entered []string
	for _, text := range stands {
		name, _, _ := strings.Cut(text, ":")
		entered = append(entered, name[strings.LastIndexByte(name, '.')+1:])
	}
	if all { // else others may come to any of their methods
		classes = classfile.Used(classes, entered)
	}
	writeClasses(to, classes)
	if !all {
		fmt.Fprintln(to, "and others")
	}
}

// classesFrom reads the classes that some refer to, and so on, and tells whether these are all.
func (p *classPath) classesFrom(names []string) (classes []*classfile.Class, all bool) {
	all = true
	seen := map[string]bool{}
	next := slices.Clone(names)
	for len(next) > 0 && len(seen) < mostClasses && time.Now().Before(p.until) {
		name := next[0]
		next = next[1:]
		if seen[name] || ofJDK(name) {
			continue
		}
		seen[name] = true
		if c := p.class(name); c != nil {
			classes, next = append(classes, c), append(next, c.Refers...)
		} else {
			all = false
		}
	}
	return classes, all && !p.missed && len(next) == 0
}

// writeClasses writes what each class does. Calls of what these classes have themselves say
// nothing more, nor do removals that never find anything. What is handed to a scheduler for long
// stays with it.
func writeClasses(to io.Writer, classes []*classfile.Class) {
	read := map[string]*classfile.Class{}
	for _, c := range classes {
		read[c.Name] = c
	}
	uses, known := classfile.MapUses(classes)
	if !known {
		fmt.Fprintln(to, "and others")
	}
	for _, c := range classes {
		use := uses[c.Name]
		held, delay := c.Held(analysis.HeapFullIn)
		calls := slices.DeleteFunc(c.Calls(), func(call string) bool {
			dot := max(0, strings.LastIndexByte(call, '.'))
			own := read[call[:dot]] // what it inherits from others says more
			return slices.Contains(use.InVain, call) || slices.Contains(use.Local, call) || slices.Contains(held, call) || own != nil && own.Has(call[dot+1:])
		})
		flags := word(c.Replaces(), " replaces") + word(use.Overwrites, " overwrites") + word(c.Has("removeEldestEntry"), " bounds")
		fmt.Fprintf(to, "class %s%s %s\n", c.Name, flags, strings.Join(calls, " "))
		if len(held) > 0 {
			fmt.Fprintln(to, "held", int64(delay/time.Second), strings.Join(held, " "))
		}
		for _, said := range []struct {
			word string
			all  []string
		}{{"filled", use.Filled}, {"fed", use.Fed}, {"makes", use.Makes}} {
			if len(said.all) > 0 {
				fmt.Fprintln(to, said.word, strings.Join(said.all, " "))
			}
		}
		if len(use.Broken) > 0 && flags == "" && !slices.ContainsFunc(calls, analysis.MayLetGo) {
			fmt.Fprintln(to, "broken", strings.Join(use.Broken, " "))
		}
		if len(use.Unequal) > 0 {
			fmt.Fprintln(to, "unequal", strings.Join(use.Unequal, " "))
			if flags == "" && !slices.ContainsFunc(calls, analysis.MayLetGo) {
				fmt.Fprintln(to, "vain")
			}
		}
	}
}

// ofJDK tells the classes of which no file is looked for.
func ofJDK(name string) bool {
	return analysis.CodeOf(&threaddump.Frame{Class: name}) == analysis.CodeJDK
}

// ofProgram tells a frame of the application's own.
func ofProgram(f *threaddump.Frame) bool { return analysis.CodeOf(f) == analysis.CodeApplication }

// readClasses takes, last of a look, what the program's compiled classes say.
func (t *taker) readClasses(ctx context.Context) error {
	if t.src.Left() != 0 || t.result.Dumps < 2 || !NeedsOf(t.plan.Kinds).Classes {
		return nil // one dump tells neither what runs on nor what grows
	}
	want := t.seen.wanted()
	if len(want.Loops)+len(want.From)+len(want.Places) == 0 {
		return nil
	}
	entries, err := t.src.Next(ctx, Request{Classes: &want})
	if err != nil {
		return err
	}
	return t.observer.look(entries)
}
