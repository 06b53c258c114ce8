//go:build linux

package trials_test

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmtest"
)

// withoutPerf names the environment variable that makes this test a program which runs its arguments under a filter
// of system calls like that of container runtimes: perf_event_open is refused. ptrace, which jstall never uses, kills
// it.
const withoutPerf = "RUN_WITHOUT_PERF"

func TestMain(m *testing.M) {
	if os.Getenv(withoutPerf) != "" {
		fmt.Fprintln(os.Stderr, runWithoutPerf(os.Args[1:]))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// runWithoutPerf does not return if it works.
func runWithoutPerf(words []string) error {
	runtime.LockOSThread()
	const errno = 0x00050000 // SECCOMP_RET_ERRNO
	const allow = 0x7fff0000 // SECCOMP_RET_ALLOW
	const kill = 0x80000000  // SECCOMP_RET_KILL_PROCESS
	filter := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_W | unix.BPF_ABS},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_PTRACE, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: kill},
		{Code: unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K, K: unix.SYS_PERF_EVENT_OPEN, Jf: 1},
		{Code: unix.BPF_RET | unix.BPF_K, K: errno | uint32(syscall.EPERM)},
		{Code: unix.BPF_RET | unix.BPF_K, K: allow},
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	const ofAFilter = 2 // SECCOMP_MODE_FILTER
	if err := unix.Prctl(unix.PR_SET_SECCOMP, ofAFilter, uintptr(unsafe.Pointer(&program)), 0, 0); err != nil {
		return err
	}
	return syscall.Exec(words[0], words, []string{"HOME=/root"})
}

// TestFlameWithoutPerf: if perf events are refused, the flight recorder of JDK 25 takes their place, otherwise thread
// dumps do. The output says so, and what gives a better profile. If perf is asked for, that is an error.
func TestFlameWithoutPerf(t *testing.T) {
	for version, engine := range map[string]string{"17": "Engine: thread dumps, as perf events are not allowed",
		"25": "Engine: the JVM's flight recorder, as perf events are not allowed"} {
		j := jvmtest.Start(t, jvmtest.Find(t, version), jvmtest.Options{Class: "Work", Args: []string{"cpu"}})
		flame := []string{jvmtest.Binary(t), "flame", strconv.Itoa(j.PID()), "-d", "2s"}
		got := underFilter(t, flame...)
		if got.code != 0 || !strings.Contains(got.stdout, engine) || !strings.Contains(got.stdout, "CAP_PERFMON") ||
			!strings.Contains(got.stdout, "Work.compute") {
			t.Errorf("%s: exit %d\n%s%s", version, got.code, got.stdout, got.stderr)
		}
		got = underFilter(t, append(flame, "--engine", "perf")...)
		if got.code != exitNoDump || !strings.Contains(got.stderr, "perf events are not allowed") {
			t.Errorf("%s: exit %d\n%s%s", version, got.code, got.stdout, got.stderr)
		}
		row := regexp.MustCompile(`perf events +(not ok|ok) `)
		doctor := []string{jvmtest.Binary(t), "doctor", strconv.Itoa(j.PID())}
		without, with := underFilter(t, doctor...), execute(t, doctor)
		if m := row.FindStringSubmatch(without.stdout); without.code != 0 || m == nil || m[1] != "not ok" ||
			!strings.Contains(without.stdout, "CAP_PERFMON") {
			t.Errorf("%s: exit %d\n%s%s", version, without.code, without.stdout, without.stderr)
		}
		if m := row.FindStringSubmatch(with.stdout); m == nil || m[1] != "ok" {
			t.Errorf("%s: exit %d\n%s%s", version, with.code, with.stdout, with.stderr)
		}
	}
}

// TestMemoryWithoutPerf: then the stack of a running thread is unknown. No thread is stopped to read it.
func TestMemoryWithoutPerf(t *testing.T) {
	j := jvmtest.Start(t, jvmtest.Find(t, "17"), jvmtest.Options{Class: "Work", Args: []string{"cpu"}})
	for range 10 { // in some dumps the thread waits
		got := underFilter(t, jvmtest.Binary(t), "dump", "--via", "memory", strconv.Itoa(j.PID()))
		if got.code != 0 {
			t.Fatalf("exit %d\n%s", got.code, got.stderr)
		}
		if strings.Contains(got.stdout, "perf events are not allowed") {
			return
		}
	}
	t.Error("the stacks of running threads are known without perf")
}

func underFilter(t *testing.T, words ...string) outcome {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	env, err := exec.LookPath("env")
	if err != nil {
		t.Fatal(err)
	}
	return execute(t, append([]string{env, withoutPerf + "=1", self}, words...))
}
