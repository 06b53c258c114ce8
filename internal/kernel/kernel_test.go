package kernel

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// tree makes a directory of the shape of /proc from paths and texts.
func tree(t *testing.T, files map[string]string) *Reader {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return New(root)
}

// live is the real /proc.
func live(t *testing.T) *Reader {
	t.Helper()
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		lack(t, "no /proc here")
	}
	return New("/proc")
}

func lack(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("REQUIRE_ALL") == "1" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

func TestPIDsAreTheNumericNamesInOrder(t *testing.T) {
	r := tree(t, map[string]string{"10/stat": "", "9/stat": "", "uptime": "1 1", "0/x": "", "-3/x": "", "7x/x": ""})
	got, err := r.PIDs()
	if want := []int{9, 10}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
}

func TestReadFileOfAnySize(t *testing.T) {
	for _, size := range []int{0, 1, 511, 512, 2048, 4096, 1 << 20} {
		text := string(make([]byte, size))
		got, err := tree(t, map[string]string{"5/maps": text}).ReadFile(5, "maps")
		if err != nil || string(got) != text {
			t.Errorf("%d bytes: got %d, %v", size, len(got), err)
		}
	}
}

func TestEndedProcessDoesNotExist(t *testing.T) {
	r := live(t)
	cmd := exec.Command("sleep", "0")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	pid := cmd.Process.Pid
	if _, err := r.ReadFile(pid, "stat"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("ReadFile: %v", err)
	}
	if _, err := r.Tasks(pid, TaskOptions{CPU: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Tasks: %v", err)
	}
}

// A file that was opened while its process lived gives ESRCH once that is gone.
func TestProcessThatEndsBetweenOpenAndRead(t *testing.T) {
	live(t)
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(New("/proc").Path(cmd.Process.Pid, "stat"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if _, err := readAll(int(f.Fd()), nil); !errors.Is(gone(err), fs.ErrNotExist) {
		t.Errorf("got %v", err)
	}
}

func TestReadSomeRefusesMore(t *testing.T) {
	for limit, ok := range map[int64]bool{4: false, 5: true} {
		if _, err := ReadSome(strings.NewReader("12345"), limit); (err == nil) != ok {
			t.Errorf("limit %d: %v", limit, err)
		}
	}
}

func TestThreadCount(t *testing.T) {
	saved := tree(t, map[string]string{"3/stat": "3 (w) " + statTail})
	if n, err := saved.ThreadCount(3); n != 33 || err != nil {
		t.Errorf("of a saved stat: %d, %v", n, err)
	}
	if _, err := saved.ThreadCount(4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of no process: %v", err)
	}
	sleeper := exec.Command("sleep", "60")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() }()
	if n, err := live(t).ThreadCount(sleeper.Process.Pid); n != 1 || err != nil {
		t.Errorf("of a process with one thread: %d, %v", n, err)
	}
}
