package classes

import (
	"github.com/jstall/jstall/internal/hotspot/object"
	"slices"
	"strings"
)

// nameLoaders reads the loaders of all classes, and orders them.
func (c *reader) nameLoaders(list *List) {
	var data []uint64
	for i := range list.Classes {
		data = append(data, list.Classes[i].key.loader)
	}
	slices.Sort(data)
	data = slices.Compact(data)
	named := object.Steady(&c.Reader.Reader, func() []Loader {
		var loaders []Loader
		for _, at := range data {
			loaders = append(loaders, c.loaderOf(at))
		}
		return loaders
	})
	if named == nil {
		named = make([]Loader, len(data))
	}
	order := make([]int, len(named))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return named[a].compare(named[b]) })
	place := map[uint64]int{}
	for i, from := range order {
		list.Loaders, place[data[from]] = append(list.Loaders, named[from]), i
	}
	for i := range list.Classes {
		list.Classes[i].Loader = place[list.Classes[i].key.loader]
	}
}

// builtInLoaders are the JDK's own, by class. On 8 they have no name, and the platform loader was called that of
// extensions.
var builtInLoaders = map[string]string{
	"jdk.internal.loader.ClassLoaders$PlatformClassLoader": "platform",
	"jdk.internal.loader.ClassLoaders$AppClassLoader":      "app",
	"sun.misc.Launcher$ExtClassLoader":                     "platform",
	"sun.misc.Launcher$AppClassLoader":                     "app",
}

func (c *reader) loaderOf(data uint64) Loader {
	oop := c.Root(data+c.l.Loader, c.l.LoaderIsHandle)
	if oop == 0 {
		return Loader{Name: "boot"}
	}
	class := c.ClassOf(oop)
	if class == nil {
		return Loader{}
	}
	l := Loader{Class: class.Name, Name: builtInLoaders[class.Name]}
	if l.Name == "" {
		text, _ := c.DeclaredReference(oop, "java.lang.ClassLoader", "name")
		name, _ := c.JavaString(text)
		l.Name = name.String()
	}
	return l
}

// compare puts the JDK's own loaders first.
func (l Loader) compare(o Loader) int {
	rank := func(l Loader) int {
		if i := slices.Index([]string{"boot", "platform", "app"}, l.Name); i >= 0 {
			return i
		}
		return 3
	}
	if a, b := rank(l), rank(o); a != b {
		return a - b
	}
	if byName := strings.Compare(l.Name, o.Name); byName != 0 {
		return byName
	}
	return strings.Compare(l.Class, o.Class)
}
