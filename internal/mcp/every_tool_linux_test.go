package mcp_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/jstall/jstall/internal/jvmtest"
)

// TestAllToolsInARow calls each tool on a running JVM, a recording of it and a flight recording, one call directly
// after the other. No call is refused.
func TestAllToolsInARow(t *testing.T) {
	t.Parallel()
	vm := jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{
		Class: "MonitorDeadlock", Args: []string{"3", "2"}, JVMArgs: []string{"-Ddb.password=Tr0ub4dor-and-3"},
	})
	dir, pid := t.TempDir(), strconv.Itoa(vm.PID())
	copied(t, dir, demo+"/shop.jfr.gz")
	s := client(t, "--dir", dir)
	flight, recorded := []string{"shop.jfr.gz"}, []string{"r.zip"}
	used := map[string]bool{}
	for _, c := range []struct {
		tool string
		args args
		want []string
	}{
		{"list", nil, []string{`"pid":` + pid, `"file":"shop.jfr.gz"`}},
		{"doctor", args{"target": pid}, []string{"MonitorDeadlock", "attach", "ok"}},
		{"diagnose", args{"target": pid, "count": 2, "interval_ms": 50}, []string{"**DEADLOCKED**"}},
		{"threads", args{"target": pid, "count": 2, "interval_ms": 50}, []string{"BLOCKED"}},
		{"stacks", args{"target": pid, "count": 2, "interval_ms": 50, "thread": "main"}, []string{`"main"`}},
		{"locks", args{"target": pid, "count": 2, "interval_ms": 50}, []string{"in a cycle"}},
		{"heap", args{"target": pid}, []string{" used of ", "GC.heap_info"}},
		{"heap", args{"target": pid, "part": "histogram"}, []string{"java.lang.String"}},
		{"classes", args{"target": pid, "package": "MonitorDeadlock"}, []string{"initialised"}},
		{"flame", args{"target": pid, "duration_seconds": 1, "engine": "dumps", "weight": "wall"}, []string{"samples"}},
		{"record", args{"target": pid, "file": "r.zip", "count": 1}, []string{"1 dump"}},
		{"diagnose", args{"target": pid, "fresh": true, "count": 1}, []string{"**DEADLOCKED**", "1 dump"}},
		{"diagnose", args{"files": recorded}, []string{"**DEADLOCKED**"}},
		{"heap", args{"files": recorded, "part": "metaspace"}, []string{"Metaspace"}},
		{"compare", args{"good": args{"files": recorded}, "bad": args{"target": pid}},
			[]string{"3 threads are deadlocked"}},
		{"jfr", args{"files": flight}, []string{"jdk.GCPhasePause", "gc-pauses", "hot-methods"}},
		{"jfr", args{"files": flight, "view": "gc-pauses"}, []string{"Pauses: 73", "Longest: 33.4 ms"}},
		{"jfr", args{"files": flight, "query": "SELECT cause, COUNT(*) FROM GarbageCollection GROUP BY cause"},
			[]string{"Allocation Failure       71", "System.gc()               2"}},
		{"diagnose", args{"files": flight}, []string{"shop.jfr.gz"}},
		{"flame", args{"files": flight}, []string{"samples"}},
	} {
		r := call(t, s, c.tool, c.args)
		r.want(t, c.want...)
		if strings.Contains(r.text, "Tr0ub4dor") || strings.Contains(r.text, dir) {
			t.Errorf("%s %v has the password or the folder:\n%s", c.tool, c.args, r.text)
		}
		used[c.tool] = true
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if !used[tool.Name] {
			t.Errorf("%s is not called", tool.Name)
		}
	}
}

// TestTheSchemasAreSmall counts the bytes of compact JSON that a model reads before its first question: the arguments
// and the description of each tool.
func TestTheSchemasAreSmall(t *testing.T) {
	t.Parallel()
	tools, err := client(t).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	sum := 0
	for _, tool := range tools.Tools {
		arguments, err := json.Marshal(tool.InputSchema)
		if err != nil || tool.Description == "" || tool.OutputSchema != nil {
			t.Errorf("%s: %q, %v, %v", tool.Name, tool.Description, tool.OutputSchema, err)
		}
		sum += len(arguments) + len(tool.Description)
	}
	if sum > 12_000 || len(tools.Tools) < 12 {
		t.Errorf("%d bytes for %d tools", sum, len(tools.Tools))
	}
}

// TestNoWordBecomesAFlag passes flags of commands as values. No file is written or read by them.
func TestNoWordBecomesAFlag(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	copied(t, dir, demo+"/shop.jfr.gz")
	copied(t, dir, demo+"/1.txt")
	if err := os.Rename(filepath.Join(dir, "1.txt"), filepath.Join(dir, "--force\n-o x.txt")); err != nil {
		t.Fatal(err)
	}
	s := client(t, "--dir", dir)
	flight := []string{"shop.jfr.gz"}
	self := strconv.Itoa(jvmtest.Start(t, jvmtest.Find(t, jvmtest.System), jvmtest.Options{Class: "Idle"}).PID())
	for _, c := range []struct {
		tool string
		args args
	}{
		{"jfr", args{"files": flight, "view": "--help"}},
		{"jfr", args{"files": flight, "view": "-o" + dir + "/x"}},
		{"jfr", args{"files": flight, "query": "--output=" + dir + "/x"}},
		{"jfr", args{"files": flight, "query": "SELECT FROM"}},
		{"jfr", args{"files": flight, "view": "gc-pauses", "query": "SELECT * FROM GCPhasePause"}},
		{"jfr", args{"files": []string{}, "view": "gc-pauses"}},
		{"jfr", args{"files": []string{"/etc/passwd"}}},
		{"heap", args{"target": self, "part": "--all"}},
		{"heap", args{"files": []string{"--force\n-o x.txt"}}},
		{"classes", args{"files": []string{"--force\n-o x.txt"}}},
		{"doctor", args{"target": "--help"}},
		{"doctor", args{"target": "shop.jfr.gz"}},
	} {
		r, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: c.args})
		if err == nil && !r.IsError {
			t.Errorf("%s %v is answered: %s", c.tool, c.args, r.Content[0].(*sdk.TextContent).Text)
		}
	}
	classes := call(t, s, "classes", args{"target": self, "package": "--jar=/etc/passwd"})
	classes.want(t, "0 classes loaded", "names that begin with --jar=.etc.passwd")
	var names []string
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"--force\n-o x.txt", "shop.jfr.gz"}; err != nil || !slices.Equal(names, want) {
		t.Errorf("the folder has %q, %v", names, err)
	}
}
