package kernel

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
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
	args, err := files.CommandLine()
	for err == nil && len(args) == 0 { // the kernel is still putting the arguments in place
		time.Sleep(time.Millisecond)
		args, err = files.CommandLine()
	}
	if err != nil || !slices.Equal(args, []string{"sleep", "60"}) {
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
	defer func() { _ = f.Close() }()
	for _, file := range r.openFiles(os.Getpid(), mostDescriptors) {
		if file.Fd == uint64(f.Fd()) && strings.HasSuffix(file.Path, "/open") {
			return
		}
	}
	t.Errorf("%s is not among %v", f.Name(), r.openFiles(os.Getpid(), mostDescriptors))
}

func TestOpenFilesAreBounded(t *testing.T) {
	r := tree(t, map[string]string{"7/fd/0": "", "7/fd/1": ""})
	for _, fd := range []string{"2", "3", "4"} {
		if err := os.Symlink("socket:["+fd+"]", r.Path(7, "fd", fd)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(r.openFiles(7, 5)); n != 3 {
		t.Errorf("got %d links of 5 descriptors, want 3", n)
	}
	if n := len(r.openFiles(7, 4)); n != 0 {
		t.Errorf("got %d links, want none: there are 5 descriptors and 4 are allowed", n)
	}
}
