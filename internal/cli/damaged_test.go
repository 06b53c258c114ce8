package cli

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/jstall/jstall/analysis"
	"github.com/jstall/jstall/internal/shell"
)

// healthy are dumps of each JDK and form in which nothing is wrong.
func healthy(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"idle-threaddump*.txt", "gc-*-threaddump*.txt"} {
		found, err := filepath.Glob(filepath.Join(dumps, "jdk*", pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 10 {
		t.Fatalf("only %d dumps", len(names))
	}
	return names
}

func saveBytes(t *testing.T, name string, content []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestACutDumpIsToldOnceAndEndsWith5(t *testing.T) {
	for _, name := range healthy(t) {
		whole, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		inStack := bytes.LastIndex(whole, []byte("\tat ")) + 12
		beforeEnd := bytes.LastIndex(whole, []byte("\nJNI global")) + 1
		for _, n := range []int{inStack, beforeEnd} {
			path := saveBytes(t, "cut.txt", whole[:n])
			got := run(t, "", "status", path)
			if got.code != shell.ExitPartial || !strings.Contains(got.stdout, "in the readable part of the dump") {
				t.Errorf("%s cut at %d: exit %d\n%s", name, n, got.code, got.stdout)
			}
			if told := strings.Count(got.stdout, " is cut: ") + strings.Count(got.stdout, "missing here") +
				strings.Count(got.stdout, "lacks"); told != 1 {
				t.Errorf("%s cut at %d: told %d times\n%s", name, n, told, got.stdout)
			}
		}
	}
}

// A flipped bit either harms nothing, or ends with an error, or with a partial
// report that names what is damaged.
func TestAFlippedBitInAPackedDumpIsTold(t *testing.T) {
	plain, err := os.ReadFile(filepath.Join(dumps, "jdk21/idle-threaddump-l-e.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var gz bytes.Buffer
	w := gzip.NewWriter(&gz)
	_, _ = w.Write(plain)
	_ = w.Close()
	zw, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	for format, packed := range map[string][]byte{"gzip": gz.Bytes(), "zstd": zw.EncodeAll(plain, nil)} {
		told := 0
		for at := 0; at < len(packed); at += 1 + len(packed)/60 {
			broken := slices.Clone(packed)
			broken[at] ^= 1 << (at % 8)
			path := saveBytes(t, "broken", broken)
			got := run(t, "", "status", path)
			switch got.code {
			case shell.ExitDone:
				if content := run(t, "", "dump", path); content.stdout != string(plain) {
					t.Errorf("%s, byte %d: the content is another and nothing is told", format, at)
				}
				continue
			case shell.ExitPartial, shell.ExitNothing:
			default:
				t.Errorf("%s, byte %d: exit %d", format, at, got.code)
			}
			if all := got.stdout + got.stderr; !strings.Contains(all, path+": ") {
				t.Errorf("%s, byte %d: %s", format, at, all)
			} else if strings.Contains(all, "data is damaged") && strings.Contains(all, format+" -t FILE") {
				told++
			}
		}
		if told < 20 {
			t.Errorf("%s: only %d times told as damaged", format, told)
		}
	}
}

func TestTheErrorOfADamagedDumpIsInTheJSON(t *testing.T) {
	whole, err := os.ReadFile(filepath.Join(dumps, "jdk8/idle-threaddump-l.txt"))
	if err != nil {
		t.Fatal(err)
	}
	r, got := reportOf(t, saveBytes(t, "cut.txt", whole[:len(whole)/2]))
	if got.code != shell.ExitPartial || r.Error == nil || !strings.Contains(r.Error.Message, "is cut") ||
		r.Verdict.State != analysis.Unknown {
		t.Errorf("exit %d, error %+v, verdict %+v", got.code, r.Error, r.Verdict)
	}
}

// A single thread copied out of a dump shows nothing about the other threads.
func TestAFragmentIsUnknownAndEndsWith5(t *testing.T) {
	const thread = `"http-1" #12 prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x00007f0000001000 nid=0x1f waiting on condition  [0x00007f0000002000]
   java.lang.Thread.State: TIMED_WAITING (sleeping)
	at java.lang.Thread.sleep(java.base@17.0.1/Native Method)
	at shop.Order.pay(Order.java:7)
`
	got := run(t, "", "status", saveBytes(t, "fragment.txt", []byte(thread)))
	if got.code != shell.ExitPartial || !strings.HasPrefix(got.stdout, "UNKNOWN: a fragment of 1 thread") {
		t.Errorf("exit %d\n%s", got.code, got.stdout)
	}
}
