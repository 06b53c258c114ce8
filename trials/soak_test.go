//go:build linux

package trials_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/jvmtest"
)

// soaker is a state in which a JVM is captured repeatedly. Every capture must find one of the causes, or get its answer
// if the state allows one.
type soaker struct {
	name    string
	timeout string // of the captures; empty: the default
	causes  []string
	answers bool
	// ends is true if the JVM may be gone.
	ends bool
	// capture makes the state and calls try for each capture of it.
	capture func(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client))
}

var soakers = []soaker{
	{name: "stopped, no listener yet", causes: []string{"it is stopped"}, capture: stoppedCaptures(false)},
	{name: "stopped, listener up", causes: []string{"it is stopped"}, capture: stoppedCaptures(true)},
	{name: "frozen", causes: []string{"its control group is frozen"}, capture: frozenCaptures},
	{name: "attach disabled in an argument file", causes: []string{"its attach mechanism is disabled"},
		capture: disabledCaptures},
	{name: "SIGQUIT not caught, socket gone", causes: []string{"SIGQUIT is not caught"}, capture: reducedCaptures},
	{name: "zombie", causes: []string{"has ended (zombie)"}, capture: zombieCaptures},
	{name: "listener held", timeout: "1s", causes: []string{"another client holds its attach listener"},
		capture: heldCaptures},
	{name: "long safepoint", timeout: "1s", causes: []string{`safepoint that "orbiter"`,
		"waits for a CPU and gets little or none"}, answers: true, capture: safepointCaptures},
	// Two samples 100 ms apart may both be between garbage collections, and on a busy machine a thread of the JVM may
	// wait for a CPU without getting one.
	{name: "full collections", timeout: "200ms", causes: []string{"garbage collection",
		"waits for a CPU and gets little or none", "VM Thread runs", "the cause is unknown"}, answers: true,
		capture: collectionCaptures},
	{name: "0 to 50 ms old", causes: []string{"still starting"}, answers: true, capture: youngCaptures},
	{name: "killed in the middle", causes: []string{"has ended", "ended while", "ended during", "ended with code",
		"was killed", "zombie"}, answers: true, ends: true, capture: killedCaptures},
}

// TestSoak captures a thousand times (SOAK_TRIES) JVMs that cannot answer.
func TestSoak(t *testing.T) {
	if os.Getenv("SOAK") == "" {
		t.Skip("make soak runs it")
	}
	tries := 1000
	if text := os.Getenv("SOAK_TRIES"); text != "" {
		tries, _ = strconv.Atoi(text)
	}
	jdks := slices.DeleteFunc(jvmtest.Available(t), func(j jvmtest.JDK) bool { return !isMain(j.Version) })
	each := max(1, (tries+len(jdks)*len(soakers)-1)/(len(jdks)*len(soakers)))
	figures := newLedger()
	t.Run("all", func(t *testing.T) {
		for _, s := range soakers {
			for _, jdk := range jdks {
				t.Run(fmt.Sprint(s.name, " ", jdk.Version), func(t *testing.T) {
					t.Parallel()
					s.capture(t, jdk, each, func(j *jvmtest.JVM, c client) { figures.add(s.name, s.try(t, j, c)) })
				})
			}
		}
	})
	text := figures.String()
	t.Log(text)
	if os.Getenv("SAVE") != "" && !t.Failed() {
		saveSection(t, text)
	}
}

// try is one capture; it fails the test if it finds no cause or does harm.
func (s soaker) try(t *testing.T, j *jvmtest.JVM, c client) outcome {
	t.Helper()
	args := []string{"status", "--count", "1"}
	if s.timeout != "" {
		args = append(args, "--timeout", s.timeout)
	}
	r, o := c.report(t, args...)
	switch {
	case o.code == exitNoDump:
		title := r.Findings[0].Title
		if !slices.ContainsFunc(s.causes, func(cause string) bool { return strings.Contains(title, cause) }) {
			t.Errorf("%s: %s", s.name, title)
		}
	case s.ends && o.code == exitNothing: // before it was captured
	case !s.answers, o.code != exitDone && (j == nil || j.Alive()):
		t.Errorf("%s: exit %d, %+v, error %+v", s.name, o.code, r.Verdict, r.Error)
	}
	if j != nil && j.Alive() {
		harmless(t, j, r.Capture.FilesLeft...)
	}
	return o
}

func stoppedCaptures(listening bool) func(*testing.T, jvmtest.JDK, int, func(*jvmtest.JVM, client)) {
	return func(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
		j, c := idle(t, jdk)
		if listening {
			c.answers(t)
		}
		j.Signal(syscall.SIGSTOP)
		awaitState(t, c.pid, "T")
		for range tries {
			try(j, c)
		}
		j.Signal(syscall.SIGCONT)
		c.answers(t)
		harmless(t, j)
	}
}

func frozenCaptures(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
	j, c := idle(t, jdk)
	freeze := freezer(t, c.pid)
	freeze(true)
	for range tries {
		try(j, c)
	}
	freeze(false)
	c.answers(t)
	harmless(t, j)
}

