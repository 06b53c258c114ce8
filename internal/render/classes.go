package render

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/javaname"
)

// ClassReport is the output of `jstall classes` about one JVM. Unknown values are nil and absent from the JSON, never
// zero.
type ClassReport struct {
	Target analysis.Target
	// Source is "memory" or "core".
	Source string
	// Package is the prefix of the requested names, empty for all.
	Package string
	// Counts are of all classes with this prefix.
	Counts ClassCounts
	// Arrays, Hidden and Lambdas count classes that are not listed, with any name.
	Arrays, Hidden, Lambdas *int
	Loaders                 []ClassLoader
	// Classes are those of the list; Listed reports that the text shows them too.
	Classes []LoadedClass
	Listed  bool
	// Unused reports that the list has only classes that were never initialised, Methods that it also has those with
	// methods that were never called.
	Unused, Methods bool
	Jars            []JarClasses
	Warnings        []string
	Error           *analysis.Failure
}

// ClassCounts count classes.
type ClassCounts struct {
	Loaded      int `json:"loaded"`
	Initialised int `json:"initialised"`
	// Called counts classes with a method that was called; nil if the JVM does not count calls.
	Called *int `json:"called,omitempty"`
}

// ClassLoader is a class loader with the number of its classes.
type ClassLoader struct {
	// ID is the number by which classes of the same document refer to it.
	ID int `json:"id"`
	// Name is "boot", "platform", "app", or the name that the program gave it.
	Name  string `json:"name,omitempty"`
	Class string `json:"class,omitempty"`
	ClassCounts
}

// LoadedClass is one class.
type LoadedClass struct {
	Name   string `json:"name"`
	Loader int    `json:"loader"`
	// State is "loaded", "initialising", "initialised" or "failed".
	State     string `json:"state"`
	Interface bool   `json:"interface,omitempty"`
	// Implemented reports, of an interface, that an initialised class implements it.
	Implemented bool  `json:"implemented,omitempty"`
	Called      *bool `json:"called,omitempty"`
	// Unused reports that neither it nor an implementation was initialised.
	Unused          bool             `json:"unused,omitempty"`
	UncalledMethods []UncalledMethod `json:"uncalledMethods,omitempty"`
}

// UncalledMethod is a method that was never called.
type UncalledMethod struct {
	Name string `json:"name"`
	// Descriptor is the descriptor in the class file: (ILjava/lang/String;)V.
	Descriptor string `json:"descriptor"`
	// Unsure reports that compiled code of other methods may have contained it.
	Unsure bool `json:"unsure,omitempty"`
}

// JarClasses compares a jar with the loaded classes.
type JarClasses struct {
	File string `json:"file"`
	// Classes counts the classes of the jar whose name begins with the package.
	Classes int `json:"classes"`
	// NeverLoaded are those of them that no loader has loaded.
	NeverLoaded []string `json:"neverLoaded"`
}

// ClassesJSON writes a report as one document on one line.
func ClassesJSON(w io.Writer, r ClassReport, schema int) error {
	type capture struct {
		Source string `json:"source"`
	}
	counts := &r.Counts
	if r.Error != nil {
		counts = nil
	}
	for i := range r.Jars {
		r.Jars[i].NeverLoaded = list(r.Jars[i].NeverLoaded)
	}
	return writeJSON(w, struct {
		Schema  int             `json:"schema"`
		Target  analysis.Target `json:"target"`
		Capture capture         `json:"capture"`
		Package string          `json:"package,omitempty"`
		*ClassCounts
		Arrays   *int              `json:"arrays,omitempty"`
		Hidden   *int              `json:"hidden,omitempty"`
		Lambdas  *int              `json:"lambdas,omitempty"`
		Loaders  []ClassLoader     `json:"loaders"`
		Classes  []LoadedClass     `json:"classes"`
		Jars     []JarClasses      `json:"jars,omitempty"`
		Warnings []string          `json:"warnings"`
		Error    *analysis.Failure `json:"error,omitempty"`
	}{schema, r.Target, capture{r.Source}, r.Package, counts, r.Arrays, r.Hidden, r.Lambdas,
		list(r.Loaders), list(r.Classes), r.Jars, list(r.Warnings), r.Error})
}

