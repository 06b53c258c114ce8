package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestCommit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	f, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("whole")
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("something is at the path before Commit: %v", err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	wantOnly(t, path, "whole")
	if info, _ := os.Stat(path); info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want owner only", info.Mode())
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "out"), false)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("half")
	f.Abort()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// A file that appears between Create and Commit is the user's too.
func TestNeverReplacesUnasked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	f, err := Create(path, false)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("ours")
	_ = os.WriteFile(path, []byte("theirs"), 0o600)
	if err := f.Commit(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Commit over a file: %v, want %v", err, fs.ErrExist)
	}
	wantOnly(t, path, "theirs")
	if _, err := Create(path, false); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over a file: %v, want %v", err, fs.ErrExist)
	}
}

func TestForceReplaces(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out")
	_ = os.WriteFile(path, []byte("old"), 0o600)
	f, err := Create(path, true)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = f.WriteString("new")
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	wantOnly(t, path, "new")
}

// The fallback for file systems without links does not replace a file either.
func TestRenameReplacesNothing(t *testing.T) {
	for name, rename := range map[string]func(from, to string) error{"renameFresh": renameFresh,
		"checkedRename": checkedRename} {
		from, to := filepath.Join(t.TempDir(), "from"), filepath.Join(t.TempDir(), "to")
		_ = os.WriteFile(from, []byte("ours"), 0o600)
		_ = os.WriteFile(to, []byte("theirs"), 0o600)
		if err := rename(from, to); !errors.Is(err, fs.ErrExist) {
			t.Errorf("%s over a file: %v, want %v", name, err, fs.ErrExist)
		}
		wantOnly(t, to, "theirs")
		_ = os.Remove(to)
		if err := rename(from, to); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		wantOnly(t, to, "ours")
	}
}

func TestScratchHasNoName(t *testing.T) {
	dir := t.TempDir()
	f, err := Scratch(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("in the folder: %v", left)
	}
	_, _ = f.WriteString("ours")
	back := make([]byte, 4)
	if _, err := f.ReadAt(back, 0); err != nil || string(back) != "ours" {
		t.Errorf("read back %q, %v", back, err)
	}
}

// wantOnly checks the file's content, and that its folder has no other file.
func wantOnly(t *testing.T, path, content string) {
	t.Helper()
	if got, _ := os.ReadFile(path); string(got) != content {
		t.Errorf("the file holds %q, want %q", got, content)
	}
	if all, _ := os.ReadDir(filepath.Dir(path)); len(all) != 1 {
		t.Errorf("more than the file: %v", all)
	}
}

// Devices and pipes stay what they are, also where a link names them.
func TestSpecialFilesStay(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(os.DevNull, link); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{os.DevNull, link} {
		f, err := Create(path, true)
		if err == nil {
			f.Abort()
			t.Errorf("a file would take the place of %s", path)
		}
	}
}