// freezer puts a process into its own control group, and freezes and thaws it.
func freezer(t *testing.T, pid int) func(frozen bool) {
	t.Helper()
	for _, kind := range []struct{ parent, file, frozen, thawed string }{
		{"/sys/fs/cgroup/freezer", "freezer.state", "FROZEN", "THAWED"}, {"/sys/fs/cgroup", "cgroup.freeze", "1", "0"},
	} {
		group := filepath.Join(kind.parent, fmt.Sprintf("jstall-soak-%d", pid))
		if _, err := os.Stat(filepath.Join(kind.parent, "cgroup.procs")); err != nil || os.Mkdir(group, 0o755) != nil {
			continue
		}
		set := func(frozen bool) {
			_ = os.WriteFile(filepath.Join(group, kind.file), []byte(map[bool]string{true: kind.frozen,
				false: kind.thawed}[frozen]), 0)
		}
		t.Cleanup(func() {
			set(false)
			_ = os.WriteFile(filepath.Join(kind.parent, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0)
			_ = os.Remove(group)
		})
		if os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0) == nil {
			return set
		}
	}
	jvmtest.Lack(t, "no control group that can be frozen can be made here")
	return nil
}

func disabledCaptures(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
	file := filepath.Join(t.TempDir(), "options")
	if err := os.WriteFile(file, []byte(off+"\n-XX:-UsePerfData\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	option := "@" + file
	if jdk.Version == 8 {
		option = off
	}
	j, c := idle(t, jdk, option)
	for range tries {
		try(j, c)
	}
	harmless(t, j)
}

func reducedCaptures(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
	j, c := idle(t, jdk, "-Xrs", "-XX:+StartAttachListener")
	if err := os.Remove(fmt.Sprint("/tmp/.java_pid", j.PID())); err != nil {
		t.Fatal(err)
	}
	for range tries {
		try(j, c)
	}
	harmless(t, j)
}

func zombieCaptures(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
	j := jvmtest.Start(t, jvmtest.Wrapped(t, jdk, `$JAVA "$@" & exec sleep 600`),
		jvmtest.Options{Class: "Exit", Args: []string{"0", "7"}})
	c := client{pid: j.Child()}
	awaitState(t, c.pid, "Z")
	for range tries {
		try(nil, c)
	}
}

func heldCaptures(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
	j, c := idle(t, jdk)
	c.answers(t)
	held := hold(t, j)
	for range tries {
		try(j, c)
	}
	_ = held.Close()
	c.answers(t)
	harmless(t, j)
}

func safepointCaptures(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "NoPolls", JVMArgs: []string{
		"-XX:+IgnoreUnrecognizedVMOptions", "-XX:-UseCountedLoopSafepoints", "-XX:LoopStripMiningIter=0"}})
	for range tries {
		try(j, client{pid: j.PID()})
	}
}

func collectionCaptures(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
	j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "FullGC", Args: []string{"3"},
		JVMArgs: []string{"-Xmx1g", "-XX:+UseSerialGC"}})
	c := client{pid: j.PID()}
	for range tries {
		try(j, c)
	}
	c.answers(t)
	harmless(t, j)
}

func youngCaptures(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
	for i := range tries {
		j := jvmtest.Start(t, jdk, jvmtest.Options{Class: "Idle", NoReady: true})
		time.Sleep(time.Duration(i) * 50 * time.Millisecond / time.Duration(tries))
		try(j, client{pid: j.PID()})
		harmless(t, j)
		j.Signal(syscall.SIGKILL)
		j.Wait()
	}
}

func killedCaptures(t *testing.T, jdk jvmtest.JDK, tries int, try func(*jvmtest.JVM, client)) {
	for i := range tries {
		j, c := idle(t, jdk)
		after := time.Duration(i) * 40 * time.Millisecond / time.Duration(tries)
		time.AfterFunc(after, func() { j.Signal(syscall.SIGKILL) })
		try(j, c)
		j.Wait()
		for _, dir := range []string{j.Dir(), "/tmp"} {
			if path := filepath.Join(dir, fmt.Sprint(".attach_pid", j.PID())); exists(path) {
				t.Errorf("%s is left", path)
			}
		}
	}
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// ledger collects the cost of the captures of each state.
type ledger struct {
	mu       sync.Mutex
	names    []string
	captures map[string][]outcome
}

func newLedger() *ledger { return &ledger{captures: map[string][]outcome{}} }

func (l *ledger) add(name string, o outcome) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.captures[name] == nil {
		l.names = append(l.names, name)
	}
	l.captures[name] = append(l.captures[name], o)
}

func (l *ledger) String() string {
	var b strings.Builder
	total := 0
	rows := ""
	for _, name := range l.names {
		captures := l.captures[name]
		total += len(captures)
		slices.SortFunc(captures, func(a, b outcome) int { return int(a.took - b.took) })
		peak, answered := int64(0), 0
		for _, o := range captures {
			peak = max(peak, o.peak)
			if o.code == exitDone {
				answered++
			}
		}
		last := len(captures) - 1
		rows += fmt.Sprintf("| %s | %d | %d | %d | %d | %d | %d |\n", name, len(captures), answered,
			captures[last/2].took.Milliseconds(), captures[last*95/100].took.Milliseconds(),
			captures[last].took.Milliseconds(),
			peak>>20)
	}
	fmt.Fprintf(&b, "# Captures of JVMs that cannot answer\n\n"+
		"%s, %d cores, Linux %s. Written by `make soak SAVE=1`: %d captures,\n", time.Now().Format("2 January 2006"),
		runtime.NumCPU(), kernelRelease(), total)
	b.WriteString("none of which made a JVM print, killed one, or left a file that its report does not name.\n" +
		"Times are of whole processes, in ms.\n\n")
	b.WriteString("| state | captures | answered | median | 95 % | longest | peak memory, MB |\n" +
		"|---|---|---|---|---|---|---|\n" + rows)
	return b.String()
}

func kernelRelease() string {
	text, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	return strings.TrimSpace(string(text))
}
