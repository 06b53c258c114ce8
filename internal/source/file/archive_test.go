package file

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/ulikunitz/xz"

	"github.com/jstall/jstall/internal/source/observe"
)

// demoDumps are three dumps of one JVM.
func demoDumps(t *testing.T) [][]byte {
	t.Helper()
	var dumps [][]byte
	for _, name := range []string{"1.txt", "2.txt", "3.txt"} {
		b, err := os.ReadFile(filepath.Join("../../../testdata/demo", name))
		if err != nil {
			t.Fatal(err)
		}
		dumps = append(dumps, b)
	}
	return dumps
}

func zipOf(t *testing.T, files ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i, content := range files {
		w, err := z.CreateHeader(
			&zip.FileHeader{
				Name: fmt.Sprintf("case/td-%d.txt", i), Method: zip.Deflate, Modified: time.Unix(int64(1e9+i*10), 0),
			},
		)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(content)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t *testing.T, files ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := tar.NewWriter(&b)
	for i, content := range files {
		if err := z.WriteHeader(&tar.Header{Name: fmt.Sprintf("case/td-%d.txt", i), Mode: 0o600,
			Size: int64(len(content))}); err != nil {
			t.Fatal(err)
		}
		_, _ = z.Write(content)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func gzipOf(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write(content)
	_ = z.Close()
	return b.Bytes()
}

func xzOf(t *testing.T, content []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z, err := xz.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = z.Write(content)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func savedAs(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func takenOf(t *testing.T, files ...string) (*observe.Result, error) {
	t.Helper()
	return observe.Take(context.Background(), &Files{Names: files}, observe.Plan{})
}

// The files in an archive are a series, however it is packed; others in it are passed over.
func TestFilesInArchivesAreASeries(t *testing.T) {
	d := demoDumps(t)
	log, nothing := []byte("10:00 INFO started\n"), []byte{}
	for name, content := range map[string][]byte{
		"a.zip": zipOf(t, d...), "mixed.zip": zipOf(t, log, d[0], nothing, d[1], gzipOf(t, d[2]),
			[]byte("\x7fELF and so on")),
		"a.tar": tarOf(t, d...), "a.tgz": gzipOf(t, tarOf(t, d...)),
		"a.tar.xz": xzOf(t, tarOf(t, log, d[0], d[1], xzOf(t, d[2]))),
	} {
		r, err := takenOf(t, savedAs(t, name, content))
		if err != nil || r.Dumps != 3 || r.Partial != nil {
			t.Errorf("%s: %d dumps, %v, %v", name, r.Dumps, err, r.Partial)
		}
	}
	for name, dumps := range map[string]int{"dump.txt.bz2": 1, "dumps.tar.bz2": 3} {
		if r, err := takenOf(t, filepath.Join("../../../testdata/packed", name)); err != nil || r.Dumps != dumps ||
			r.Partial != nil {
			t.Errorf("%s: %d dumps, %v, %v", name, r.Dumps, err, r.Partial)
		}
	}
	if r, err := takenOf(t, savedAs(t, "x.txt.xz", xzOf(t, d[0]))); err != nil || r.Dumps != 1 {
		t.Errorf("xz: %d dumps, %v", r.Dumps, err)
	}
}

func TestArchivesWithoutDumps(t *testing.T) {
	for name, content := range map[string][]byte{
		"empty.zip": zipOf(t), "log.zip": zipOf(t, []byte("10:00 INFO started\n")),
		"log.tar": tarOf(t, []byte("10:00 INFO started\n")),
	} {
		r, _ := takenOf(t, savedAs(t, name, content))
		if r.Dumps != 0 {
			t.Errorf("%s: %d dumps", name, r.Dumps)
		}
	}
}

// Cut anywhere, an archive gives what is there, and says that it is damaged or gives less.
func TestCutArchives(t *testing.T) {
	d := demoDumps(t)
	for name, content := range map[string][]byte{"a.tar": tarOf(t, d...), "a.tgz": gzipOf(t, tarOf(t, d...)),
		"a.xz": xzOf(t, tarOf(t, d...)), "a.zip": zipOf(t, d...)} {
		for _, share := range []int{1, 5, 9} {
			r, err := takenOf(t, savedAs(t, name, content[:len(content)*share/10]))
			if r.Dumps == 3 && r.Partial == nil && err == nil {
				t.Errorf("%s cut at %d0 %%: nothing is said", name, share)
			}
		}
	}
}

// An archive of very many files is not read to its end.
func TestPackedInputThatWasMadeToHarm(t *testing.T) {
	many := tarOf(t, make([][]byte, maxFiles+1)...)
	r, err := takenOf(t, savedAs(t, "many.tar", many))
	if err == nil && r.Partial == nil || !strings.Contains(fmt.Sprint(err, r.Partial), "more than 10000 files") {
		t.Errorf("%v, %v", err, r.Partial)
	}
}
