// Package code has the commands about the code of a JVM: classes lists loaded classes, methods counts calls.
package code

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/analysis/finding"
	"github.com/jstall/jstall/internal/hotspot"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/session"
	"github.com/jstall/jstall/internal/shell"
	"github.com/jstall/jstall/internal/source/file"
	"github.com/jstall/jstall/internal/source/live"
)

// Classes is the command classes.
func Classes(env *shell.Env) *cli.Command {
	return &cli.Command{
		Name: "classes", Usage: "the classes that a JVM has loaded, initialised and called, and those it never used",
		ArgsUsage: "TARGET [PACKAGE]",
		Description: `Reads from the JVM's memory, or from a core file, which classes are loaded, which of
them are initialised, and which have a method that was ever called, by class loader.
Nothing is sent to the JVM. PACKAGE is the beginning of the names to list: com.acme or
com/acme; without it the text shows the numbers alone.

A call is known by the interpreter's own counters or by compiled code. An interface is
unused if no initialised class implements it. Array classes, hidden classes and lambdas
are counted, not listed. --jar compares the names of classes only.

Examples:
   jstall classes 4711                              how many classes of each loader
   jstall classes 4711 com.acme                     the state of each class of a package
   jstall classes 4711 com.acme --unused            classes that were never initialised
   jstall classes 4711 com.acme --methods           also methods that were never called
   jstall classes 4711 com.acme --jar lib/acme.jar  classes of a jar that were never loaded
   jstall classes core.4711 --json`,
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "unused", Usage: "list the loaded classes that were never initialised"},
			&cli.BoolFlag{Name: "methods", Usage: "as --unused, and list methods of initialised classes that were " +
				"never called; unsure: it may have run as a part of another method's compiled code"},
			&cli.StringSliceFlag{Name: "jar", Usage: "list the classes of the jar `FILE` that were never loaded; " +
				"may be repeated"},
			shell.FormatFlag(),
			shell.JSONFlag(),
			shell.SchemaFlag(),
			&cli.IntFlag{Name: "top", Usage: "show the first `N` rows of a list", DefaultText: "all"},
		}, shell.CommonFlags()...),
		Action: func(c *cli.Context) error { return classes(c, env) },
	}
}

// classInquiry says what to list of each target.
type classInquiry struct {
	env     *shell.Env
	timeout time.Duration
	// prefix is the beginning of the names, in Java's notation.
	prefix          string
	unused, methods bool
	jars            []*jarList
	format          string
	schema          int
	render          render.Options
}

func classes(c *cli.Context, env *shell.Env) error {
	q, err := newClassInquiry(c, env)
	if err != nil {
		return err
	}
	targets, err := session.Resolve(c.Context, env, c.Args().Slice()[:1], q.timeout)
	if err != nil {
		return err
	}
	if err := shell.RefuseUnused(c, session.AllSaved(targets)); err != nil {
		return err
	}
	q.render.MultiTarget = len(targets) > 1
	var codes []int
	for _, t := range targets {
		report, code, err := q.read(c.Context, t)
		if c.Err() != nil {
			return c.Err()
		}
		if err != nil {
			session.PrintFailure(env, t, err)
		}
		if err := shell.UnlessReaderLeft(q.write(report)); err != nil {
			return err
		}
		codes = append(codes, code)
	}
	return &shell.ExitError{Code: shell.WorstCode(codes)}
}

