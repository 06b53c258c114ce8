package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jstall/jstall/internal/shell"
)

// The error on a file that cannot be read says what the file is and what to do about it.
func TestFilesOfOtherKindsAreNamed(t *testing.T) {
	demo := "../../testdata/demo/1.txt"
	dump, err := os.ReadFile(demo)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	lz4 := saveBytes(t, "dump.txt.lz4", []byte("\x04\x22\x4d\x18\x00\x00"))
	blank, dumpInBlank := saveBytes(t, "a dump.lz4", []byte("\x04\x22\x4d\x18\x00\x00")),
		saveBytes(t, "a dump.txt", dump)
	noise := saveBytes(t, "noise", []byte("a\x00\x01b\xfe\xff"))
	for _, test := range []struct {
		args  []string
		stdin string
		says  string
		hint  string
	}{
		{[]string{lz4}, "", lz4 + ": it is compressed with lz4", "unpack it first: lz4 -d " + lz4},
		{[]string{"dump", lz4}, "", "it is compressed with lz4", "unpack it first: lz4 -d " + lz4},
		{[]string{"flame", lz4, "--top", "3", "--thread", "a b"}, "", "it is compressed with lz4",
			"unpack it first: lz4 -d " + lz4},
		{[]string{"flame", demo, "--diff=" + lz4}, "", "it is compressed with lz4",
			"unpack it first: lz4 -d " + lz4},
		{[]string{"dump", blank}, "", "it is compressed with lz4", "lz4 -d '" + blank + "'\n"},
		{[]string{"vm-flags", dumpInBlank}, "", "it is a thread dump", "jstall status '" + dumpInBlank + "'\n"},
		{[]string{"compare", demo, lz4}, "", "it is compressed with lz4", "unpack it first: lz4 -d " + lz4},
		{[]string{"redact", lz4, "out"}, "", "it is compressed with lz4",
			"unpack it first: lz4 -d " + lz4},
		{[]string{"redact", "-", "-"}, "7z\xbc\xaf\x27\x1c", "it is a 7z archive", "unpack it first"},
		{[]string{"deadlock", lz4, lz4, lz4, lz4, lz4, lz4, lz4, lz4, lz4}, "", "it is compressed with lz4",
			"unpack it first: lz4 -d " + lz4},
		{[]string{"-"}, "\x04\x22\x4d\x18\x00", "standard input: it is compressed with lz4", "lz4 -dc | jstall -"},
		{[]string{"-"}, "PK\x03\x04", "it is a zip archive", "jstall -f -"},
		{[]string{program}, "", "it is a program", ""},
		{[]string{"gc-heap-info", program}, "", program + ": it is a program", ""},
		{[]string{"vm-flags", demo}, "", demo + ": it is a thread dump", "jstall status " + demo},
		{[]string{"vm-flags", noise}, "", noise + ": it is binary", "as text"},
		{[]string{"jvm-support", t.TempDir()}, "", "the folder has no file named release", "home folder"},
	} {
		got := run(t, test.stdin, test.args...)
		if got.code != shell.ExitNothing || got.stdout != "" || !strings.Contains(got.stderr, test.says) ||
			!strings.Contains(got.stderr, test.hint) {
			t.Errorf("jstall %q: exit %d, %.300q, %q", test.args, got.code, got.stdout, got.stderr)
		}
	}
}

func TestEachJDKIsJudged(t *testing.T) {
	release := "../../testdata/views/temurin-25.release"
	other := saveBytes(t, "release", []byte("JAVA_VERSION=\"17.0.2\"\n"))
	got := run(t, "", "jvm-support", release, other, filepath.Join(t.TempDir(), "none"), "--as-of", "2026-11-21")
	if strings.Count(got.stdout, "\nSupport ") != 2 || !strings.Contains(got.stdout, "Java 17") {
		t.Errorf("%s%s", got.stdout, got.stderr)
	}
}

func TestWhatCannotBeRecordedIsToldAsElsewhere(t *testing.T) {
	for _, test := range []struct {
		args []string
		says string
		code int
	}{
		{[]string{"record", "no-such-jvm"}, `no running JVM matches "no-such-jvm"`, shell.ExitNothing},
		{[]string{"record", "99999999"}, "no such process", shell.ExitNothing},
		{[]string{"status", "99999999", "--keep", "x.zip"}, "no such process", shell.ExitNothing},
		{[]string{"record", "extrat", "x.zip"}, `did you mean "extract"`, shell.ExitUsage},
		{[]string{"record", "../../testdata/demo/1.txt"}, "needs a running JVM", shell.ExitUsage},
	} {
		if got := run(t, "", test.args...); got.code != test.code || !strings.Contains(got.stderr, test.says) {
			t.Errorf("%v: exit %d, %s", test.args, got.code, got.stderr)
		}
	}
}

func TestTextOfOtherEncodingsIsNotBinary(t *testing.T) {
	if got := run(t, strings.Repeat("\xe9t\xe9 ", 50), "vm-flags", "-"); strings.Contains(got.stderr, "binary") ||
		got.code != shell.ExitPartial {
		t.Errorf("exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
}
