//go:build linux

package trials_test

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/jstall/jstall/attach"
	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
	"github.com/jstall/jstall/threaddump"
)

// yes and no are the values of most features.
const yes, no = "yes", "–"

// feature is something that a dump has or lacks, or has in one of several forms.
type feature struct {
	name string
	cell func(s specimens) string
}

// specimens are the output of one JDK: dumps of JVMs with an owned lock, a deadlock, a deadlock of class
// initialisation, and a mounted virtual thread.
type specimens struct {
	plain, deadlock, classes, virtual string
	// json and text are the files of Thread.dump_to_file, empty without them.
	json, text string
	// version is the answer to getversion.
	version string
}

// shows is a feature that a dump has if its text matches.
func shows(pattern string, of func(specimens) string) func(specimens) string {
	re := regexp.MustCompile(pattern)
	return func(s specimens) string {
		if re.MatchString(of(s)) {
			return yes
		}
		return no
	}
}

// either returns which of the forms of a feature a dump has.
func either(of func(specimens) string, forms ...[2]string) func(specimens) string {
	return func(s specimens) string {
		for _, f := range forms {
			if regexp.MustCompile(f[0]).MatchString(of(s)) {
				return f[1]
			}
		}
		return no
	}
}

func plain(s specimens) string    { return s.plain }
func deadlock(s specimens) string { return s.deadlock }
func classes(s specimens) string  { return s.classes }
func virtual(s specimens) string  { return s.virtual }
func jsonFile(s specimens) string { return s.json }

// features are the rows of the table in the package threaddump.
var features = []feature{
	{"end of the header", either(plain, [2]string{`(?m)^Full thread dump .*\):$`, "):"},
		[2]string{`(?m)^Full thread dump .*\)$`, ")"})},
	{"line with the JDK's version", shows(`(?m)^ +JDK version: `, plain)},
	{"list of Java threads (SMR)", shows(`(?m)^_java_thread_list=0x`, plain)},
	{"cpu= and elapsed=", shows(`(?m)^"main" .* cpu=[0-9.]+ms elapsed=[0-9.]+s `, plain)},
	{"allocated= (-e)", shows(`(?m)^"main" .* allocated=[0-9]+[BKMG] defined_classes=`, plain)},
	{"native id after the Java id", shows(`(?m)^"main" #\d+ \[\d+\] `, plain)},
	{"nid=", either(plain, [2]string{`(?m)^"main" .* nid=0x[0-9a-f]+ `, "hex"},
		[2]string{`(?m)^"main" .* nid=\d+ `, "decimal"})},
	{"owned synchronizers (-l)", shows(`(?m)^   Locked ownable synchronizers:\n\t- <0x`, plain)},
	{"module in the frame's place", shows(`\(java\.base@`, plain)},
	{"compile tasks", shows(`(?m)^   (No compile task|Compiling:)`, plain)},
	{"the JVM's own deadlock report", shows(`Found 1 deadlock\.`, deadlock)},
	{"class initialisation, awaited", shows(`- waiting on the Class initialization monitor for `, classes)},
	{"carrier of a virtual thread", shows(`(?m)^   Carrying virtual thread #\d+`, virtual)},
	{"stack of the carried one", shows(`(?m)^   Mounted virtual thread #\d+`, virtual)},
	{"Thread.dump_to_file, text and JSON", func(s specimens) string {
		if s.json == "" || s.text == "" {
			return no
		}
		return yes
	}},
	{"states and locks in that JSON", shows(`"state": *"`, jsonFile)},
	{"ids in that JSON", either(jsonFile, [2]string{`"tid": *"`, "strings"}, [2]string{`"tid": *\d`, "numbers"})},
	{"read without a problem", func(s specimens) string {
		for _, text := range []string{s.plain, s.deadlock, s.classes, s.virtual, s.json, s.text} {
			if p := troubles(text); p != "" {
				return p
			}
		}
		return yes
	}},
}

// troubles is what the parser did not understand; empty if it understood everything.
func troubles(text string) string {
	if text == "" {
		return ""
	}
	dumps, err := threaddump.Parse([]byte(text))
	if err != nil || len(dumps) != 1 {
		return fmt.Sprintf("%d dumps, %v", len(dumps), err)
	}
	d := dumps[0]
	complete := !d.Cut && d.Missing() == 0 && len(d.Threads) >= 5
	if len(d.Problems) > 0 || !complete {
		return fmt.Sprintf("%d threads, %d problems", len(d.Threads), len(d.Problems))
	}
	return ""
}

// protocol are the rows of the table in the package attach that come before those
// of the trials.
var protocol = []feature{
	{"getversion options", func(s specimens) string {
		if s.version == "" {
			return no
		}
		return s.version
	}},
}

// specimensOf takes them from JVMs of a JDK.
func specimensOf(t *testing.T, jdk jvmtest.JDK) specimens {
	t.Helper()
	s := specimens{}
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "FullHeap", Args: []string{"1"}})
	s.plain = answer(t, j, attach.ThreadDump(jdk.Version, true))
	s.version = answer(t, j, attach.GetVersion())
	s.json, s.text = dumpedToFile(t, j, "json"), dumpedToFile(t, j, "plain")
	s.deadlock = answer(t, jvmtest.Start(t, jdk, jvmtest.Options{Class: "MonitorDeadlock"}),
		attach.ThreadDump(jdk.Version, false))
	s.classes = answer(t, jvmtest.Start(t, jdk, jvmtest.Options{Class: "ClassInitDeadlock"}),
		attach.ThreadDump(jdk.Version, false))
	if jdk.Version >= 21 {
		j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Carried"})
		s.virtual = answer(t, j, attach.ThreadDump(jdk.Version, false))
	}
	return s
}

// answer is a JVM's answer to a command, empty if it does not know the command.
func answer(t *testing.T, j *jvmtest.JVM, cmd attach.Command) string {
	t.Helper()
	c := &attach.Client{Proc: kernel.New("/proc"), RunAs: kernel.RunAs, Timeout: 30 * time.Second}
	a, err := c.Execute(t.Context(), attach.Target{PID: j.PID()}, cmd)
	if err != nil && (a == nil || a.Status == 0) {
		t.Fatal(err)
	}
	if a.Status != 0 {
		return ""
	}
	return string(a.Body)
}

// asksUnchecked sends a diagnostic command to a JVM that listens, even if the client refuses the command because of a
// bug of the release. It reports whether the JVM executed it. The JVM must not run virtual threads.
func asksUnchecked(t *testing.T, j *jvmtest.JVM, line string) bool {
	t.Helper()
	socket, err := net.Dial("unix", fmt.Sprintf("/tmp/.java_pid%d", j.PID()))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = socket.Close() }()
	if _, err := fmt.Fprintf(socket, "1\x00jcmd\x00%s\x00\x00\x00", line); err != nil {
		t.Fatal(err)
	}
	answer, err := io.ReadAll(socket)
	if err != nil {
		t.Fatal(err)
	}
	return bytes.HasPrefix(answer, []byte("0\n"))
}

func dumpedToFile(t *testing.T, j *jvmtest.JVM, format string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "dump")
	if !asksUnchecked(t, j, "Thread.dump_to_file -format="+format+" "+file) {
		return ""
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(text)) + "\n"
}