func newClassInquiry(c *cli.Context, env *shell.Env) (*classInquiry, error) {
	q := &classInquiry{
		env: env, timeout: c.Duration("timeout"), unused: c.Bool("unused") || c.Bool("methods"),
		methods: c.Bool("methods"),
		render:  render.Options{Color: env.Colored(c.String("color")), Width: env.OutWidth, Top: c.Int("top")},
	}
	var err error
	if q.format, err = shell.ReadFormat(c); err != nil {
		return nil, err
	}
	if q.schema, err = shell.ReadSchema(c, q.format == "json"); err != nil {
		return nil, err
	}
	switch {
	case q.format != "text" && q.format != "json" && q.format != "markdown":
		return nil, shell.Usage("--format json", "--format is text, json or markdown, not %q", q.format)
	case q.render.Top < 0:
		return nil, shell.Usage("--top 20", "--top must not be negative")
	case c.NArg() == 0:
		return nil, shell.Usage("jstall list shows the running JVMs",
			"name a pid, a part of a main class, all, or a core file")
	case c.NArg() > 2:
		return nil, shell.Usage("jstall classes TARGET com.acme", "classes takes one target and one package, not %q",
			c.Args().Get(2))
	}
	q.prefix = strings.TrimSuffix(strings.ReplaceAll(c.Args().Get(1), "/", "."), "*")
	if err := shell.CheckCommon(c); err != nil {
		return nil, err
	}
	for _, name := range c.StringSlice("jar") {
		jar, err := readJar(name)
		if err != nil {
			return nil, shell.NoResult("name a .jar or .war file that can be read", "%v", err)
		}
		q.jars = append(q.jars, jar)
	}
	return q, nil
}

// read lists the classes of one target. After an error the report has the error.
func (q *classInquiry) read(ctx context.Context, t session.Target) (render.ClassReport, int, error) {
	report := analysis.Report{}
	session.DescribeTarget(&report, t)
	out := render.ClassReport{Target: report.Target, Source: "memory", Package: q.prefix}
	list, cut, err := q.list(ctx, t, &out)
	if err != nil {
		out.Error = q.env.Failure(err)
		return out, shell.ExitNothing, err
	}
	code := shell.ExitDone
	if cut != nil {
		out.Warnings, code = append(out.Warnings, cut.Error()), shell.ExitPartial
	}
	if list.Moved {
		out.Warnings, code = append(out.Warnings,
			"classes were loaded or unloaded each time the list was read; some may be missing"), shell.ExitPartial
	}
	q.fill(&out, list)
	return out, code, nil
}

func (q *classInquiry) list(ctx context.Context, t session.Target, out *render.ClassReport) (
	list *hotspot.ClassList, cut, err error) {
	o := hotspot.ClassOptions{Methods: q.methods, Wanted: q.wants}
	switch {
	case t.Err != nil:
		return nil, nil, t.Err
	case t.Process != nil:
		src := live.Source{Kernel: kernel.New(q.env.ProcRoot), Process: *t.Process, Timeout: q.timeout}
		list, err = src.Memory().Classes(ctx, o)
		return list, nil, err
	case t.Recorded == nil && len(t.Files) == 1 && file.IsCore(t.Files[0]):
		out.Source = "core"
		return file.CoreClasses(ctx, t.Files[0], o)
	}
	return nil, nil, shell.NoResult("name a pid, a part of a main class, or a core file",
		"%s has no list of classes: classes reads a running JVM or a core file", t.Label())
}

func (q *classInquiry) wants(name string) bool { return strings.HasPrefix(name, q.prefix) }

// fill adds to the report what the flags ask for.
func (q *classInquiry) fill(out *render.ClassReport, list *hotspot.ClassList) {
	if !list.CountsUnknown {
		out.Arrays, out.Hidden, out.Lambdas = &list.Arrays, &list.Hidden, &list.Lambdas
	}
	if list.CallsUnknown {
		out.Warnings = append(out.Warnings, "this JVM counts no calls (-Xint): which methods were called is unknown")
	}
	if none := 0; !list.CallsUnknown {
		out.Counts.Called = &none
	}
	out.Unused, out.Methods, out.Listed = q.unused, q.methods, q.unused || q.prefix != ""
	loaders := make([]render.ClassLoader, len(list.Loaders))
	var redefined []string
	for i := range list.Classes {
		c := &list.Classes[i]
		if !q.wants(c.Name) {
			continue
		}
		callsUnknown := list.CallsUnknown || c.Redefined && !c.Called
		if c.Redefined {
			redefined = append(redefined, c.Name)
		}
		one := countsOf(c, callsUnknown)
		out.Counts.Add(one)
		loaders[c.Loader].Add(one)
		if row := q.row(c, callsUnknown); !q.unused || row.Unused || len(row.UncalledMethods) > 0 {
			out.Classes = append(out.Classes, row)
		}
	}
	out.Loaders = append(out.Loaders, usedLoaders(loaders, list)...)
	if len(redefined) > 0 && !list.CallsUnknown {
		out.Warnings = append(out.Warnings, redefinedWarning(redefined))
	}
	q.compareJars(out, list)
}

