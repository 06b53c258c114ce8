package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jstall/jstall/internal/shell"
)

// everyFile are files of each kind that somebody may name, by the kind.
func everyFile(t *testing.T) map[string]string {
	t.Helper()
	dump := first(t, filepath.Join(dumps, "jdk17", "*threaddump*.txt"))
	text, err := os.ReadFile(dump)
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write(text); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	profile := filepath.Join(t.TempDir(), "x.pb.gz")
	stacks := saveBytes(t, "y.collapsed", []byte("a.B.c 3\n"))
	if made := run(t, "", "flame", stacks, "-o", profile); made.code != shell.ExitDone {
		t.Fatal(made.stderr)
	}
	core := append([]byte("\x7fELF\x02\x01\x01"+strings.Repeat("\x00", 9)+"\x04\x00\x3e\x00"), make([]byte, 100)...)
	core[32], core[54] = 64, 56
	return map[string]string{
		"dump": dump, "packed dump": saveBytes(t, "dump.txt.gz", packed.Bytes()),
		"cut dump":             saveBytes(t, "cut.txt", text[:len(text)/2]),
		"recording":            first(t, "../../testdata/recordings/*.zip"),
		"flight recording":     first(t, "../../testdata/flight/*.jfr*"),
		"cut flight recording": saveBytes(t, "cut.jfr", []byte("FLR\x00\x00\x02\x00\x00"+strings.Repeat("\x00", 40))),
		"core":                 saveBytes(t, "x.core", core), "empty": saveBytes(t, "empty.txt", nil),
		"text":  saveBytes(t, "notes.txt", []byte("no dump\nat all\n")),
		"bytes": saveBytes(t, "x.bin", []byte{0, 1, 2, 0xff, 0xfe, '\n', 0x80}),
		"JSON":  saveBytes(t, "x.json", []byte(`{"a":[1,2]}`)), "zip": saveBytes(t, "x.zip",
			[]byte("PK\x05\x06"+strings.Repeat("\x00", 18))), "heap dump": saveBytes(t, "x.hprof",
			[]byte("JAVA PROFILE 1.0.2\x00\x00\x00\x00\x08"+strings.Repeat("\x00", 16))),
		"GC log": saveBytes(t, "gc.log", []byte("[0.005s][info][gc] Using G1\n"+
			"[0.123s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 3.456ms\n")),
		"one long line": saveBytes(t, "long.txt", bytes.Repeat([]byte("x"), 4<<20)),
		"long thread": saveBytes(t, "thread.txt", append([]byte(`"t" #1 prio=5 `),
			bytes.Repeat([]byte("x"), 4<<20)...)),
		"JSON dump": saveBytes(t, "dump.json", []byte(`{"threadDump":{"processId":"1","time":"2026-03-01T10:00:00Z",`+
			`"runtimeVersion":"21.0.1","threadContainers":[{"container":"<root>","parent":null,"owner":null,`+
			`"threads":[{"tid":"1","name":"main","stack":["a.B.c(B.java:3)"]}],"threadCount":"1"}]}}`)),
		"profile":          profile,
		"collapsed stacks": saveBytes(t, "x.collapsed", []byte("a.B.c;a.B.d 7\na.B.c 3\n")), "folder": t.TempDir(),
		"no file": filepath.Join(t.TempDir(), "none.txt"),
	}
}

// first is the first file of a pattern.
func first(t *testing.T, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		t.Fatalf("%s: %v", pattern, err)
	}
	return found[0]
}

