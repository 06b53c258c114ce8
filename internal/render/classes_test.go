package render_test

import (
	"bytes"
	"testing"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/render"
)

// classReports are what classes shows: the numbers, a package, and what was never used.
func classReports() map[string]render.ClassReport {
	methods := []render.UncalledMethod{
		{Name: "a", Descriptor: "()V"}, {Name: "b", Descriptor: "(I[[JLjava/util/Map$Entry;[Ljava/lang/String;Z)V"},
		{Name: "<init>", Descriptor: "()V", Unsure: true},
		{Name: "damaged", Descriptor: "(Ljava/lang/String"}, {Name: "damaged", Descriptor: "(["},
		{Name: "damaged", Descriptor: "(?)V"}, {Name: "damaged", Descriptor: ""}, {Name: "\x1b[31m", Descriptor: "()V"},
	}
	counts := func(loaded, initialised, called int) render.ClassCounts {
		return render.ClassCounts{Loaded: loaded, Initialised: initialised, Called: &called}
	}
	one := counts(1, 0, 0)
	all := render.ClassReport{
		Target: analysis.Target{PID: 12, MainClass: "com.acme.Main"}, Source: "memory",
		Counts: counts(1240, 1100, 900),
		Arrays: ptr(1), Hidden: ptr(40), Lambdas: ptr(3),
		Loaders: []render.ClassLoader{
			{ID: 1, Name: "boot", ClassCounts: counts(1234, 1099, 899)},
			{ID: 2, Name: "app", Class: "Apps", ClassCounts: counts(4, 1, 1)},
			{ID: 3, Class: "Plugins", ClassCounts: one},
			{ID: 4, Class: "Plugins", ClassCounts: one},
		},
		Classes: []render.LoadedClass{
			{Name: "com.acme.A", Loader: 2, State: "initialised", Called: ptr(true), UncalledMethods: methods},
			{Name: "com.acme.\x1b[31mB", Loader: 2, State: "loaded", Interface: true, Called: ptr(false), Unused: true},
			{Name: "com.acme.C", Loader: 3, State: "failed", Called: ptr(false)},
			{Name: "com.acme.C", Loader: 4, State: "loaded", Called: ptr(false), Unused: true},
		},
		Jars: []render.JarClasses{{File: "a.jar", Classes: 3, NeverLoaded: []string{"com.acme.N", "com.acme.O"}},
			{File: "b.jar", Classes: 1}},
		Warnings: []string{"one", "two"},
	}
	listed, unused, unknown := all, all, all
	listed.Listed, listed.Package = true, "com.acme"
	unused.Listed, unused.Unused, unused.Methods, unused.Source = true, true, true, "core"
	unknown.Counts.Called, unknown.Hidden, unknown.Jars, unknown.Warnings = nil, nil, nil, nil
	unknown.Loaders, unknown.Classes = nil, nil
	return map[string]render.ClassReport{"all": all, "listed": listed, "unused": unused, "unknown": unknown}
}

func TestClassReports(t *testing.T) {
	s := compiled(t)
	for name, r := range classReports() {
		var text, markdown, document bytes.Buffer
		for _, err := range []error{render.Classes(&text, r, render.Options{Top: 5}),
			render.ClassesMarkdown(&markdown, r, render.Options{}),
			render.ClassesJSON(&document, r, analysis.SchemaVersion)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		checkGolden(t, "classes."+name+".txt", text.Bytes())
		checkGolden(t, "classes."+name+".md.txt", markdown.Bytes())
		checkGolden(t, "classes."+name+".json.txt", document.Bytes())
		if err := validate(t, s, document.Bytes()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
