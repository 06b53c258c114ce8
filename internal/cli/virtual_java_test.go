package cli

import (
	"strconv"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// A JVM that a list of its virtual threads may crash is not asked for one, whatever is typed, and prints nothing.
func TestAListThatMayCrashIsRefused(t *testing.T) {
	pid, jvm := launch(t, jvmtest.Find(t, "25"), "Virtual", "3")
	before := jvm.Output()
	for _, args := range [][]string{
		{"status", "--virtual", "always"}, {"status", "--virtual", "always", "--attach-anyway"},
		{"threads", "--virtual", "always", "--attach-anyway", "--via", "attach"},
		{"record", "--virtual", "always", "--attach-anyway", "-o", t.TempDir() + "/r.zip"},
		{"jcmd"}, {"jcmd", "--attach-anyway"},
	} {
		line := append(args, pid)
		if args[0] == "jcmd" {
			line = append(line, "VM.version\n Thread.dump_to_file -format=json", t.TempDir()+"/threads")
		}
		got := run(t, "", line...)
		if got.code != shell.ExitNothing || !strings.Contains(got.stderr, "Thread.dump_to_file is not sent") ||
			!strings.Contains(got.stderr, "JDK-8364343") || strings.Contains(got.stderr, "runs Java code") ||
			got.stdout != "" && args[0] != "record" {
			t.Errorf("%q: exit %d\n%s%s", args, got.code, got.stdout, got.stderr)
		}
	}
	got := run(t, "", "status", "--count", "1", pid)
	if got.code != shell.ExitDone || strings.Contains(got.stdout+got.stderr, "Java code ran") {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	if printed := strings.TrimPrefix(jvm.Output(), before); printed != "" || !jvm.Alive() {
		t.Errorf("alive: %v, it printed %q", jvm.Alive(), printed)
	}
}

// On other releases --virtual always lists virtual threads, and says before that it runs Java code. The default does
// not run any.
func TestVirtualAlwaysRunsJavaCode(t *testing.T) {
	for _, version := range []string{"21", "26"} {
		pid, jvm := launch(t, jvmtest.Find(t, version), "Virtual", "30")
		before := jvm.Output()
		for mode, runs := range map[string]bool{"always": true, "auto": false, "never": false} {
			r, got := reportOf(t, "status", "--count", "1", "--virtual", mode, pid)
			listed := r.VirtualThreads != nil && r.VirtualThreads.Count == 30
			if got.code != shell.ExitDone || runs && !listed || (len(r.Capture.JavaCommands) > 0) != runs {
				t.Errorf("%s, %s: exit %d, %+v", version, mode, got.code, r.Capture)
			}
			says := "jstall: " + pid + ": runs Java code in the JVM to list its virtual threads (Thread.dump_to_file)\n"
			if strings.Contains(got.stderr, says) != runs {
				t.Errorf("%s, %s: %s", version, mode, got.stderr)
			}
		}
		if printed := strings.TrimPrefix(jvm.Output(), before); printed != "" || !jvm.Alive() {
			t.Errorf("%s: alive: %v, it printed %q", version, jvm.Alive(), printed)
		}
	}
}

// Virtual threads that mount and unmount during a capture do no harm to the JVM: a list of them by Thread.dump_to_file
// ended it in such runs with each of these collectors.
func TestChurnSurvives(t *testing.T) {
	for _, collector := range []string{"Serial", "Z", "Shenandoah"} {
		jvm := jvmtest.Start(t, jvmtest.Find(t, "25"), jvmtest.Options{Class: "Churn", Args: []string{"500"},
			JVMArgs: []string{"-XX:+Use" + collector + "GC", "-Xmx256m"}})
		before := jvm.Output()
		for range 6 {
			got := run(t, "", "status", "--count", "1", strconv.Itoa(jvm.PID()))
			if !strings.Contains(got.stdout, "Overhead") {
				t.Errorf("%s: exit %d\n%s%s", collector, got.code, got.stdout, got.stderr)
			}
		}
		if printed := strings.TrimPrefix(jvm.Output(), before); printed != "" || !jvm.Alive() {
			t.Errorf("%s: alive: %v, it printed %q", collector, jvm.Alive(), printed)
		}
	}
}
