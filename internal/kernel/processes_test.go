package kernel

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestCommandLineAndEnvironment(t *testing.T) {
	r := tree(t, map[string]string{
		"7/cmdline": "java\x00-cp\x00\x00a b\x00Main\x00",
		"7/environ": "A=1\x00JAVA_TOOL_OPTIONS=-Xmx1g -Dx=y\x00",
	})
	args, err := r.commandLine(7)
	if want := []string{"java", "-cp", "", "a b", "Main"}; err != nil || !slices.Equal(args, want) {
		t.Errorf("got %q, %v, want %q", args, err, want)
	}
	variables, err := r.environment(7)
	if err != nil || !slices.Contains(variables, "JAVA_TOOL_OPTIONS=-Xmx1g -Dx=y") {
		t.Errorf("got %q, %v", variables, err)
	}
}

func TestCommandLineOfAnotherProcess(t *testing.T) {
	r := live(t)
	sleeper := exec.Command("sleep", "60")
	sleeper.Env = []string{"MARK=here"}
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() }()
	files := r.Opener(sleeper.Process.Pid)
	defer files.Close()
	if args, err := files.CommandLine(); err != nil || !slices.Equal(args, []string{"sleep", "60"}) {
		t.Errorf("got %q, %v", args, err)
	}
	if env, err := files.Environment(); err != nil || !slices.Contains(env, "MARK=here") {
		t.Errorf("got %q, %v", env, err)
	}
}

// HOST_PROC, by which gopsutil lets users choose another tree, must not redirect a Reader.
func TestRootIsNotTakenFromTheEnvironment(t *testing.T) {
	r := live(t)
	t.Setenv("HOST_PROC", t.TempDir())
	pids, err := r.PIDs()
	if err != nil || !slices.Contains(pids, os.Getpid()) {
		t.Errorf("we are %d and not among %v, %v", os.Getpid(), pids, err)
	}
}

func TestOpenFilesOfOurselves(t *testing.T) {
	r := live(t)
	f, err := os.Create(filepath.Join(t.TempDir(), "open"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, file := range r.openFiles(os.Getpid()) {
		if file.Fd == uint64(f.Fd()) && strings.HasSuffix(file.Path, "/open") {
			return
		}
	}
	t.Errorf("%s is not among %v", f.Name(), r.openFiles(os.Getpid()))
}

func TestOpenFilesAreBounded(t *testing.T) {
	r := tree(t, map[string]string{"7/stat": ""})
	if err := os.Mkdir(r.Path(7, "fd"), 0o755); err != nil {
		t.Fatal(err)
	}
	link := func(fd int) {
		if err := os.Symlink(fmt.Sprintf("socket:[%d]", fd), r.Path(7, "fd", strconv.Itoa(fd))); err != nil {
			t.Fatal(err)
		}
	}
	for fd := range mostDescriptors {
		link(fd)
	}
	if n := len(r.socketInodes(7)); n != mostDescriptors {
		t.Errorf("read %d of %d descriptors", n, mostDescriptors)
	}
	link(mostDescriptors)
	if n := len(r.socketInodes(7)); n != 0 {
		t.Errorf("read %d of %d descriptors, want none", n, mostDescriptors+1)
	}
}
