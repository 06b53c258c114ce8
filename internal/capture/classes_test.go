package capture

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"jstall/analysis"
	"jstall/internal/classfile"
	"jstall/internal/jvm"
	"jstall/internal/jvmtest"
	"jstall/internal/kernel"
	"jstall/threaddump"
)

const sourceOfDesk = `package inn;
import java.util.*;
class Desk {
	final Map<Integer, Guest> guests = new HashMap<>();
	void enter(Guest g) { guests.put(g.id, g); }
	void find(java.util.concurrent.atomic.AtomicBoolean free) {
		while (!free.compareAndSet(true, false)) ;
	}
	static class Guest {
		int id;
		Bag bag;
	}
	static class Bag {
		final Deque<String> things = new ArrayDeque<>();
		String unpack() { return things.poll(); }
	}
}
`

// deskTree is /proc of process 7, with a class path of a folder and a jar in its working
// directory: the folder has Desk alone, the jar what it uses.
func deskTree(t *testing.T) *classPath {
	t.Helper()
	made := jvmtest.Compile(t, "Desk.java", sourceOfDesk)
	root := t.TempDir()
	cwd := filepath.Join(root, "7", "cwd")
	if err := os.MkdirAll(filepath.Join(cwd, "classes", "inn"), 0o755); err != nil {
		t.Fatal(err)
	}
	var jar bytes.Buffer
	z := zip.NewWriter(&jar)
	for _, name := range []string{"Desk", "Desk$Guest", "Desk$Bag"} {
		text, err := os.ReadFile(filepath.Join(made, "inn", name+".class"))
		if err != nil {
			t.Fatal(err)
		}
		if name == "Desk" {
			err = os.WriteFile(filepath.Join(cwd, "classes", "inn", "Desk.class"), text, 0o644)
		} else if f, made := z.Create("BOOT-INF/classes/inn/" + name + ".class"); made == nil {
			_, err = f.Write(text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(cwd, "inn.jar"), jar.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return &classPath{live: &Live{Kernel: kernel.New(root), Process: jvm.Process{PID: 7}}, known: map[string]*classfile.Class{}}
}

func TestClassesOfAFolderAndAJar(t *testing.T) {
	p := deskTree(t)
	defer p.close()
	p.open("classes:inn.jar")
	var text bytes.Buffer
	p.writeLoop(&text, "inn.Desk.find:7")
	p.writeLoop(&text, "inn.Desk.enter:5") // no loop
	p.writeLoop(&text, "inn.Gone.find:7")
	p.writeAll(&text, []string{"inn.Desk"})
	const want = "loop inn.Desk.find:7 java.util.concurrent.atomic.AtomicBoolean.compareAndSet\n"
	if !strings.HasPrefix(text.String(), want+"class inn.Desk ") || strings.Contains(text.String(), "others") {
		t.Errorf("got\n%s", text.String())
	}
	b := parseClasses(text.Bytes())
	if b.Read != 3 || b.Others || b.Replace || !slices.Contains(b.Calls, "java.util.Map.put") || !slices.Contains(b.Calls, "java.util.Deque.poll") {
		t.Errorf("%+v", b)
	}
	if l, ok := b.Loops["inn.Desk.find:7"]; !ok || l.Counts || l.Computes || len(l.Calls) != 1 {
		t.Errorf("%+v", b.Loops)
	}
}

// What cannot be read may do anything.
func TestClassesThatAreNotThere(t *testing.T) {
	for _, classPath := range []string{"classes", "classes:gone.jar", "classes:inn.jar" + strings.Repeat(":x", classPathCut)} {
		p := deskTree(t)
		p.open(classPath)
		var text bytes.Buffer
		p.writeAll(&text, []string{"inn.Desk"})
		p.close()
		if b := parseClasses(text.Bytes()); !b.Others {
			t.Errorf("%.30s: %+v", classPath, b)
		}
	}
}

func TestWhichClassesAreWorthReading(t *testing.T) {
	at := func(id int64, bytes int64, state threaddump.State, frames ...string) *threaddump.Thread {
		th := &threaddump.Thread{ID: id, Name: "t", State: state, Allocated: threaddump.Known(bytes)}
		for _, f := range frames {
			dot := strings.LastIndexByte(f, '.')
			th.Stack = append(th.Stack, &threaddump.Frame{Class: f[:dot], Method: f[dot+1:], Line: 7})
		}
		return th
	}
	idle := []string{"java.util.concurrent.LinkedBlockingQueue.take", "java.lang.Thread.run"}
	look := func(old int64, most []string, n int64) analysis.Observation {
		o := analysis.Observation{Dump: &threaddump.Dump{Threads: []*threaddump.Thread{
			at(11, 1000*n, threaddump.Waiting, most...),
			at(12, n, threaddump.Runnable, "inn.Clock.tick", "inn.Clock.run"),
			at(13, n, threaddump.Runnable, "java.util.HashMap.get", "inn.Desk.find"),
		}}}
		o.Counters = &analysis.Counters{OldUsed: analysis.Opt[int64](threaddump.Known(old))}
		return o
	}
	for _, test := range []struct {
		name string
		most []string
		old  int64
		want string
	}{
		{"the heap grows", []string{"java.lang.Thread.sleep", "inn.Desk.enter", "inn.Desk$$Lambda/0x12.run"}, 9, "[inn.Clock.tick:7] [inn.Desk]"},
		{"the heap does not grow", []string{"inn.Desk.enter"}, 5, "[inn.Clock.tick:7] []"},
		{"who allocates shows nothing", idle, 9, "[inn.Clock.tick:7] [inn.Clock inn.Desk]"},
	} {
		var c classesSeen
		c.see(look(5, test.most, 1))
		c.see(look(test.old, test.most, 3))
		if w := c.wanted(); fmt.Sprint(w.Loops, " ", w.From) != test.want {
			t.Errorf("%s: %v %v, want %s", test.name, w.Loops, w.From, test.want)
		}
	}
}
