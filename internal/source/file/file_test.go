package file

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"

	"github.com/jstall/jstall/internal/source"
	"github.com/jstall/jstall/internal/source/observe"
)

const fixture = "../../../testdata/dumps/jdk21/mondl-threaddump-l-e.txt"

func TestFilesGiveTheSameDumpsHoweverTheyArePacked(t *testing.T) {
	plain, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{"plain": plain, "gzip": gzipped(t, plain),
		"zstd": zstandard(t, plain)} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(Unpacked(t.Context(), []string{path}, nil))
		if err != nil || !bytes.Equal(got, plain) {
			t.Errorf("%s: %d bytes, %v; want the %d of the plain file", name, len(got), err, len(plain))
		}
		result, err := observe.Take(t.Context(), &Files{Names: []string{path}}, observe.Plan{})
		if err != nil || result.Dumps != 1 {
			t.Errorf("%s: %d dumps, %v; want 1", name, result.Dumps, err)
		}
	}
}

func TestStandardInputIsAFileLikeAnyOther(t *testing.T) {
	plain, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	result, err := observe.Take(t.Context(), &Files{Names: []string{source.Stdin}, Input: bytes.NewReader(gzipped(t,
		plain))},
		observe.Plan{})
	if err != nil || result.Dumps != 1 {
		t.Errorf("%d dumps, %v; want 1", result.Dumps, err)
	}
}

func TestUnusableFilesAreErrorsThatNameThem(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	plain, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{
		"directory":    dir,
		"missing":      filepath.Join(dir, "missing"),
		"empty":        write("empty", ""),
		"no dump":      write("prose", "hello\nworld\n"),
		"binary":       write("binary", "\x7fELF\x02\x01\x01\x00\x00"),
		"broken gzip":  write("broken.gz", "\x1f\x8b\x08nonsense"),
		"broken zstd":  write("broken.zst", "\x28\xb5\x2f\xfd\xff\xff\xff"),
		"endless zstd": write("window.zst", "\x28\xb5\x2f\xfd\x00\xf8"),
		"cut gzip":     write("cut.gz", string(gzipped(t, plain)[:60])),
	} {
		result, err := observe.Take(t.Context(), &Files{Names: []string{path}}, observe.Plan{})
		if err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v, want one that names %s", name, err, path)
		}
		if result == nil || result.Dumps != 0 {
			t.Errorf("%s: result %+v, want one without dumps", name, result)
		}
	}
}

func TestACutFileGivesWhatIsThereAndSaysSo(t *testing.T) {
	plain, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	packed := gzipped(t, plain)
	path := filepath.Join(t.TempDir(), "cut.gz")
	if err := os.WriteFile(path, packed[:len(packed)/2], 0o600); err != nil {
		t.Fatal(err)
	}
	result, err := observe.Take(t.Context(), &Files{Names: []string{path}}, observe.Plan{})
	if err != nil || result.Dumps != 1 || result.Partial == nil {
		t.Errorf("%d dumps, partial %v, %v; want one dump and why it is not all", result.Dumps, result.Partial, err)
	}
}

func TestABadFileDoesNotTakeTheOthersAway(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{{empty, fixture}, {fixture, empty}, {empty + "-missing", fixture}} {
		result, err := observe.Take(t.Context(), &Files{Names: names}, observe.Plan{})
		if err != nil || result.Dumps != 1 || result.Partial == nil ||
			!strings.Contains(result.Partial.Error(), empty) {
			t.Errorf("%q: %d dumps, partial %v, %v; want one dump and what is left out", names, result.Dumps,
				result.Partial, err)
		}
	}
}

func TestAnInterruptEndsTheOpeningOfAPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := observe.Take(ctx, &Files{Names: []string{path}}, observe.Plan{})
		done <- err
	}()
	awaitBlockedOpen(t)
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
	writer, err := os.OpenFile(path, os.O_WRONLY|unix.O_NONBLOCK, 0) // it lets the open end, and needs a reader
	if err != nil {
		t.Fatalf("the file was not being opened: %v", err)
	}
	_ = writer.Close()
}

// awaitBlockedOpen waits until a goroutine of ours is inside openFile's open.
func awaitBlockedOpen(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		for one := range strings.SplitSeq(string(stacks[:runtime.Stack(stacks, true)]), "\n\n") {
			if strings.Contains(one, "[syscall") && strings.Contains(one, "file.openFile.func") {
				return
			}
		}
	}
	t.Fatal("no goroutine ever opened the pipe")
}

func TestADumpWithoutAllItsThreadsIsPartial(t *testing.T) {
	plain, err := os.ReadFile(fixture)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := observe.Take(t.Context(), &Files{Names: []string{source.Stdin}, Input: bytes.NewReader(plain)},
		observe.Plan{})
	if err != nil || whole.Partial != nil {
		t.Errorf("the whole dump: %v, partial %v", err, whole.Partial)
	}
	part, err := observe.Take(t.Context(), &Files{Names: []string{source.Stdin},
		Input: bytes.NewReader(plain[:len(plain)/2])},
		observe.Plan{})
	if err != nil || part.Dumps != 1 || part.Partial == nil {
		t.Errorf("half of it: %d dumps, %v, partial %v; want one and why it is not whole", part.Dumps, err,
			part.Partial)
	}
}

func TestAnInterruptEndsABlockedRead(t *testing.T) {
	silent, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = silent.Close() }()
	defer func() { _ = writer.Close() }()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := observe.Take(ctx, &Files{Names: []string{source.Stdin}, Input: silent}, observe.Plan{})
		done <- err
	}()
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want context.Canceled", err)
	}
}

func gzipped(t *testing.T, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstandard(t *testing.T, b []byte) []byte {
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return w.EncodeAll(b, nil)
}