// Classes writes a report for a terminal: the numbers, then the loaders, with their classes on request.
func Classes(w io.Writer, r ClassReport, o Options) error {
	return writeText(w, classDocument(r, o), o)
}

// ClassesMarkdown writes the content of Classes as Markdown.
func ClassesMarkdown(w io.Writer, r ClassReport, o Options) error {
	return writeMarkdown(w, classDocument(r, o))
}

func classDocument(r ClassReport, o Options) *document {
	p := newPage(&analysis.Report{Target: r.Target}, o)
	if target := p.target(); target != "" {
		p.heading(1, plain(target))
	}
	d := &p.document
	d.section("Classes", plain(r.summary()))
	if text := r.unlisted(); text != "" {
		d.under(plain(text))
	}
	groups := r.byLoader()
	if len(groups) > 0 {
		d.table(loaderTable(groups))
	}
	if r.Listed {
		for _, g := range groups {
			g.lay(d, r, o)
		}
	}
	for _, jar := range r.Jars {
		jar.lay(d, o)
	}
	for i, warning := range r.Warnings {
		if i == 0 {
			d.section("Notes", prose(warning))
			continue
		}
		d.under(prose(warning))
	}
	source := "memory; the JVM was not asked"
	if r.Source == "core" {
		source = "a core file"
	}
	d.section("Capture", plain("read from "+source))
	if o.MultiTarget {
		d.gap()
	}
	return d
}

func (r ClassReport) summary() string {
	text := countedAs(r.Counts.Loaded, "class", "classes")
	text += fmt.Sprintf(" loaded, %s initialised, ", count(r.Counts.Initialised))
	if r.Counts.Called == nil {
		text += "unknown which were called"
	} else {
		text += count(*r.Counts.Called) + " with a method that was called"
	}
	if r.Package != "" {
		text += "; names that begin with " + r.Package
	}
	return text
}

func (r ClassReport) unlisted() string {
	if r.Arrays == nil || r.Hidden == nil || r.Lambdas == nil {
		return ""
	}
	return fmt.Sprintf("in addition: %s and %s (%s)", countedAs(*r.Arrays, "array class", "array classes"),
		countedAs(*r.Hidden, "hidden class", "hidden classes"), counted(*r.Lambdas, "lambda"))
}

// loaderGroup is a group of loaders with the same name and class.
type loaderGroup struct {
	ClassLoader
	loaders int
	classes []LoadedClass
}

func (g *loaderGroup) label() string {
	switch {
	case g.Class == "" && g.Name == "":
		return unknown
	case g.Class == "":
		return g.Name
	case g.Name == "":
		return g.Class
	}
	return g.Name + " (" + g.Class + ")"
}

// byLoader are the classes of the list by loader. Loaders with the same name and class are one group.
func (r ClassReport) byLoader() []*loaderGroup {
	type key struct{ name, class string }
	at := map[key]*loaderGroup{}
	byID := map[int]*loaderGroup{}
	var groups []*loaderGroup
	for _, l := range r.Loaders {
		g := at[key{l.Name, l.Class}]
		if g == nil {
			g = &loaderGroup{ClassLoader: ClassLoader{Name: l.Name, Class: l.Class}}
			at[key{l.Name, l.Class}], groups = g, append(groups, g)
		}
		byID[l.ID] = g
		g.loaders++
		g.Add(l.ClassCounts)
	}
	for _, c := range r.Classes {
		if g := byID[c.Loader]; g != nil {
			g.classes = append(g.classes, c)
		}
	}
	return groups
}

// Add adds the counts of o.
func (c *ClassCounts) Add(o ClassCounts) {
	c.Loaded += o.Loaded
	c.Initialised += o.Initialised
	if o.Called != nil {
		sum := *o.Called
		if c.Called != nil {
			sum += *c.Called
		}
		c.Called = &sum
	}
}

