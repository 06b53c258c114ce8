package file

import (
	"os"
	"path/filepath"
	"testing"
)

// TestFilesBesideACore: only regular files of the core's folder, and of the machine under names without links, are
// opened for the pages that a core file lacks.
func TestFilesBesideACore(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	outside := filepath.Join(dir, "outside.jsa")
	folder := filepath.Join(dir, "in")
	if err := os.WriteFile(outside, []byte("outside"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "near-by.jsa"), []byte("near by"), 0o600); err != nil {
		t.Fatal(err)
	}
	links := map[string]string{
		filepath.Join(folder, "link.jsa"): "../outside.jsa", filepath.Join(folder, "near.jsa"): "near-by.jsa",
		filepath.Join(dir, "linked"): "in", filepath.Join(folder, "none.jsa"): "gone.jsa",
	}
	for name, target := range links {
		if err := os.Symlink(target, name); err != nil {
			t.Fatal(err)
		}
	}
	for name, opens := range map[string]bool{
		"/x/near-by.jsa": true, outside: true,
		"/x/link.jsa": false, "/x/near.jsa": false, "/x/none.jsa": false, "/x/..jsa": false,
		filepath.Join(dir, "linked", "link.jsa"): false, "/proc/self/cwd/core_files_test.jsa": false,
		folder + "/../outside.jsa": false, "outside.jsa": false, "/etc/passwd": false,
	} {
		files := openedFiles{folder: folder}
		_, err := files.open(name)
		files.close()
		if (err == nil) != opens {
			t.Errorf("%s: %v, opened %v, want %v", name, err, err == nil, opens)
		}
	}
}

// TestFilesOfACoreAreFew: a core file that names many files does not take all our descriptors.
func TestFilesOfACoreAreFew(t *testing.T) {
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "libjvm.so"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := openedFiles{folder: folder}
	defer files.close()
	for range mostOpened {
		if _, err := files.open("/x/libjvm.so"); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := files.open("/x/libjvm.so"); err == nil {
		t.Error("one more is opened")
	}
}
