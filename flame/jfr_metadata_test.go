package flame

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"jstall/internal/jvmtest"
)

// twice has an event of its own, in no package, which two class loaders have both.
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
	chunk, err := readChunk(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	kinds, err := readKinds(chunk[binary.BigEndian.Uint64(chunk[24:]):])
	if err != nil {
		t.Fatal(err)
	}
	if n := len(kinds.named("Twice$Sold")); n != 2 {
		t.Errorf("%d types of the event", n)
	}
}

// TestTypesThatNoJVMDescribes: a mistaken type would have constants read as what they are not.
func TestTypesThatNoJVMDescribes(t *testing.T) {
	number := []forgedField{{name: "n", class: 1}}
	for name, c := range map[string]struct {
		more    forgedClass
		unusual bool
	}{
		"an event in no package":  {forgedClass{90, "Sold", number}, false},
		"an event of two loaders": {forgedClass{90, "a.Byte", number}, false},
		"no name":                 {forgedClass{90, "", number}, true},
		"one number twice":        {forgedClass{forgedByte, "a.Other", number}, true},
		"a number of numbers":     {forgedClass{90, "short", number}, true},
		"two kinds of int":        {forgedClass{90, "int", nil}, true},
		"two kinds of thread":     {forgedClass{90, nameOfThread, number}, true},
		"two kinds of symbol":     {forgedClass{90, nameOfSymbol, number}, true},
	} {
		chunk := forgedChunk(append(forgedClasses(), c.more), forgedEvent(forgedSample, 0, 1, 1), forgedPools())
		if _, err := ReadJFR(bytes.NewReader(chunk), EventCPU, Options{}); errors.Is(err, errUnusual) != c.unusual ||
			!c.unusual && err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}
