package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// callsProgram makes 1,000 calls of one method and 100 of another of the same name as soon as a file is there, and
// none after them; without a file it makes them again and again.
const callsProgram = `
import java.nio.file.*;

public class Calls {
    static int sell(int x) {
        long end = System.nanoTime() + 50_000;
        while (System.nanoTime() < end) { }
        return x + 1;
    }

    static int sell(String s) { return s.length(); }

    static void unused() { }

    public static void main(String[] args) throws Exception {
        System.out.println("READY");
        while (args.length > 0 && !Files.exists(Paths.get(args[0]))) Thread.sleep(20);
        do {
            int sum = 0;
            for (int i = 0; i < 1000; i++) {
                sum = sell(sum);
                if (i % 10 == 0) sum += sell("tea");
            }
            Thread.sleep(100);
        } while (args.length == 0);
        System.out.println("SOLD");
        Thread.sleep(600_000);
    }
}`

// countedCalls is what jstall methods --json prints.
type countedCalls struct {
	Capture struct {
		Source         string
		ElapsedSeconds float64
	}
	Methods []struct {
		Class, Method                string
		Calls                        *int64
		AtLeast                      bool
		TotalSeconds, LongestSeconds *float64
		Overloads                    []struct {
			Descriptor string
			Calls      int64
		}
	}
}

func readCounted(t *testing.T, got ran) (c countedCalls) {
	t.Helper()
	if err := json.Unmarshal([]byte(got.stdout), &c); got.code != 0 || err != nil {
		t.Fatalf("%v\n%s", err, got.stable())
	}
	return c
}

// TestMethodsCountsEveryCall: the recorder counts as the program does.
func TestMethodsCountsEveryCall(t *testing.T) {
	t.Parallel()
	begin := filepath.Join(t.TempDir(), "begin")
	pid := ""
	recorderLeaves(t, &pid)
	jvm := jvmtest.Start(t, jvmtest.Newest(t, 25), jvmtest.Options{Class: "Calls", Args: []string{begin},
		JVMArgs: []string{"-cp", jvmtest.Compile(t, "Calls.java", callsProgram)}})
	pid = strconv.Itoa(jvm.PID())
	ended := make(chan ran)
	go func() {
		ended <- run(t, "", "methods", pid, "--json", "-d", "4s", "--count", "Calls.sell", "--count", "Calls.unused")
	}()
	for end := time.Now().Add(30 * time.Second); !strings.Contains(jcmd(t, pid, "JFR.check"), "name=jstall-"); {
		if time.Now().After(end) {
			t.Fatal("no recording of ours")
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err := os.WriteFile(begin, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	jvm.Await("SOLD")
	checkCounted(t, readCounted(t, <-ended))
	noFoldersLeft(t)
}

// checkCounted compares with what the program has called.
func checkCounted(t *testing.T, c countedCalls) {
	t.Helper()
	if len(c.Methods) != 2 || c.Capture.Source != "jfr" || c.Capture.ElapsedSeconds <= 0 {
		t.Fatalf("%+v", c)
	}
	m := c.Methods[0]
	if m.Calls == nil || *m.Calls != 1100 || m.AtLeast || len(m.Overloads) != 2 {
		t.Fatalf("the program has made 1,100 calls of two methods: %+v", m)
	}
	if calls := m.Overloads[0]; calls.Descriptor != "(I)I" || calls.Calls != 1000 {
		t.Errorf("the first overload: %+v", calls)
	}
	if *m.TotalSeconds < 1000*50e-6 || *m.TotalSeconds > c.Capture.ElapsedSeconds || *m.LongestSeconds < 50e-6 {
		t.Errorf("the calls take 50 µs at least: %v s, the longest %v s", *m.TotalSeconds, *m.LongestSeconds)
	}
	if unused := c.Methods[1]; unused.Calls == nil || *unused.Calls != 0 {
		t.Errorf("what is never called: %+v", unused)
	}
}

// TestMethodsReadsTheCounters of a JVM whose recorder counts no calls.
func TestMethodsReadsTheCounters(t *testing.T) {
	t.Parallel()
	classes := jvmtest.Compile(t, "Calls.java", callsProgram)
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Calls",
		JVMArgs: []string{"-cp", classes, "-Xint"}})
	pid := strconv.Itoa(jvm.PID())
	counting := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Calls",
		JVMArgs: []string{"-cp", classes, "-XX:TieredStopAtLevel=3"}})
	c := readCounted(t, run(t, "", "methods", strconv.Itoa(counting.PID()), "--json", "-d", "1s",
		"--count", "Calls.sell"))
	m := c.Methods[0]
	if c.Capture.Source != "memory" || m.Calls == nil || *m.Calls == 0 || !m.AtLeast || m.TotalSeconds != nil ||
		len(m.Overloads) != 2 {
		t.Errorf("%+v", c)
	}
	if most := c.Capture.ElapsedSeconds/50e-6 + 1000; float64(*m.Calls) > most {
		t.Errorf("%d calls in %.2f s, of 50 µs each", *m.Calls, c.Capture.ElapsedSeconds)
	}
	got := run(t, "", "methods", strconv.Itoa(counting.PID()), "-d", "300ms", "--count", "Calls.sell")
	if got.code != 0 || !strings.Contains(got.stdout, "≥ ") ||
		!strings.Contains(got.stdout, "Calls.sell (2 overloads)") ||
		!strings.Contains(got.stdout, "read from its memory") {
		t.Error(got.stable())
	}
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"--count Calls.sel", "near: Calls.sell", shell.ExitNothing},
		{"--count Call.sell", "near: Calls", shell.ExitNothing},
		{"--count Calls.sell -d 100ms", "counts no calls (-Xint)", shell.ExitNothing},
		{"--count Calls.sell --via attach", "25 and newer", shell.ExitUsage},
		{"--count Calls.*", "no wildcards", shell.ExitUsage},
		{"", "--count CLASS.METHOD", shell.ExitUsage},
	} {
		if got := run(t, "", append([]string{"methods", pid}, strings.Fields(c.args)...)...); got.code != c.code ||
			!strings.Contains(got.stderr, c.want) {
			t.Errorf("%s: %s", c.args, got.stable())
		}
	}
}
