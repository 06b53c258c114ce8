package classfile

import (
	"fmt"
	"testing"
)

func TestKeysThatEqualNone(t *testing.T) {
	const use = `
	static class Use { final Map<Object, String> all = new HashMap<>(); void use(int n) { all.computeIfAbsent(new Key(n), k -> "a"); } }
}
`
	const object, own, hash = "public boolean equals(Object o) { return o instanceof Key && ((Key) o).n == n; }", "public boolean equals(Key k) { return k.n == n; }", "public int hashCode() { return n; }"
	for _, test := range []struct{ name, key, use, want string }{
		{"no hashCode", object, use, "[Keys$Key]"},
		{"an equals of its own type", own + hash, use, "[Keys$Key]"},
		{"both", object + hash, use, "[]"},
		{"both and one more", object + own + hash, use, "[]"},
		{"neither", "", use, "[]"}, // may be meant so
		{"put nowhere", object, "static class Use { Object use(int n) { return new Key(n); } } }", "[]"},
		{"into a list", object, "static class Use { final List<Key> all = new ArrayList<>(); void use(int n) { all.add(new Key(n)); } } }", "[]"},
		{"as a value", object, "static class Use { final Map<String, Key> all = new HashMap<>(); void use(int n) { all.put(\"k\" + n, new Key(n)); } } }", "[]"},
		{"into a set of its own", object, "static class Use { int use(int n) { Set<Key> all = new HashSet<>(); all.add(new Key(n)); return all.size(); } } }", "[]"},
		{"by identity", object, "static class Use { final IdentityHashMap<Key, String> all = new IdentityHashMap<>(); void use(int n) { all.put(new Key(n), \"\"); } } }", "[]"},
		{"by a variable", object, "static class Use { final Set<Key> all = new HashSet<>(); void use(int n) { Key k = new Key(n); all.add(k); } } }", "[Keys$Key]"},
		{"a part of what is made", object, "static class Use { final Map<Object, String> all = new HashMap<>(); void use(int n) { Key k = new Key(n); all.put(k.n, \"\"); } } }", "[]"},
		{"one that there may be", object, "static class Use { final Map<Key, String> all = new HashMap<>(); void use(Key old, int n) { Key k = old != null ? old : new Key(n); all.put(k, \"\"); } } }", "[]"},
		{"one that stays", object, "static class Use { final Map<Key, String> all = new HashMap<>(); void use(int n) { Key k = new Key(n); while (n-- > 0) all.put(k, \"\"); } } }", "[]"},
		{"one each time", object, "static class Use { final Map<Key, String> all = new HashMap<>(); void use(int n) { while (n-- > 0) { Key k = new Key(n); all.put(k, \"\"); } } } }", "[Keys$Key]"},
		{"into a tree", object, "static class Use { final Map<Key, String> all = new TreeMap<>((a, b) -> a.n - b.n); void use(int n) { all.put(new Key(n), \"\"); } } }", "[]"},
	} {
		made := compile(t, "import java.util.*;\nclass Keys {\n\tstatic class Key { final int n; Key(int n) { this.n = n; } "+test.key+" }\n"+test.use)
		var classes []*Class
		for name, text := range made {
			c, err := Parse(text)
			if err != nil {
				t.Fatal(name, err)
			}
			classes = append(classes, c)
		}
		uses, _ := MapUses(classes)
		if got := fmt.Sprint(uses["Keys$Use"].Broken); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}
