package javaname_test

import (
	"slices"
	"testing"

	"github.com/jstall/jstall/internal/javaname"
)

func TestClass(t *testing.T) {
	for internal, want := range map[string]string{
		"java/util/HashMap":                     "java.util.HashMap",
		"com/acme/Orders$$Lambda/0x00007f1b2c0": "com.acme.Orders$$Lambda/0x00007f1b2c0",
		"Orders":                                "Orders",
		"[I":                                    "int[]",
		"[[Ljava/lang/String;":                  "java.lang.String[][]",
		"[Lcom/acme/A$$Lambda/0x1;":             "com.acme.A$$Lambda/0x1[]",
		"[?":                                    "?[]",
		"":                                      "",
		"a/":                                    "a.",
	} {
		if got := javaname.Class(internal); got != want {
			t.Errorf("%q is %q, want %q", internal, got, want)
		}
	}
	if got := javaname.Dotted("[Ljava/lang/String;"); got != "[Ljava.lang.String;" {
		t.Errorf("%q", got)
	}
}

func TestParameters(t *testing.T) {
	for descriptor, want := range map[string][]string{
		"()V":                     nil,
		"(IJ[Z)V":                 {"int", "long", "boolean[]"},
		"(I[[Ljava/util/Map;D)La": {"int", "java.util.Map[][]", "double"},
	} {
		if got, ok := javaname.Parameters(descriptor); !ok || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", descriptor, got, ok)
		}
	}
	for _, descriptor := range []string{"", "I", "(I", "(I?)V", "(Ljava/lang/String"} {
		if got, ok := javaname.Parameters(descriptor); ok {
			t.Errorf("%q is understood: %q", descriptor, got)
		}
	}
}
