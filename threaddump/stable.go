package threaddump

import (
	"regexp"
	"sync"
)

// spun are the parts of a class name that differ from run to run, or from one
// copy of the class to the next. What is in brackets stays.
// It is compiled on first use, of which most runs have none.
var spun = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		// hidden classes: W$$Lambda/0x00007ff130000a08, W$$Lambda+0x…/0x…
		`(?:[/+]|\.0x)(?:0x)?[0-9a-f]+(?:/(?:0x)?[0-9a-f]+)?$` +
			`|(\$\$Lambda)\$\d+` + // W$$Lambda$1/295530567, up to 20
			`|(\$\$(?:EnhancerBy|FastClassBy)\w+?)\$\$[0-9a-f]+` + // CGLIB
			`|(\$\$SpringCGLIB|\$\$FastClass)\$\$\d+` + // Spring 6
			`|(\$(?:HibernateProxy|ByteBuddy|MockitoMock|auxiliary))\$\w+` + // Byte Buddy
			`|(_\$\$_jvst)\w+` + // Javassist
			`|(\$Proxy)\d+` + // java.lang.reflect.Proxy
			`|(Generated(?:Method|Constructor|SerializationConstructor)Accessor)\d+`,
	) // reflection, up to 17
})

// dynamicModule is the package, and module, of proxies since 16: jdk.proxy2.
var dynamicModule = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(jdk\.proxy)\d+\b`) })

// StableClass is a class's name without what changes from run to run, so that the
// same code has one name.
func StableClass(class string) string {
	return StableModule(spun().ReplaceAllString(class, "$1$2$3$4$5$6$7"))
}

// StableModule is the same for the name of a module.
func StableModule(name string) string { return dynamicModule().ReplaceAllString(name, "$1") }