func loaderTable(groups []*loaderGroup) table {
	t := table{columns: []column{
		{title: "LOADED", right: true}, {title: "INITIALISED", right: true},
		{title: "CALLED", right: true, optional: true}, {title: "LOADERS", right: true, optional: true},
		{title: "LOADER", flexible: true},
	}}
	for _, g := range groups {
		called, loaders := unknown, unknown
		if g.Called != nil {
			called = count(*g.Called)
		}
		if g.loaders > 1 {
			loaders = count(g.loaders)
		}
		t.add(plain(count(g.Loaded)), plain(count(g.Initialised)), plain(called), plain(loaders), quoted(g.label()))
	}
	return t
}

// lay lists the classes of a group, and the methods that were never called.
func (g *loaderGroup) lay(d *document, r ClassReport, o Options) {
	classes := g.classes
	if r.Methods {
		classes = slices.DeleteFunc(slices.Clone(classes), func(c LoadedClass) bool { return !c.Unused })
	}
	if len(classes) > 0 {
		g.layClasses(d, r, classes, o)
	}
	if r.Methods {
		g.layMethods(d, o)
	}
}

func (g *loaderGroup) layClasses(d *document, r ClassReport, classes []LoadedClass, o Options) {
	text := countedAs(len(classes), "class", "classes") + " of "
	if r.Unused {
		text = countedAs(len(classes), "class", "classes") + " never initialised, of "
	}
	d.section("Loader", plain(text), quoted(g.label()))
	t := table{columns: []column{
		{title: "STATE"}, {title: "CALLED", optional: true}, {title: "CLASS", flexible: true},
	}}
	shown := shownRows(len(classes), o)
	for _, c := range classes[:shown] {
		state := c.State
		if c.Interface {
			state += " interface"
		}
		called := unknown
		if c.Called != nil && !r.Unused {
			called = map[bool]string{true: "yes", false: "no"}[*c.Called]
		}
		t.add(plain(state), plain(called), quoted(c.Name))
	}
	d.table(t)
	d.moreRows(len(classes) - shown)
}

func (g *loaderGroup) layMethods(d *document, o Options) {
	t := table{columns: []column{{title: "CALLED"}, {title: "METHOD", flexible: true}}}
	for _, c := range g.classes {
		if c.Unused {
			continue
		}
		for _, m := range c.UncalledMethods {
			called := "never"
			if m.Unsure {
				called = "unsure"
			}
			t.add(plain(called), quoted(c.Name+"."+m.Name+parameters(m.Descriptor)))
		}
	}
	if len(t.rows) == 0 {
		return
	}
	d.section("Methods", plain(countedAs(len(t.rows), "method", "methods")+" never called, of initialised classes of "),
		quoted(g.label()))
	shown := shownRows(len(t.rows), o)
	left := len(t.rows) - shown
	t.rows = t.rows[:shown]
	d.table(t)
	d.moreRows(left)
}

func (j JarClasses) lay(d *document, o Options) {
	d.section("Jar", quoted(j.File), plain(fmt.Sprintf(": %s of %s never loaded", count(len(j.NeverLoaded)),
		countedAs(j.Classes, "class", "classes"))))
	if len(j.NeverLoaded) == 0 {
		return
	}
	t := table{columns: []column{{title: "CLASS", flexible: true}}}
	shown := shownRows(len(j.NeverLoaded), o)
	for _, name := range j.NeverLoaded[:shown] {
		t.add(quoted(name))
	}
	d.table(t)
	d.moreRows(len(j.NeverLoaded) - shown)
}

// shownRows is how many rows of a list are shown: all, unless the user limits them.
func shownRows(n int, o Options) int {
	if o.Top > 0 {
		return min(n, o.Top)
	}
	return n
}

func (d *document) moreRows(left int) {
	if left > 0 {
		d.line("", faint(fmt.Sprintf("  and %s more (--top)", count(left))))
	}
}

// parameters formats the parameters of a descriptor as in Java: (ILjava/lang/String;)V is (int, java.lang.String). It
// returns an invalid descriptor unchanged.
func parameters(descriptor string) string {
	types, ok := javaname.Parameters(descriptor)
	if !ok {
		return descriptor
	}
	return "(" + strings.Join(types, ", ") + ")"
}
