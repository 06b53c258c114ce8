package stack

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/jstall/jstall/threaddump"
)

// origin is the owner of the code of a frame.
type origin uint8

const (
	// OfApplication is code that the application's own authors wrote.
	OfApplication origin = iota
	// OfGenerator is code that was generated at runtime from the application's classes.
	OfGenerator
	// OfLibrary is a known framework or library, with code generated from it.
	OfLibrary
	OfJDK
)

// OriginOf returns the owner of the code of a frame.
func OriginOf(f *threaddump.Frame) origin {
	switch {
	case IsJDK(f):
		return OfJDK
	case isLibrary(f.Class):
		return OfLibrary
	case IsGenerated(f.Class):
		return OfGenerator
	}
	return OfApplication
}

// OriginsOf returns OriginOf for each frame.
func OriginsOf(frames []*threaddump.Frame) []origin {
	origins := make([]origin, len(frames))
	for i, f := range frames {
		origins[i] = OriginOf(f)
	}
	return origins
}

// IsApplication reports whether a method, as CLASS.METHOD, is the application's own code.
func IsApplication(method string) bool {
	class := method[:max(strings.LastIndexByte(method, '.'), 0)]
	return OriginOf(&threaddump.Frame{Class: class, Method: method}) == OfApplication
}

// ApplicationFrame is the innermost frame that the application's own authors wrote: not the JDK, not a known framework,
// not generated code. It is nil if the stack has no such frame.
func ApplicationFrame(frames []*threaddump.Frame) *threaddump.Frame {
	for _, f := range frames {
		if OriginOf(f) == OfApplication {
			return f
		}
	}
	return nil
}

// IsJDK reports whether the frame is the JDK's. It uses the module if one is printed (JDK 9 and newer): a class of
// javax.* may be an application's dependency, but one of java.base is not. The class of a proxy (jdk.proxy2.$Proxy7) is
// the JDK's too.
func IsJDK(f *threaddump.Frame) bool {
	if f.Module != "" {
		return strings.HasPrefix(f.Module, "java.") || strings.HasPrefix(f.Module, "jdk.")
	}
	return hasPackage(libraries().jdk, f.Class) || strings.Contains(f.Class, "$Proxy")
}

func isLibrary(class string) bool { return hasPackage(libraries().others, class) }

// IsGenerated reports whether the class is generated at runtime: lambda forms, proxies, reflection accessors. Such
// names mean nothing to a reader and change from run to run. The code that they call has its own frame.
func IsGenerated(class string) bool {
	if !strings.Contains(class, "$") && !strings.Contains(class, "Generated") {
		return false
	}
	for _, part := range generatedParts {
		if strings.Contains(class, part) {
			return true
		}
	}
	return false
}

// frameworksTable lists the packages that are not application code; its head describes the format.
//
//go:embed frameworks.tsv
var frameworksTable string

// packages are those of the JDK and of libraries, each with a dot at its end.
type packages struct{ jdk, others map[string]bool }

var libraries = sync.OnceValue(func() packages {
	p := packages{map[string]bool{}, map[string]bool{}}
	for line := range strings.Lines(frameworksTable) {
		prefix, rest, ok := strings.Cut(line, "\t")
		switch {
		case !ok || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(rest, "JDK"):
			p.jdk[prefix] = true
		default:
			p.others[prefix] = true
		}
	}
	return p
})

// hasPackage reports whether a class is in one of the packages or below it.
func hasPackage(set map[string]bool, class string) bool {
	for i := range len(class) {
		if class[i] == '.' && set[class[:i+1]] {
			return true
		}
	}
	return false
}

// Outermost is the top-level class that contains a nested class.
func Outermost(class string) string {
	class, _, _ = strings.Cut(class, "$")
	return class
}

// PackageOf is the package of a class, empty if it has none.
func PackageOf(class string) string { return class[:max(0, strings.LastIndexByte(class, '.'))] }

// LibraryOf is the common prefix of the packages of one library, such as "org.apache.commons".
func LibraryOf(class string) string {
	const words = 3
	parts := strings.SplitN(class, ".", words+1)
	return strings.Join(parts[:min(words, len(parts)-1)], ".")
}

// OfLibraryAt returns a test for frames of the library whose packages begin with home; see LibraryOf.
func OfLibraryAt(home string) func(*threaddump.Frame) bool {
	return func(f *threaddump.Frame) bool { return OriginOf(f) != OfApplication && LibraryOf(f.Class) == home }
}

// generatedParts are parts of the names of generated classes.
var generatedParts = [...]string{
	"$$Lambda",                      // JDK lambda proxies: W$$Lambda$1/0x…
	"$Proxy",                        // java.lang.reflect.Proxy: $Proxy12, jdk.proxy2.$Proxy7
	"LambdaForm$",                   // java.lang.invoke
	"$$EnhancerBy", "$$FastClassBy", // CGLIB
	"$$SpringCGLIB$$",    // Spring 6
	"$HibernateProxy",    // Hibernate
	"$ByteBuddy$",        // Byte Buddy
	"$MockitoMock$",      // Mockito
	"GeneratedMethod",    // JDK reflection accessors up to 17
	"GeneratedConstruct", // the same for constructors
	"_$$_jvst",           // Javassist
	"$$$view",            // EJB views
}
