package cli

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/jstall/jstall/internal/render"
	"github.com/jstall/jstall/internal/shell"
)

var update = flag.Bool("update", false, "write the golden files anew")

const (
	dumps   = "../../testdata/dumps"
	goldens = "../../testdata/golden/cli"
)

// ran is what one run of the program gave.
type ran struct {
	stdout, stderr string
	code           int
}

// starved is said of a JVM that the tests next to it leave no CPU, so that it was not asked for a dump.
const starved = "waits for a CPU and gets little or none"

// run runs the command line as a user without a terminal would, and again while other tests take all the CPU that the
// JVM needs.
func run(t *testing.T, stdin string, args ...string) ran {
	t.Helper()
	got := runOnce(t, stdin, args...)
	for range 5 {
		if got.code != shell.ExitPartial && got.code != shell.ExitNoDump || !strings.Contains(got.stdout, starved) {
			break
		}
		t.Logf("%v once more, as the JVM gets no CPU", args)
		for i, a := range args[:len(args)-1] {
			if a == "-o" || a == "--keep" {
				_ = os.Remove(args[i+1])
			}
		}
		got = runOnce(t, stdin, args...)
	}
	return got
}

func runOnce(t *testing.T, stdin string, args ...string) ran {
	t.Helper()
	var out, errs bytes.Buffer
	code := Run(t.Context(), &shell.Env{
		Args: args, Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs,
		Getenv: func(string) string { return "" }, ProcRoot: "/proc", Version: "test", Commit: "none",
	})
	return ran{out.String(), errs.String(), code}
}

// stable takes out what differs from run to run: our own CPU time.
func (r ran) stable() string {
	lines := strings.Split(r.stdout, "\n")
	for i, line := range lines {
		if at := strings.Index(line, "jstall itself used"); at >= 0 {
			lines[i] = line[:at] + "jstall itself used …"
		}
	}
	return fmt.Sprintf("exit %d\n--- stdout\n%s--- stderr\n%s", r.code, strings.Join(lines, "\n"), r.stderr)
}

func threadDumps(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, pattern := range []string{"*threaddump*.txt", "*sigquit*.txt", "*dump_to_file*"} {
		found, err := filepath.Glob(filepath.Join(dumps, "jdk*", pattern))
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, found...)
	}
	if len(names) < 100 {
		t.Fatalf("only %d fixtures under %s", len(names), dumps)
	}
	return names
}

func TestWholeOutputOfEveryFixture(t *testing.T) {
	t.Parallel()
	for _, path := range threadDumps(t) {
		name, err := filepath.Rel(dumps, path)
		if err != nil {
			t.Fatal(err)
		}
		compare(t, filepath.Join("status", name), run(t, "", "status", path).stable())
	}
}

func TestWholeOutputOfEveryCommand(t *testing.T) {
	for _, command := range []string{"deadlock", "most-work", "threads", "waiting-threads", "dependency-tree",
		"dependency-graph", "status --full", "status --format markdown", "status --json"} {
		for _, fixture := range []string{"jdk21/mondl-threaddump-l-e.txt", "jdk8/rldl-threaddump-l.txt",
			"jdk25/V-vdl-threaddump-l.txt"} {
			args := append(strings.Fields(command), filepath.Join(dumps, fixture))
			name := strings.ReplaceAll(command, " ", "") + "-" + strings.ReplaceAll(fixture, "/", "-")
			compare(t, filepath.Join("commands", name), withoutOwnCPU(run(t, "", args...)))
		}
	}
}

// withoutOwnCPU is stable for JSON too.
func withoutOwnCPU(r ran) string {
	if !strings.HasPrefix(r.stdout, "{") {
		return r.stable()
	}
	var document map[string]any
	if err := json.Unmarshal([]byte(r.stdout), &document); err != nil {
		return err.Error()
	}
	delete(document["capture"].(map[string]any), "ownCpuSeconds")
	indented, err := json.MarshalIndent(document, "", " ")
	if err != nil {
		return err.Error()
	}
	return ran{string(indented) + "\n", r.stderr, r.code}.stable()
}

func compare(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join(goldens, name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs from its golden; see it with: go test ./internal/cli -update && git diff\n%s", name,
			firstDifference(got, string(want)))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return fmt.Sprintf("line %d\n got: %s\nwant: %s", i+1, g[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

// schemaOf compiles the schema that `jstall schema` prints.
func schemaOf(t *testing.T) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(render.Schema()))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// validate checks every line of a JSON output against the schema.
func validate(t *testing.T, schema *jsonschema.Schema, output string) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
	for _, line := range lines {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		if err != nil {
			t.Errorf("not JSON: %v: %.200s", err, line)
			continue
		}
		if err := schema.Validate(document); err != nil {
			t.Error(err)
		}
	}
}

func TestEveryJSONOutputFitsTheSchema(t *testing.T) {
	t.Parallel()
	schema := schemaOf(t)
	for _, path := range threadDumps(t) {
		validate(t, schema, run(t, "", "status", "--json", path).stdout)
	}
	for _, args := range [][]string{
		{"--json", "/nonexistent.txt"}, {"--json", "1"}, {"--json", "99999999"}, {"--json", "no-such-main-class"},
		{"deadlock", "--json", "-"}, {"most-work", "--json", filepath.Join(dumps, "jdk8/cpu-threaddump-l.txt")},
	} {
		got := run(t, "", args...)
		if got.stdout == "" {
			t.Errorf("jstall %s: no document", strings.Join(args, " "))
		}
		validate(t, schema, got.stdout)
	}
}
