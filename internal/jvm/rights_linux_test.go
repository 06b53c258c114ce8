package jvm

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/kernel"
)

const nobody = 65534

// TestMain lets the test binary find JVMs in place of the tests, for readings
// with fewer rights than we have: JVM_TEST_LOOK is a pid, or "all".
func TestMain(m *testing.M) {
	what := os.Getenv("JVM_TEST_LOOK")
	if what == "" {
		os.Exit(m.Run())
	}
	var answer any
	r := kernel.New("/proc")
	found, err := Find(context.Background(), r, FindOptions{})
	if answer = found; what != "all" {
		pid, _ := strconv.Atoi(what)
		_, told := Inspect(context.Background(), r, pid)
		answer = fmt.Sprint(told)
	}
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answer)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// underRights runs the test binary as root without some capabilities and
// decodes what it says.
func underRights(t *testing.T, what string, answer any, without ...uintptr) {
	t.Helper()
	var out []byte
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // for good: what is dropped here stays dropped
		for _, c := range without {
			if err = unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil {
				return
			}
		}
		cmd := exec.Command("/proc/self/exe")
		cmd.Env = append(os.Environ(), "JVM_TEST_LOOK="+what)
		cmd.Stderr = os.Stderr
		out, err = cmd.Output()
	}()
	<-done
	if err == nil {
		err = json.Unmarshal(out, answer)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Root in a container of the usual kind has no CAP_SYS_PTRACE; newer kernels
// show the memory map, and that alone, to CAP_PERFMON.
func TestOtherUser(t *testing.T) {
	needRoot(t)
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle", User: nobody})
	for name, without := range map[string][]uintptr{
		"all rights":    nil,
		"maps alone":    {unix.CAP_SYS_PTRACE},
		"a container's": {unix.CAP_SYS_PTRACE, unix.CAP_PERFMON, unix.CAP_SYS_ADMIN},
		"less than usual": {unix.CAP_SYS_PTRACE, unix.CAP_PERFMON, unix.CAP_SYS_ADMIN, unix.CAP_DAC_OVERRIDE,
			unix.CAP_DAC_READ_SEARCH},
	} {
		var found Found
		underRights(t, "all", &found, without...)
		p := pick(t, found, jvm.PID())
		if p.UID != nobody || p.User != "nobody" || p.MainClass != "Idle" || !p.Uptime.Known || p.JavaVersion == "" {
			t.Errorf("%s: %+v", name, p)
		}
	}
}

func TestHidden(t *testing.T) {
	needRoot(t)
	jvm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle", User: nobody})
	less := []uintptr{unix.CAP_SYS_PTRACE, unix.CAP_SETUID}
	var found Found
	underRights(t, "all", &found, less...)
	if slices.ContainsFunc(found.Processes, func(p Process) bool { return p.PID == jvm.PID() }) {
		t.Error("seen without the right to")
	}
	if found.Hidden < 1 || !strings.HasPrefix(found.Missing, "CAP_SYS_PTRACE") {
		t.Errorf("%d hidden for want of %q", found.Hidden, found.Missing)
	}
	var told string
	underRights(t, strconv.Itoa(jvm.PID()), &told, less...)
	want := fmt.Sprintf("process %d (java) of user nobody may not be read by user root: that takes "+
		"CAP_SYS_PTRACE, or to be user nobody", jvm.PID())
	if told != want {
		t.Errorf("got %q, want %q", told, want)
	}
}