// everyForm are the words of each command before and behind a file. A command that is not here gets the file alone.
var everyForm = map[string][][]string{
	"redact": {{"redact", "FILE", "-"}, {"redact", "FILE", "OUT"}},
	"jfr": {{"jfr", "summary", "FILE"}, {"jfr", "view", "hot-methods", "FILE"},
		{"jfr", "events", "jdk.GC*", "FILE"},
		{"jfr", "query", "SELECT duration FROM JavaMonitorEnter", "FILE"}},
	"record": {{"record", "FILE", "-o", "OUT"}, {"record", "summary", "FILE"}, {"record", "extract", "FILE", "OUT"}},
	"report": {{"report", "FILE", "-o", "OUT"}},
	"flame": {{"flame", "FILE"}, {"flame", "FILE", "-o", "-", "--as", "collapsed"},
		{"flame", "FILE", "-o", "OUT.html"}},
	"compare": {{"compare", "FILE", "FILE"}},
	"classes": {{"classes", "FILE"}, {"classes", "FILE", "com.acme"}},
	"jcmd":    {{"jcmd", "FILE", "help"}},
	"methods": {{"methods", "FILE", "--count", "a.B.c"}},
	"mcp":     {{"mcp", "--dir", "FILE"}},
	"status": {{"status", "FILE"}, {"status", "FILE", "--json"}, {"status", "-f", "FILE"},
		{"status", "FILE", "--format", "markdown"}},
}

// mayBeSilent are commands whose output goes elsewhere, or is what is in the file.
var mayBeSilent = map[string]bool{"redact": true, "record": true, "mcp": true}

// noData are the kinds of files in which there is no dump, profile or event.
var noData = map[string]bool{"cut flight recording": true, "core": true, "empty": true, "text": true, "bytes": true,
	"JSON": true, "zip": true, "folder": true, "no file": true, "heap dump": true, "GC log": true,
	"one long line": true, "long thread": true}

// isNamed are words with which status and dump tell what a file is that they do not read.
var isNamed = map[string]string{"heap dump": "heap dump", "GC log": "GC log", "folder": "directory"}

// needsNoDump are commands for which any file, or none, is as good.
var needsNoDump = map[string]bool{"redact": true, "record": true, "mcp": true, "help": true, "list": true,
	"completion": true, "man": true, "schema": true, "version": true, "processes": true}

// TestEveryCommandOnEveryFile: no command breaks on any kind of file. It says something, and ends with a code of ours.
func TestEveryCommandOnEveryFile(t *testing.T) {
	files := everyFile(t)
	app := newApp(&shell.Env{Stdout: &bytes.Buffer{}, Stderr: &bytes.Buffer{},
		Getenv: func(string) string { return "" }})
	for _, command := range app.Commands {
		forms := everyForm[command.Name]
		if forms == nil {
			forms = [][]string{{command.Name, "FILE"}}
		}
		for _, form := range forms {
			for kind, file := range files {
				words := slices.Clone(form)
				for i, word := range words {
					words[i] = strings.NewReplacer("FILE", file, "OUT", filepath.Join(t.TempDir(), "out")).Replace(word)
				}
				got := runWithin(t, words)
				output := got.stdout + got.stderr
				codes := []int{shell.ExitDone, shell.ExitNothing, shell.ExitDeadlock, shell.ExitNoDump,
					shell.ExitPartial, shell.ExitUsage}
				switch {
				case strings.Contains(output, "internal error"), !slices.Contains(codes, got.code):
					t.Errorf("%v on %s: exit %d\n%s", form, kind, got.code, got.stderr)
				case output == "" && !mayBeSilent[command.Name]:
					t.Errorf("%v on %s says nothing, exit %d", form, kind, got.code)
				case slices.Contains([]string{"status FILE", "dump FILE"}, strings.Join(form, " ")) &&
					!strings.Contains(output, isNamed[kind]):
					t.Errorf("%v on %s does not tell what it is\n%s", form, kind, output)
				case got.code == shell.ExitDone && noData[kind] && !needsNoDump[command.Name]:
					t.Errorf("%v on %s: exit 0\n%s", form, kind, got.stdout)
				}
			}
		}
	}
}

// runWithin is run with nothing to read, for a minute at most.
func runWithin(t *testing.T, words []string) ran {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var out, errs bytes.Buffer
	code := Run(ctx, &shell.Env{
		Args: words, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs,
		Getenv: func(string) string { return "" }, ProcRoot: "/proc", Version: "test", Commit: "none",
	})
	if ctx.Err() != nil {
		t.Errorf("%v does not end", words)
	}
	return ran{out.String(), errs.String(), code}
}
