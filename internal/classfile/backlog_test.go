package classfile

import (
	"fmt"
	"strings"
	"testing"
)

// Each case is an inbox, and what puts letters there and takes them out.
func TestQueuesThatMayGrow(t *testing.T) {
	const queue, own = "private final BlockingQueue<Object> all = new LinkedBlockingQueue<>(); ", "private final Queue<Object> all = new ArrayDeque<>(); "
	const next = "Object next() throws InterruptedException { return all.take(); } "
	cases := []struct{ name, code, want string }{
		{"a queue", queue + next + `void put() { all.offer(new byte[9]); }`, "next run"},
		{"a queue with a bound", strings.Replace(queue, "<>()", "<>(9)", 1) + next + `void put() { all.offer(new byte[9]); }`, ""},
		{"an array's", strings.NewReplacer("Linked", "Array", "<>()", "<>(9)").Replace(queue) + next + `void put() { all.offer(new byte[9]); }`, ""},
		{"one of its own", own + `synchronized Object next() throws InterruptedException { while (all.isEmpty()) wait(); return all.poll(); } synchronized void put() { all.add(new byte[9]); notify(); }`, "next run"},
		{"one whose size is shown", queue + next + `void put() { all.offer(new byte[9]); System.out.println(all.size()); }`, "next run"},
		{"one that is full at some size", own + `synchronized Object next() { return all.poll(); } synchronized void put() { if (all.size() < 9) all.add(new byte[9]); }`, ""},
		{"one that is emptied at once", queue + next + `void put() { all.offer(new byte[9]); all.clear(); }`, ""},
		{"one that others get", queue + next + `Object all() { return all; } void put() { all.offer(new byte[9]); }`, ""},
		{"one of numbers", queue + next + `void put() { all.offer(7); }`, ""},
		{"one that is filled once", queue + next + `Shop() { all.offer(new byte[9]); } void put() { }`, ""},
		{"a list", `private final List<Object> all = new LinkedList<>(); Object next() { return all.remove(0); } void put() { all.add(new byte[9]); }`, "next run"},
		{"a list of which any goes", `private final List<Object> all = new LinkedList<>(); Object next() { all.remove("k"); return all; } void put() { all.add(new byte[9]); }`, ""},
	}
	source := "import java.util.*; import java.util.concurrent.*;\n"
	for i, test := range cases {
		run := "public void run() { try { while (true) next(); } catch (Exception e) { } } static void feed(ShopNN s) { while (true) s.put(); } public static void main(String[] a) { ShopNN s = new ShopNN(); new Thread(s).start(); feed(s); }"
		name := fmt.Sprintf("Shop%02d", i)
		source += "class " + name + " implements Runnable { " + strings.NewReplacer("ShopNN", name, "Shop()", name+"()").Replace(test.code+run) + " }\n"
	}
	made := compile(t, source)
	for i, test := range cases {
		name := fmt.Sprintf("Shop%02d", i)
		uses, _ := MapUses(classOf(t, made, name))
		want := ""
		if test.want != "" {
			want = name + ".all/" + name + "." + strings.ReplaceAll(test.want, " ", ","+name+".")
		}
		if got := strings.Join(uses[name].Fed, " "); got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
	}
}

// classOf are a class and those within it, of some that were compiled.
func classOf(t *testing.T, made map[string][]byte, name string) []*Class {
	t.Helper()
	var classes []*Class
	for class, text := range made {
		if class != name && !strings.HasPrefix(class, name+"$") {
			continue
		}
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		classes = append(classes, c)
	}
	return classes
}
