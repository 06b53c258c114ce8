package classfile

import (
	"fmt"
	"strings"
	"testing"
)

// Each case is what a class does in a method that threads run.
func TestWhoMakesThreadsAndLoadersAgain(t *testing.T) {
	cases := []struct{ name, code, want string }{
		{"a timer", `void work() { new Timer("t"); }`, "timer/work"},
		{"a timer, once", `final Timer timer = new Timer("t"); void work() { timer.cancel(); }`, ""},
		{"a thread", `void work() { new Thread(() -> work()).start(); }`, "thread/work"},
		{"a thread of its own kind", `static class Clerk extends Thread { } static class Late extends Clerk { } void work() { new Late().start(); }`, "thread/work"},
		{"what makes threads for others", `ThreadFactory named() { return r -> new Thread(r, "n"); } void work() { named(); }`, ""},
		{"what makes threads for others, and counts", `ThreadFactory named() { int[] n = {0}; return r -> new Thread(r, "n" + n[0]++); } void work() { named(); }`, ""},
		{"an executor", `void work() { Executors.newFixedThreadPool(2); }`, "executor/work"},
		{"an executor by its class", `void work() { open(); } static void open() { new ForkJoinPool(2); }`, "executor/open"},
		{"another of Executors", `void work() { Executors.callable(this); }`, ""},
		{"a loader", `void work() { new java.net.URLClassLoader(new java.net.URL[0]); }`, "loader/work"},
		{"a loader of its own kind", `static class Rules extends ClassLoader { } void work() { new Rules(); }`, "loader/work"},
		{"a class without a name", `void work() { try { java.lang.invoke.LambdaMetafactory.metafactory(null, "run", null, null, null, null); } catch (Exception e) {} }`, "class/work"},
		{"a lambda", `void work() { Runnable r = () -> work(); r.run(); }`, ""},
		{"a loader in a task that also begins", `static class Reload implements Runnable { public void run() { new java.net.URLClassLoader(new java.net.URL[0]); } } static void open(ScheduledExecutorService s) { Reload r = new Reload(); r.run(); s.scheduleAtFixedRate(r, 1, 1, TimeUnit.DAYS); } void work() {}`, "loader/$Reload.run"},
		{"a loader by a reference, which also begins", `static class Rules { void publish() { new java.net.URLClassLoader(new java.net.URL[0]); } } static void open(ScheduledExecutorService s) { Rules r = new Rules(); r.publish(); s.scheduleAtFixedRate(r::publish, 1, 1, TimeUnit.DAYS); } void work() {}`, "loader/$Rules.publish"},
		{"a loader by a reference to an interface", `interface Pub { void publish(); } static class Rules implements Pub { public void publish() { new java.net.URLClassLoader(new java.net.URL[0]); } } static void open(ScheduledExecutorService s) { Rules r = new Rules(); r.publish(); Pub p = r; s.scheduleAtFixedRate(p::publish, 1, 1, TimeUnit.DAYS); } void work() {}`, "loader/$Rules.publish"},
		{"a loader that only begins", `static class Rules { void publish() { new java.net.URLClassLoader(new java.net.URL[0]); } } public static void begin() { } static { new Rules().publish(); } void work() {}`, ""},
		{"nothing", `void work() { new StringBuilder(); }`, ""},
	}
	source := "import java.util.*; import java.util.concurrent.*;\n"
	for i, test := range cases {
		source += fmt.Sprintf("class Shop%02d implements Runnable { %s public void run() { while (true) work(); } public static void main(String[] a) { new Thread(new Shop%02d()).start(); } }\n", i, test.code, i)
	}
	made := compile(t, source)
	for i, test := range cases {
		name := fmt.Sprintf("Shop%02d", i)
		uses, _ := MapUses(classOf(t, made, name))
		want := ""
		if kind, method, ok := strings.Cut(test.want, "/"); ok {
			want = strings.Replace(fmt.Sprintf("%s/%s.%s:%d", kind, name, method, i+2), ".$", "$", 1)
		}
		got := ""
		for _, use := range uses {
			got += strings.Join(use.Makes, " ")
		}
		if got != want {
			t.Errorf("%s: %q, want %q", test.name, got, want)
		}
	}
}