// usedLoaders returns the class loaders that have loaded a class of the report.
func usedLoaders(loaders []render.ClassLoader, list *hotspot.ClassList) []render.ClassLoader {
	var used []render.ClassLoader
	for i, l := range loaders {
		if l.Loaded > 0 {
			l.ID, l.Name, l.Class = i+1, list.Loaders[i].Name, list.Loaders[i].Class
			used = append(used, l)
		}
	}
	return used
}

// redefinedWarning names classes whose code was replaced: earlier calls are not counted.
func redefinedWarning(classes []string) string {
	n := len(classes)
	names := strings.Join(classes[:min(n, mostRedefined)], ", ")
	if n > mostRedefined {
		names += fmt.Sprintf(" and %d more", n-mostRedefined)
	}
	return "which methods were called is unknown where an agent, a debugger or the flight recorder has replaced the " +
		"code: the JVM counts from then on (" + names + ")"
}

// mostRedefined is how many classes a warning names.
const mostRedefined = 3

// countsOf counts one class.
func countsOf(c *hotspot.Class, callsUnknown bool) render.ClassCounts {
	counts := render.ClassCounts{Loaded: 1}
	if c.State == hotspot.Initialised {
		counts.Initialised = 1
	}
	if !callsUnknown {
		called := 0
		if c.Called {
			called = 1
		}
		counts.Called = &called
	}
	return counts
}

func (q *classInquiry) row(c *hotspot.Class, callsUnknown bool) render.LoadedClass {
	row := render.LoadedClass{
		Name: c.Name, Loader: c.Loader + 1, State: c.State.String(), Interface: c.Interface, Implemented: c.Implemented,
		Unused: c.Unused(),
	}
	if callsUnknown {
		return row
	}
	called := c.Called
	row.Called = &called
	for _, m := range c.Uncalled {
		row.UncalledMethods = append(row.UncalledMethods, render.UncalledMethod{
			Name: m.Name, Descriptor: m.Descriptor, Unsure: m.Unsure,
		})
	}
	return row
}

// compareJars lists the classes of jars that no loader has loaded.
func (q *classInquiry) compareJars(out *render.ClassReport, list *hotspot.ClassList) {
	if len(q.jars) == 0 {
		return
	}
	loaded := make(map[string]bool, len(list.Classes))
	for i := range list.Classes {
		loaded[list.Classes[i].Name] = true
	}
	for _, jar := range q.jars {
		rows := render.JarClasses{File: jar.file}
		for _, name := range jar.classes {
			if !q.wants(name) {
				continue
			}
			if rows.Classes++; !loaded[name] {
				rows.NeverLoaded = append(rows.NeverLoaded, name)
			}
		}
		out.Jars = append(out.Jars, rows)
		if jar.jars > 0 {
			out.Warnings = append(out.Warnings, fmt.Sprintf("%s holds %s, not read; unpack it and name each by --jar",
				jar.file, finding.Counted(jar.jars, "jar")))
		}
	}
}

func (q *classInquiry) write(r render.ClassReport) error {
	switch {
	case q.format == "json":
		return render.ClassesJSON(q.env.Stdout, r, q.schema)
	case r.Error != nil: // it is on standard error
		return nil
	case q.format == "markdown":
		return render.ClassesMarkdown(q.env.Stdout, r, q.render)
	}
	return render.Classes(q.env.Stdout, r, q.render)
}
