package stack

import (
	"regexp"
	"strings"
	"sync"

	"github.com/jstall/jstall/threaddump"
)

// ShortMethod is a method with its class, without the package.
func ShortMethod(f *threaddump.Frame) string {
	return ShortName(f.Name())
}

// ShortName removes the package: "Thread.yield".
func ShortName(name string) string {
	method := strings.LastIndexByte(name, '.')
	if method < 0 {
		return name
	}
	return name[strings.LastIndexByte(name[:method], '.')+1:]
}

// PublicName is the method by its public interface, without the package: "MongoCollection.find" for a method of
// MongoCollectionImpl in an internal package. Such classes usually add Impl or Facade to the name of the interface.
func PublicName(f *threaddump.Frame) string {
	name := ShortName(f.Name())
	class, method, ok := strings.Cut(name, ".")
	if !ok || !strings.Contains("."+f.Class, ".internal.") {
		return name
	}
	for _, form := range [...]string{"Impl", "Facade"} {
		if of := strings.TrimSuffix(class, form); of != "" {
			class = of
		}
	}
	return class + "." + method
}

// PoolName is a thread's name with the last number in it replaced by "*": "http-worker-*".
func PoolName(name string) string { return WithoutNumber(name, "*") }

// WithoutNumber replaces the last number in a thread's name by a mark. Numbers before it are those of its pool.
func WithoutNumber(name, mark string) string {
	end := strings.LastIndexAny(name, "0123456789") + 1
	start := len(strings.TrimRight(name[:end], "0123456789"))
	if start == end {
		return name
	}
	return name[:start] + mark + name[end:]
}

// WithoutNumbers replaces every number in a name by #, and every word of a random id ("req-3f9c01de").
func WithoutNumbers(name string) string {
	if !strings.ContainsAny(name, "0123456789") {
		return name
	}
	name = hexWord().ReplaceAllStringFunc(name, func(word string) string {
		if strings.ContainsAny(word, "0123456789") {
			return "#"
		}
		return word
	})
	return digits().ReplaceAllString(name, "#")
}

var (
	// Both are compiled when first needed: most captures need neither.
	digits = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[0-9]+`) })
	// hexWord matches a word of hexadecimal digits that is at least as long as the shortest word of a UUID.
	hexWord = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b[0-9a-fA-F]{4,}\b`) })
)
