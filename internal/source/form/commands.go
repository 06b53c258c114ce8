package form

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/jstall/jstall/analysis/timeline"
	"github.com/jstall/jstall/internal/diagcmd"
)

// CodeCacheCommand is the diagnostic command for the code cache.
const CodeCacheCommand = "Compiler.codecache"

func CodeCache(answer []byte) *timeline.CodeCache {
	c := diagcmd.ParseCodeCache(string(answer))
	return &timeline.CodeCache{
		Size: timeline.Opt[int64](c.Size), Used: timeline.Opt[int64](c.Used),
		Fullest: timeline.Opt[float64](c.Fullest), Disabled: c.Disabled,
	}
}

// LoadersCommand is the diagnostic command that lists the class loaders while the JVM is paused. There are at most
// thousands of them.
const LoadersCommand = "VM.classloader_stats"

// reflectionLoader is the end of the name of the loaders that the JDK up to 17 makes for each accessor of reflection.
const reflectionLoader = "reflect.DelegatingClassLoader"

// MostLoaders returns the loaders of the class with the most equal loaders, or else with the most loaders: those that
// load the same thing repeatedly may each have a separate parent, which loads nothing.
func MostLoaders(answer []byte) *timeline.ClassLoaders {
	var most timeline.ClassLoaders
	all := diagcmd.ParseClassLoaders(string(answer))
	for _, class := range slices.Sorted(maps.Keys(all)) {
		k := all[class]
		more := cmp.Or(cmp.Compare(k.Alike, most.Alike), cmp.Compare(k.Loaders, most.Loaders)) > 0
		if more && !strings.HasSuffix(class, reflectionLoader) {
			most = timeline.ClassLoaders{Class: class, Loaders: k.Loaders, Classes: k.Classes, Alike: k.Alike}
		}
	}
	return &most
}

// HeapInfoCommand is the diagnostic command for the current heap use.
const HeapInfoCommand = "GC.heap_info"
