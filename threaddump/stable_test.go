package threaddump

import "testing"

func TestStableClass(t *testing.T) {
	for class, want := range map[string]string{
		"W$$Lambda/0x00007ff130000a08":                       "W$$Lambda",
		"W$$Lambda$14+0x00007f1f3c000c28/0x00007f1f3c000c28": "W$$Lambda",
		"W$$Lambda+0x00007f1f3c000c28/1234567":               "W$$Lambda",
		"com.acme.cafe":                                      "com.acme.cafe",
		"W$$Lambda$1/295530567":                              "W$$Lambda",
		"W$$Lambda$14/0x0000000800c03000":                    "W$$Lambda",
		"java.lang.invoke.LambdaForm$MH/0x00007ff130001000":  "java.lang.invoke.LambdaForm$MH",
		"java.lang.invoke.LambdaForm$DMH/1637506559":         "java.lang.invoke.LambdaForm$DMH",
		"sun.reflect.GeneratedMethodAccessor12":              "sun.reflect.GeneratedMethodAccessor",

		"jdk.internal.reflect.GeneratedConstructorAccessor3": "jdk.internal.reflect.GeneratedConstructorAccessor",

		"com.sun.proxy.$Proxy12":                                    "com.sun.proxy.$Proxy",
		"jdk.proxy2.$Proxy7":                                        "jdk.proxy.$Proxy",
		"a.Shop$$EnhancerBySpringCGLIB$$1a2b3c4d":                   "a.Shop$$EnhancerBySpringCGLIB",
		"a.Shop$$EnhancerBySpringCGLIB$$1a$$FastClassByCGLIB$$99ff": "a.Shop$$EnhancerBySpringCGLIB$$FastClassByCGLIB",
		"a.Shop$$SpringCGLIB$$0":                                    "a.Shop$$SpringCGLIB",
		"a.Shop$$SpringCGLIB$$FastClass$$1":                         "a.Shop$$SpringCGLIB$$FastClass",
		"a.Item$HibernateProxy$qX3ab1":                              "a.Item$HibernateProxy",
		"a.Item_$$_jvst5e1_0":                                       "a.Item_$$_jvst",
		"a.Outer$1":                                                 "a.Outer$1",
		"a.Base64$Decoder2":                                         "a.Base64$Decoder2",
	} {
		if got := StableClass(class); got != want {
			t.Errorf("StableClass(%q) = %q, want %q", class, got, want)
		}
	}
}
