package flame

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/jstall/jstall/internal/jfr"
	"github.com/jstall/jstall/internal/jfr/jfrtest"
	"github.com/jstall/jstall/internal/jvmtest"
)

// twice has its own event, in no package, which two class loaders have both.
const twice = `
import java.net.*;
import java.nio.file.*;

public class Twice {
	public static class Sold extends jdk.jfr.Event { String what = "tea"; int count = 3; }
	public static class Seller implements Runnable { public void run() { new Sold().commit(); } }

	public static void main(String[] args) throws Exception {
		URL[] here = {Paths.get(args[0]).toUri().toURL()};
		for (int i = 0; i < 2; i++)
			((Runnable) new URLClassLoader(here, null).loadClass("Twice$Seller").getDeclaredConstructor().newInstance()).run();
	}
}
`

// TestEventsOfPrograms: those of a JVM's own types aside, names are the program's choice.
func TestEventsOfPrograms(t *testing.T) {
	jdk, dir := jvmtest.Find(t, jvmtest.System), t.TempDir()
	if jdk.Tool("javac") == "" {
		jvmtest.Lack(t, "no javac in %s", jdk.Home)
	}
	source, path := filepath.Join(dir, "Twice.java"), filepath.Join(dir, "twice.jfr")
	if err := os.WriteFile(source, []byte(twice), 0o644); err != nil {
		t.Fatal(err)
	}
	output(t, jdk.Tool("javac"), "-d", dir, source)
	if out, err := exec.Command(jdk.Java(), "-XX:StartFlightRecording:settings=profile,filename="+path, "-cp",
		dir, "Twice", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadJFR(bytes.NewReader(data), EventWall, Options{}); err != nil {
		t.Error(err)
	}
	chunk, err := jfr.NewReader(bytes.NewReader(data)).Next()
	if err != nil {
		t.Fatal(err)
	}
	if n := len(chunk.Types.Named("Twice$Sold")); n != 2 {
		t.Errorf("%d types of the event", n)
	}
}

// TestTypesThatNoJVMDescribes: a mistaken type would have constants read as what they are not.
func TestTypesThatNoJVMDescribes(t *testing.T) {
	number := []jfrtest.Field{{Name: "n", Class: 1}}
	for name, c := range map[string]struct {
		more    jfrtest.Class
		unusual bool
	}{
		"an event in no package":  {jfrtest.Class{ID: 90, Name: "Sold", Fields: number}, false},
		"an event of two loaders": {jfrtest.Class{ID: 90, Name: "a.Byte", Fields: number}, false},
		"no name":                 {jfrtest.Class{ID: 90, Name: "", Fields: number}, true},
		"one number twice":        {jfrtest.Class{ID: forgedByte, Name: "a.Other", Fields: number}, true},
		"a number of numbers":     {jfrtest.Class{ID: 90, Name: "short", Fields: number}, true},
		"two kinds of int":        {jfrtest.Class{ID: 90, Name: "int", Fields: nil}, true},
		"two kinds of thread":     {jfrtest.Class{ID: 90, Name: jfr.NameOfThread, Fields: number}, true},
		"two kinds of symbol":     {jfrtest.Class{ID: 90, Name: jfr.NameOfSymbol, Fields: number}, true},
	} {
		chunk := jfrtest.Chunk(append(forgedClasses(), c.more), jfrtest.Event(forgedSample, 0, 1, 1), forgedPools())
		_, err := ReadJFR(bytes.NewReader(chunk), EventCPU, Options{})
		if errors.Is(err, jfr.ErrUnusual) != c.unusual || !c.unusual && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
