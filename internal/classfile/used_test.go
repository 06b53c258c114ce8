package classfile

import (
	"slices"
	"testing"
)

// Methods that no code comes to, other than by their names' being known to the JVM or to others' code, are left out.
func TestUsedMethods(t *testing.T) {
	for _, test := range []struct {
		name, source string
		entered      []string
		want         bool // that leave is there
	}{
		{"nobody calls it", `class Shop { static void leave() {} public static void main(String[] a) {} }`, nil, false},
		{"only one that nobody calls does", `class Shop { static void leave() {} static void close2() { leave(); } public static void main(String[] a) {} }`, nil, false},
		{"only it does", `class Shop { static void leave() { leave(); } public static void main(String[] a) {} }`, nil, false},
		{"main calls it", `class Shop { static void leave() {} public static void main(String[] a) { leave(); } }`, nil, true},
		{"by way of another", `class Shop { static void leave() {} static void end() { leave(); } public static void main(String[] a) { end(); } }`, nil, true},
		{"in another class of that name", `class Shop { static void leave() {} public static void main(String[] a) { new Door().leave(); } } class Door { void leave() {} }`, nil, true},
		{"as a method reference", `class Shop { static void leave() {} static Runnable r = Shop::leave; public static void main(String[] a) {} }`, nil, true},
		{"in a lambda", `class Shop { static void leave() {} static Runnable r = () -> leave(); public static void main(String[] a) {} }`, nil, true},
		{"by a thread", `class Shop implements Runnable { void leave() {} public void run() { leave(); } public static void main(String[] a) {} }`, nil, true},
		{"others may, who define it", `class Shop extends java.util.TimerTask { void leave() {} public void run() {} public static void main(String[] a) {} }`, nil, true},
		{"by way of its own kind", `interface Door extends java.util.function.Supplier<String> { void leave(); } class Shop implements Door { public void leave() {} public String get() { return null; } public static void main(String[] a) {} }`, nil, true},
		{"a kind of its own", `interface Door { void leave(); } class Shop implements Door { public void leave() {} public static void main(String[] a) {} }`, nil, false},
		{"a thread is in it", `class Shop { static void leave() {} public static void main(String[] a) {} }`, []string{"leave"}, true},
		{"by reflection", `class Shop { static void leave() {} public static void main(String[] a) throws Exception { Class.forName(a[0]); } }`, nil, true},
		{"who begins it is not known", `class Shop { static void leave() {} }`, nil, true},
	} {
		var classes []*Class
		for _, text := range compile(t, test.source) {
			c, err := Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			classes = append(classes, c)
		}
		used := Used(classes, test.entered)
		shop := used[slices.IndexFunc(used, func(c *Class) bool { return c.Name == "Shop" })]
		if got := shop.Has("leave"); got != test.want {
			t.Errorf("%s: %v", test.name, got)
		}
		if was := classes[slices.IndexFunc(classes, func(c *Class) bool { return c.Name == "Shop" })]; !was.Has("leave") {
			t.Errorf("%s: the class itself has lost a method", test.name)
		}
	}
}
