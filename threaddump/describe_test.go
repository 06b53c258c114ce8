package threaddump

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// describe renders everything that a parse gave, a line per thread and lock.
// Stacks are given by depth, hash and innermost frame.
func describe(dumps []*Dump, err error) string {
	var b strings.Builder
	for i, d := range dumps {
		fmt.Fprintf(&b, "dump %d line %d: %q %q %q at %s\n", i, d.Line, d.JVM, d.Version, d.Mode,
			d.Time.Format("2006-01-02T15:04:05.999999999"))
		if d.SMR != nil {
			fmt.Fprintf(&b, "smr %d of %d\n", len(d.SMR.Elements), d.SMR.Length)
		}
		if d.VirtualListed || d.VirtualMissing != "" {
			fmt.Fprintf(&b, "virtual: %d found; missing: %q; cut: %t\n", d.VirtualFound, d.VirtualMissing, d.Cut)
		}
		for _, t := range d.Threads {
			describeThread(&b, t)
		}
		describeRest(&b, d)
	}
	if err != nil {
		fmt.Fprintf(&b, "error: %v\n", err)
	}
	return b.String()
}

func describeThread(b *strings.Builder, t *Thread) {
	fmt.Fprintf(b, "%d %s %s", t.Line, shortName(t.Name), t.Role())
	field := func(format string, value any, known bool) {
		if known {
			fmt.Fprintf(b, " "+format, value)
		}
	}
	field("#%d", t.ID, t.ID != 0)
	field("tid=%x", t.TID, t.TID != 0)
	field("nid=%d", t.NativeID, t.NativeID != 0)
	field("daemon%.0v", "", t.Daemon)
	field("virtual%.0v", "", t.Virtual)
	field("prio=%d", t.Priority, t.Priority != 0)
	field("os_prio=%d", t.OSPriority, t.OSPriority != 0)
	field("cpu=%v", t.CPU.Value, t.CPU.Known)
	field("elapsed=%v", t.Elapsed.Value, t.Elapsed.Known)
	field("allocated=%d", t.Allocated.Value, t.Allocated.Known)
	field("classes=%d", t.DefinedClasses.Value, t.DefinedClasses.Known)
	field("'%s'", t.Condition, t.Condition != "")
	field("%s", t.State, t.State != StateUnknown)
	field("(%s)", t.StateDetail, t.StateDetail != "")
	field("stackless%.0v", "", t.Stackless && t.ID != 0)
	field("compiler(%s)", t.CompileTask, t.Compiler)
	field("carrying=%d", t.Carrying, t.Carrying != 0)
	field("carrier=%d", t.Carrier, t.Carrier != 0)
	field("state=%s", t.VirtualState, t.VirtualState != "")
	field("alike=%d", t.Alike, t.Virtual && t.VirtualState != "" && t.Alike != 0)
	field("unread=%q", t.Unread, t.Virtual && t.Unread != "")
	field("container=%q", t.Container, t.Container != "")
	field("scopeOwner=%d", t.ScopeOwner, t.ScopeOwner != 0)
	b.WriteByte('\n')
	describeStack(b, "", t.Stack, t.Locks)
	describeStack(b, "mounted ", t.MountedStack, t.MountedLocks)
}

func describeStack(b *strings.Builder, what string, stack []*Frame, locks []Lock) {
	if len(stack) > 0 {
		h := fnv.New32a()
		for _, f := range stack {
			_, _ = fmt.Fprintf(h, "%+v\n", *f)
		}
		fmt.Fprintf(b, "  %s%d frames %08x %s\n", what, len(stack), h.Sum32(), stack[0].Name())
	}
	for _, l := range locks {
		fmt.Fprintf(b, "  %s%d %s@%d %x %s", what, l.Line, lockOpNames[l.Op], l.Depth, l.Address, l.Class)
		if l.Owner != 0 {
			fmt.Fprintf(b, " owner=%d", l.Owner)
		}
		b.WriteByte('\n')
	}
}

var lockOpNames = [...]string{
	"unknown", "to-lock", "waiting-on", "to-relock", "parking", "locked", "eliminated", "owns", "class-init",
}

func describeRest(b *strings.Builder, d *Dump) {
	for _, dl := range d.Deadlocks {
		fmt.Fprintf(b, "deadlock line %d\n", dl.Line)
		for _, m := range dl.Members {
			fmt.Fprintf(b, "  %d %s monitor=%t %x %s held by %s\n", m.Line, shortName(m.Thread), m.Monitor, m.Address,
				m.Class, shortName(m.HeldBy))
		}
	}
	fmt.Fprintf(b, "jni %v %v\n", d.JNIRefs, d.JNIWeakRefs)
	for _, line := range d.Heap {
		fmt.Fprintf(b, "heap %s\n", line)
	}
	for _, p := range d.Problems {
		fmt.Fprintf(b, "problem %d: %s: %.80q\n", p.Line, p.Message, p.Text)
	}
}

func shortName(s string) string {
	if len(s) > 80 {
		return fmt.Sprintf("%+.60q…%d", s, len(s))
	}
	return fmt.Sprintf("%+q", s)
}

// fixtures are all files that real JDKs gave.
func fixtures(t testing.TB) []string {
	files, err := filepath.Glob("../testdata/dumps/jdk*/*")
	if err != nil || len(files) < 200 {
		t.Fatal(len(files), err)
	}
	more, err := filepath.Glob("testdata/dumps/*")
	if err != nil || len(more) == 0 {
		t.Fatal(err)
	}
	return append(files, more...)
}

// isDumpFile reports by its name whether a fixture holds a thread dump.
func isDumpFile(file string) bool { return !strings.Contains(filepath.Base(file), "-jcmd-") }

func read(t testing.TB, file string) []byte {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestFixturesParseAsGolden(t *testing.T) {
	for _, file := range fixtures(t) {
		if !isDumpFile(file) {
			continue
		}
		name := filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file))
		t.Run(name, func(t *testing.T) {
			golden(t, name, describe(Parse(read(t, file))))
		})
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("../testdata/golden/threaddump", name+".golden")
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want := string(read(t, path)); got != want {
		t.Errorf("%s differs:\n%s", path, firstDifference(want, got))
	}
}

func firstDifference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			return fmt.Sprintf("line %d\n-%s\n+%s", i+1, strings.Join(w[min(i, len(w)):min(i+1, len(w))], ""),
				strings.Join(g[min(i, len(g)):min(i+1, len(g))], ""))
		}
	}
	return ""
}

// sameAs fails unless text parses to what want describes.
func sameAs(t *testing.T, want string, text []byte) {
	t.Helper()
	if got := describe(Parse(text)); got != want {
		t.Error(firstDifference(want, got))
	}
}

// readAll reads dumps through a Reader.
func readAll(r io.Reader, opts ...Option) (dumps []*Dump, err error) {
	reader := NewReader(r, opts...)
	for {
		d, err := reader.Next()
		if d != nil {
			dumps = append(dumps, d)
		}
		if errors.Is(err, io.EOF) {
			return dumps, nil
		}
		if err != nil {
			return dumps, err
		}
	}
}

// text joins lines to a text.
func text(lines ...string) []byte {
	var b bytes.Buffer
	for _, l := range lines {
		b.WriteString(l + "\n")
	}
	return b.Bytes()
}

// one parses a text that holds one dump.
func one(t *testing.T, b []byte) *Dump {
	t.Helper()
	dumps, err := Parse(b)
	if err != nil || len(dumps) != 1 {
		t.Fatalf("%d dumps, error %v", len(dumps), err)
	}
	return dumps[0]
}
