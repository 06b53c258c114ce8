package cli

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/jstall/jstall/internal/jvmtest"
	"github.com/jstall/jstall/internal/shell"
)

// A dash is standard input and output, whatever lies in the folder.
func TestADashIsAStreamAndNoFile(t *testing.T) {
	dump, err := os.ReadFile(filepath.Join(dumps, "jdk21/mondl-threaddump-l.txt"))
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "LockDeadlock", "pair")
	t.Chdir(t.TempDir())

	recorded := run(t, "", "record", pid, "-o", "-", "--count", "1")
	if recorded.code != shell.ExitDone || !strings.HasPrefix(recorded.stdout, "PK") ||
		!strings.Contains(recorded.stderr, "standard output, ") {
		t.Fatalf("record -o -: exit %d, %d bytes, %q", recorded.code, len(recorded.stdout), recorded.stderr)
	}
	page := run(t, string(dump), "report", "-", "-o", "-")
	if page.code != shell.ExitDeadlock || !strings.HasPrefix(page.stdout, "<!") ||
		!strings.Contains(page.stderr, "standard output: ") {
		t.Errorf("report -o -: exit %d, %.80q, %q", page.code, page.stdout, page.stderr)
	}
	if left, _ := os.ReadDir("."); len(left) != 0 {
		t.Errorf("files are left: %v", left)
	}

	saveAs(t, "-", recorded.stdout)
	if got := run(t, string(dump), "deadlock", "-"); got.code != shell.ExitDeadlock ||
		!strings.Contains(got.stdout, "dl-A") {
		t.Errorf("the file called - was read: exit %d\n%s%s", got.code, got.stdout, got.stderr)
	}
	saveAs(t, "-", "no archive")
	for _, args := range [][]string{{"deadlock", "-f", "-"}, {"record", "summary", "-"},
		{"record", "extract", "-", "there"}} {
		if got := run(t, recorded.stdout, args...); got.code != shell.ExitDone && got.code != shell.ExitDeadlock {
			t.Errorf("%v: exit %d, %s", args, got.code, got.stderr)
		}
	}
}

func TestStandardOutputIsRefusedWhereItCannotServe(t *testing.T) {
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	other, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	type wrongUse struct {
		args []string
		says string
	}
	dump := filepath.Join(dumps, "jdk8/idle-threaddump-l.txt")
	tests := []wrongUse{
		{[]string{"record", pid, "-o", "-"}, "standard output is a terminal"},
		{[]string{"report", pid, other, "-o", "-"}, "standard output takes one page"},
		{[]string{"compare", pid, other, "--keep", "-"}, "--keep needs a file"},
		{[]string{"compare", dump, pid, "--keep", "-"}, "--keep needs a file"},
	}
	for _, c := range newApp(&shell.Env{}).Commands {
		if slices.ContainsFunc(c.Flags, func(f cli.Flag) bool {
			_, isFile := f.(*cli.StringFlag)
			return f.Names()[0] == "keep" && isFile
		}) && c.Name != "compare" {
			tests = append(tests, wrongUse{[]string{c.Name, pid, "--keep", "-"}, "--keep needs a file"})
		}
	}
	for _, test := range tests {
		var out, errs bytes.Buffer
		code := Run(t.Context(), &shell.Env{
			Args: test.args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, OutWidth: 80,
			Getenv: func(string) string { return "" }, ProcRoot: "/proc",
		})
		if code != shell.ExitUsage || out.Len() > 0 || !strings.Contains(errs.String(), test.says) ||
			!strings.Contains(errs.String(), "hint: jstall ") {
			t.Errorf("%v: exit %d, %q, %q", test.args, code, out.String(), errs.String())
		}
	}
}

// saveAs writes a file of this very name into the working folder.
func saveAs(t *testing.T, name, content string) {
	t.Helper()
	file, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	if _, err := io.WriteString(file, content); err != nil {
		t.Fatal(err)
	}
}

// In what is said the dash has one name.
func TestStandardInputIsCalledSo(t *testing.T) {
	dump, err := os.ReadFile(filepath.Join(dumps, "jdk21/mondl-threaddump-l.txt"))
	if err != nil {
		t.Fatal(err)
	}
	pid, _ := launch(t, jvmtest.Find(t, jvmtest.System), "Idle")
	recorded := run(t, "", "record", pid, "-o", "-", "--count", "1").stdout
	file := saveBytes(t, "dump.txt", dump)
	for _, test := range []struct {
		args  string
		stdin string
		says  string
	}{
		{"status -", string(dump), "\nstandard input, OpenJDK"},
		{"status - " + file, string(dump), "\nstandard input " + file + ", OpenJDK"},
		{"status - --json", string(dump), `"file":"standard input"`},
		{"status - --format markdown", string(dump), "- standard input, OpenJDK"},
		{"compare - " + file, string(dump), "Good      standard input: "},
		{"flame -", string(dump), "standard input\n"},
		{"flame -", "a;b 1\n", "standard input\n"},
		{"vm-flags -", "hello\n", "standard input\n"},
		{"status -", "\x1f\x8b", "standard input: the gzip data is damaged"},
		{"record summary -", recorded, "standard input: recorded "},
		{"deadlock -f - nosuch", recorded, "standard input: no JVM in the recording"},
		{"compare -f - all all", recorded, "Idle in standard input: "},
		{"flame -f -", recorded, "standard input, pid " + pid},
	} {
		got := run(t, test.stdin, strings.Fields(test.args)...)
		if !strings.Contains(got.stdout+got.stderr, test.says) {
			t.Errorf("%s: exit %d\n%s%s", test.args, got.code, got.stdout, got.stderr)
		}
	}
}
