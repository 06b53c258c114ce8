package stack

// generatedParts are what generated classes carry in their names.
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
