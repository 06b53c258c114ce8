package threaddump

import (
	"fmt"
	"strings"
	"testing"
)

// formsOf are the dumps of one JVM in all its forms, taken one after the other.
func formsOf(t *testing.T, jdk string) map[string]*Dump {
	t.Helper()
	forms := map[string]*Dump{}
	for _, form := range []string{"actuator.txt", "actuator.json", "visualvm.txt", "intellij.txt", "jfr.txt",
		"jfr.json"} {
		forms[form] = one(t, read(t, fmt.Sprintf("../testdata/dumps/%s/forms-%s", jdk, form)))
	}
	return forms
}

// still are the threads that do not move from one dump to the next.
var still = []string{"dl-A", "dl-B", "rl-A", "rl-B", "waiter", "parker", "sleeper"}

// standsAt is what a dump says of a thread in every form: its state, its
// stack, and what it waits for.
func standsAt(t *testing.T, d *Dump, name string) string {
	t.Helper()
	th := byName(t, d, name)
	var b strings.Builder
	fmt.Fprint(&b, th.State)
	for _, f := range th.Stack {
		fmt.Fprintf(&b, " %s.%s(%s:%d)", f.Class, f.Method, f.File, f.Line)
	}
	for _, l := range th.Locks {
		if l.Op != Locked && l.Op != OwnsSynchronizer {
			fmt.Fprintf(&b, " %v %s", l.Op, l.Class)
		}
	}
	return b.String()
}

func byName(t *testing.T, d *Dump, name string) *Thread {
	t.Helper()
	for _, th := range d.Threads {
		if th.Name == name {
			return th
		}
	}
	t.Fatalf("no thread %q", name)
	return nil
}

func TestFormsAgree(t *testing.T) {
	for _, jdk := range []string{"jdk17", "jdk25"} {
		forms := formsOf(t, jdk)
		for form, d := range forms {
			for _, name := range still {
				want := strings.ReplaceAll(standsAt(t, forms["jfr.txt"], name), hidden(forms["jfr.txt"], name),
					hidden(d, name))
				if got := standsAt(t, d, name); got != want {
					t.Errorf("%s, %s: %s has\n%s, HotSpot's own text\n%s", jdk, form, name, got, want)
				}
			}
		}
	}
}

// hidden is the class that a lambda expression of the thread's was made, whose name
// is spelled in several ways.
func hidden(d *Dump, name string) string {
	for _, th := range d.Threads {
		for _, f := range th.Stack {
			if th.Name == name && strings.Contains(f.Class, "$$Lambda") {
				return f.Class
			}
		}
	}
	return "no such class"
}

// awaitedBy is the lock that a thread waits for, the last in its stack if it is several.
func awaitedBy(th *Thread) Lock {
	wanted := Lock{}
	for _, l := range th.Locks {
		if l.Op == WaitingToLock || l.Op == Parking {
			wanted = l
		}
	}
	return wanted
}

// The forms of the management interface tell who owns what is waited for, by id,
// and all but IntelliJ's who holds what.
func TestFormsTellOwners(t *testing.T) {
	for _, jdk := range []string{"jdk17", "jdk25"} {
		for form, d := range formsOf(t, jdk) {
			if strings.HasPrefix(form, "jfr") {
				continue
			}
			if !d.Instant || d.Cut || len(d.Problems) > 0 || len(d.Threads) < 15 {
				t.Errorf("%s, %s: instant %v, cut %v, %d threads, %+v", jdk, form, d.Instant, d.Cut, len(d.Threads),
					d.Problems)
			}
			pairs := map[string]string{"dl-A": "dl-B", "dl-B": "dl-A", "rl-A": "rl-B", "rl-B": "rl-A"}
			for waiter, owner := range pairs {
				wanted := awaitedBy(byName(t, d, waiter))
				holder := byName(t, d, owner)
				if wanted.Owner != holder.ID || wanted.Address == 0 {
					t.Errorf("%s, %s: %s wants %+v, owner is #%d", jdk, form, waiter, wanted, holder.ID)
				}
				if form != "intellij.txt" && !holds(holder, wanted) {
					t.Errorf("%s, %s: %s does not hold %+v but %+v", jdk, form, owner, wanted, holder.Locks)
				}
			}
		}
	}
}

func holds(th *Thread, wanted Lock) bool {
	for _, l := range th.Locks {
		if l.Address == wanted.Address && (l.Op == Locked || l.Op == OwnsSynchronizer) {
			return true
		}
	}
	return false
}

// debugged is what IntelliJ's debugger writes of a program that it has stopped.
const debugged = `"dl-A@512" daemon prio=5 tid=0x15 nid=NA waiting for monitor entry
  java.lang.Thread.State: BLOCKED
	 blocks dl-B@513
	 waiting for dl-B@513 to release lock on <0x203> (a java.lang.Object)
	  at shop.Forms.both(Forms.java:7)
	  - locked <0x204> (a java.lang.Object)
	  at shop.Forms.lambda$main$0(Forms.java:12)
	  at java.lang.Thread.run(Thread.java:840)

"dl-B@513" daemon prio=5 tid=0x16 nid=NA waiting for monitor entry
  java.lang.Thread.State: BLOCKED
	 blocks dl-A@512
	 waiting for dl-A@512 to release lock on <0x204> (a java.lang.Object)
	  at shop.Forms.both(Forms.java:7)
	  - locked <0x203> (a java.lang.Object)
`

func TestDebuggersDump(t *testing.T) {
	d := one(t, []byte(debugged))
	a, b := byName(t, d, "dl-A"), byName(t, d, "dl-B")
	if a.ID != 0x15 || len(a.Stack) != 3 || a.State != Blocked || len(b.Locks) != 2 {
		t.Errorf("%+v\n%+v", a, b)
	}
	if a.Locks[0].Op != WaitingToLock || !holds(b, a.Locks[0]) || !holds(a, b.Locks[0]) {
		t.Errorf("locks %+v and %+v", a.Locks, b.Locks)
	}
}

// Cut anywhere, a file is no dump or one of fewer threads that says so.
func TestCutForms(t *testing.T) {
	for _, form := range []string{"actuator.txt", "actuator.json", "visualvm.txt", "intellij.txt"} {
		b := read(t, "../testdata/dumps/jdk25/forms-"+form)
		whole := len(one(t, b).Threads)
		for at := 0; at < len(b)-1; at += 97 {
			dumps, err := Parse(b[:at])
			if len(dumps) > 1 || len(dumps) == 0 && err == nil {
				t.Fatalf("%s cut at %d: %d dumps, %v", form, at, len(dumps), err)
			}
			if len(dumps) == 1 && (len(dumps[0].Threads) > whole || b[at-1] != '\n' && !dumps[0].Cut) {
				t.Fatalf("%s cut at %d: %d threads, cut %v", form, at, len(dumps[0].Threads), dumps[0].Cut)
			}
		}
	}
}

func TestTwoDumpsInOneFile(t *testing.T) {
	b := read(t, "../testdata/dumps/jdk25/forms-actuator.txt")
	_, threads, _ := strings.Cut(string(b), "\n\n")
	for name, text := range map[string]string{"with headers": string(b) + string(b), "without": threads + threads,
		"after a log": "10:00 INFO started\n" + string(b) + "10:01 INFO \"x\"\n" + string(b)} {
		dumps, err := Parse([]byte(text))
		if len(dumps) != 2 || err != nil || len(dumps[0].Threads) != len(dumps[1].Threads) {
			t.Errorf("%s: %d dumps, %v", name, len(dumps), err)
		}
	}
}
